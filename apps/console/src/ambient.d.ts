/// <reference types="vite/client" />

declare module 'virtual:messages' {
  /** The address of each language's messages. */
  const addresses: Readonly<Record<string, string>>;
  export default addresses;
}
