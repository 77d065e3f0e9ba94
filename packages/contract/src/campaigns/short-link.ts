/**
 * Length of the codes of short links, which replace addresses in a text. All codes have this length and use only the
 * basic alphabet of GSM 03.38, so the parts of a text are known before its codes.
 */
export const CODE_LENGTH = 10;

/** Sample that replaces a code while parts are counted or a text is shown. */
export const SAMPLE_CODE = 'X'.repeat(CODE_LENGTH);

/** Address from its scheme to the next blank or bracket; punctuation that ends a sentence is not part of it. */
const ADDRESS = /https?:\/\/[^\s<>"{}|\\^`[\]]+/gi;
const SENTENCE_END = /[.,;:!?'»”’)]+$/;

/** Returns the path of a code on the host of short links. */
export const shortLinkPath = (code: string) => `/s/${code}`;

/** Replaces each http and https address by the result of `shortened`; if that is null, the address stays. */
export function replaceAddresses(text: string, shortened: (address: string) => string | null): string {
  if (!text.includes('://')) return text;
  return text.replace(ADDRESS, (found) => {
    const end = SENTENCE_END.exec(found)?.[0] ?? '';
    const address = end === '' ? found : found.slice(0, -end.length);
    const short = URL.canParse(address) ? shortened(address) : null;
    return short === null ? found : short + end;
  });
}

/** Returns a text with every address shortened; all codes are `SAMPLE_CODE`. */
export const withSampleLinks = (text: string, base: string): string =>
  replaceAddresses(text, () => base + shortLinkPath(SAMPLE_CODE));
