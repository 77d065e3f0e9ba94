import { Buffer } from 'node:buffer';
import { STATUS } from './status.ts';
import { PduError } from './wire.ts';

/** Default alphabet of 3GPP TS 23.038 §6.2.1 by septet; 0x1B is the escape to the extension table. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** Extension table (§6.2.1.1); each character takes the escape and one septet more. */
const EXTENSION: Record<number, string> = {
  10: '\f',
  20: '^',
  40: '{',
  41: '}',
  47: '\\',
  60: '[',
  61: '~',
  62: ']',
  64: '|',
  101: '€',
};

const ESCAPE = 0x1b;
const ABSENT = 0xffff;

/** Septet by UTF-16 code unit; extension characters carry the escape in the high octet. */
const SEPTETS = new Uint16Array(65_536).fill(ABSENT);
for (let septet = 0; septet < 128; septet++) if (septet !== ESCAPE) SEPTETS[BASIC.charCodeAt(septet)] = septet;
for (const [septet, character] of Object.entries(EXTENSION)) {
  SEPTETS[character.charCodeAt(0)] = (ESCAPE << 8) | Number(septet);
}

const CHARACTERS = Uint16Array.from({ length: 128 }, (_, septet) => BASIC.charCodeAt(septet));
const EXTENDED = Uint16Array.from(
  { length: 128 },
  (_, septet) => EXTENSION[septet]?.charCodeAt(0) ?? BASIC.charCodeAt(septet),
);

/** Counts the septets of a text, extension characters twice; -1 if a character is outside the alphabet. */
export function gsmUnits(text: string): number {
  let units = text.length;
  for (let i = 0; i < text.length; i++) {
    const septet = SEPTETS[text.charCodeAt(i)]!;
    if (septet === ABSENT) return -1;
    if (septet > 0xff) units++;
  }
  return units;
}

/** Answers whether every character is in the default alphabet or its extension table. */
export const isGsm = (text: string): boolean => gsmUnits(text) >= 0;

/**
 * Encodes a text with one septet in each octet, as SMPP carries them. Throws PduError for a character outside the
 * alphabet.
 */
export function encodeGsm(text: string): Buffer {
  const octets = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const septet = SEPTETS[text.charCodeAt(i)]!;
    if (septet === ABSENT) throw new PduError(STATUS.RSUBMITFAIL, 'the text has a character outside GSM 03.38');
    if (septet > 0xff) octets[length++] = ESCAPE;
    octets[length++] = septet;
  }
  return octets.subarray(0, length);
}

/**
 * Decodes unpacked septets. An escape without a known successor falls back to the basic table (§6.2.1.1); an escape at
 * the end becomes a space.
 */
export function decodeGsm(octets: Uint8Array): string {
  const units = new Uint16Array(octets.length);
  let length = 0;
  for (let i = 0; i < octets.length; i++) {
    const septet = octets[i]! & 0x7f;
    if (septet !== ESCAPE) units[length++] = CHARACTERS[septet]!;
    else if (i + 1 >= octets.length || (octets[i + 1]! & 0x7f) === ESCAPE) units[length++] = 0x20;
    else units[length++] = EXTENDED[octets[++i]! & 0x7f]!;
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}

/** Packs septets seven bits each (§6.1.2.1), after `fillBits` zero bits that align a text behind a UDH. */
export function packGsm(septets: Uint8Array, fillBits = 0): Buffer {
  const octets = Buffer.alloc(Math.ceil((septets.length * 7 + fillBits) / 8));
  for (let i = 0; i < septets.length; i++) {
    const bit = fillBits + i * 7;
    const value = (septets[i]! & 0x7f) << (bit & 7);
    const at = bit >> 3;
    octets[at] = octets[at]! | value;
    if (value > 0xff) octets[at + 1] = octets[at + 1]! | (value >> 8);
  }
  return octets;
}

/** Unpacks a packed text. `count` tells a last '@' from padding; without it all septets that fit are read. */
export function unpackGsm(
  octets: Uint8Array,
  fillBits = 0,
  count = Math.floor((octets.length * 8 - fillBits) / 7),
): Buffer {
  const septets = Buffer.alloc(Math.max(0, count));
  for (let i = 0; i < septets.length; i++) {
    const bit = fillBits + i * 7;
    const at = bit >> 3;
    septets[i] = ((octets[at]! | ((octets[at + 1] ?? 0) << 8)) >> (bit & 7)) & 0x7f;
  }
  return septets;
}
