/** What is added to a campaign's text for every recipient; both are literal, placeholders in them mean nothing. */
export interface TextEnding {
  /** The department's signature; null or empty for none. */
  signature: string | null;
  /** The corporation's opt-out text, where the sender ID adds it. */
  opt_out_message: string | null;
}

/** The ending of every text: each part on a line of its own. It counts towards the parts and is paid for. */
export function textEnding({ signature, opt_out_message }: TextEnding): string {
  return [signature, opt_out_message]
    .map((part) => part?.trim())
    .filter((part) => part)
    .map((part) => `\n${part}`)
    .join('');
}
