/**
 * Short links: what an address in a text becomes. Every code is equally long and all of GSM 03.38's basic alphabet, so a
 * text's parts are known before its codes are.
 */
export const CODE_LENGTH = 10;

/** Stands for a code where parts are counted or a text is shown. */
export const SAMPLE_CODE = 'X'.repeat(CODE_LENGTH);

/** From the scheme to the next blank or bracket; what ends a sentence is not part of the address. */
const ADDRESS = /https?:\/\/[^\s<>"{}|\\^`[\]]+/gi;
const SENTENCE_END = /[.,;:!?'»”’)]+$/;

/** The path of a code on the host of short links. */
export const shortLinkPath = (code: string) => `/s/${code}`;

/** Puts what `shortened` answers in the place of each http and https address; an address for which it answers null stays. */
export function replaceAddresses(text: string, shortened: (address: string) => string | null): string {
  if (!text.includes('://')) return text;
  return text.replace(ADDRESS, (found) => {
    const end = SENTENCE_END.exec(found)?.[0] ?? '';
    const address = end === '' ? found : found.slice(0, -end.length);
    const short = URL.canParse(address) ? shortened(address) : null;
    return short === null ? found : short + end;
  });
}

/** A text as it would be with every address made short; all codes are `SAMPLE_CODE`. */
export const withSampleLinks = (text: string, base: string): string =>
  replaceAddresses(text, () => base + shortLinkPath(SAMPLE_CODE));
