/**
 * The nonce by which this page may write style elements; undefined where its server names none, as when developing.
 * Browsers show it to scripts alone.
 */
export const styleNonce: string | undefined =
  document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce || undefined;

// Dialogs stop the page behind them from scrolling by a library that looks for it here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
