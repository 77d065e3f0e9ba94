/** Endings added to a campaign's text for every recipient. Both are literal: placeholders in them are not replaced. */
export interface TextEnding {
  /** Signature of the department; null or empty for none. */
  signature: string | null;
  /** Opt-out text of the corporation, if the sender ID adds it. */
  opt_out_message: string | null;
}

/** Returns the ending of every text, each piece on its own line. It counts toward the parts and is charged. */
export function textEnding({ signature, opt_out_message }: TextEnding): string {
  return [signature, opt_out_message]
    .map((part) => part?.trim())
    .filter((part) => part)
    .map((part) => `\n${part}`)
    .join('');
}
