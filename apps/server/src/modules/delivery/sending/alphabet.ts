import { DATA_CODING, type Encoding } from '@heliograph/smpp';
import type { Link } from './link.ts';

/** Message class 0, immediate display (3GPP TS 23.038 §4), for the link's alphabet and for UCS-2. */
const FLASH = {
  class_0x10: { text: 0x10, ucs2: 0x18 },
  class_0xf0: { text: 0xf0, ucs2: 0x18 },
  subunit: undefined,
} as const satisfies Record<Link['flash_dialect'], { text: number; ucs2: number } | undefined>;
/** Maximum UTF-16 units of UCS-2 in one part. */
const UCS2_PART = 70;

/**
 * Error for a text that the link's alphabet cannot carry in as many parts as were priced; it must not leave altered.
 */
export class AlphabetMismatch extends Error {
  override name = 'alphabet_mismatch';
}

const NOT_LATIN1 = /[^\0-\u00ff]/;
const NOT_ASCII = /[^\0-\u007f]/;

/**
 * Answers the alphabet and data_coding of a text. A text outside the link's alphabet goes as Latin-1 under its explicit
 * data_coding, else as UCS-2 if one part holds it. It never goes with question marks, and never in more parts than were
 * priced. Throws AlphabetMismatch.
 */
export function alphabetOf(
  { default_charset, flash_dialect }: Pick<Link, 'default_charset' | 'flash_dialect'>,
  text: string,
  unicode: boolean,
  flash: boolean,
  parts: number,
): { alphabet: Encoding; dataCoding: number } {
  const classed = flash ? FLASH[flash_dialect] : undefined;
  const ucs2 = { alphabet: 'ucs2', dataCoding: classed?.ucs2 ?? DATA_CODING.ucs2 } as const;
  if (unicode) return ucs2;
  const missing =
    default_charset === 'latin1' ? NOT_LATIN1.test(text) : default_charset === 'ascii' && NOT_ASCII.test(text);
  if (!missing) return { alphabet: default_charset, dataCoding: classed?.text ?? DATA_CODING.smscDefault };
  if (!classed && !NOT_LATIN1.test(text)) return { alphabet: 'latin1', dataCoding: DATA_CODING.latin1 };
  if (parts === 1 && text.length <= UCS2_PART) return ucs2;
  throw new AlphabetMismatch('the alphabet of the link lacks characters of the text');
}
