import { Buffer } from 'node:buffer';
import { DATA_CODING } from './commands.ts';
import { decodeGsm, encodeGsm, packGsm, unpackGsm } from './gsm0338.ts';

/** Alphabet of data_coding 0 on a link: carriers differ (§5.2.19 says only "SMSC default alphabet"). */
export type Charset = 'gsm' | 'gsm_packed' | 'latin1' | 'ascii';

/** Encoding of a text in short_message. */
export type Encoding = Charset | 'ucs2';

const UNPRINTABLE = 0x3f;

/**
 * Encodes one segment, its UDH first. GSM throws PduError for a character outside its alphabet. Latin-1 and ASCII write
 * a question mark for such a character. UCS-2 is big-endian without a byte order mark.
 */
export function encodeShortMessage(text: string, encoding: Encoding, udh?: Uint8Array): Buffer {
  const body = encodeText(text, encoding, udh?.length ?? 0);
  return udh === undefined ? body : Buffer.concat([udh, body]);
}

function encodeText(text: string, encoding: Encoding, udhOctets: number): Buffer {
  switch (encoding) {
    case 'gsm':
      return encodeGsm(text);
    case 'gsm_packed':
      return packGsm(encodeGsm(text), gsmFillBits(udhOctets));
    case 'ucs2':
      return Buffer.from(text, 'utf16le').swap16();
    default: {
      const limit = encoding === 'ascii' ? 0x7f : 0xff;
      const octets = Buffer.allocUnsafe(text.length);
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        octets[i] = code <= limit ? code : UNPRINTABLE;
      }
      return octets;
    }
  }
}

/**
 * Answers the number of zero bits between a UDH and packed text, which begins on a septet boundary (3GPP TS 23.040
 * §9.2.3.24).
 */
export const gsmFillBits = (udhOctets: number): number => (7 - ((udhOctets * 8) % 7)) % 7;

/**
 * Decodes octets without their UDH (see splitUdh). Binary content becomes Latin-1, octet by octet. `udhOctets` is
 * needed only for packed text behind a UDH.
 */
export function decodeShortMessage(
  octets: Uint8Array,
  dataCoding: number,
  defaultCharset: Charset = 'gsm',
  udhOctets = 0,
): string {
  const charset = charsetOf(dataCoding, defaultCharset);
  switch (charset) {
    case 'gsm':
      return decodeGsm(octets);
    case 'gsm_packed':
      return decodeGsm(unpackGsm(octets, gsmFillBits(udhOctets)));
    case 'ucs2': {
      const even = Buffer.from(octets.subarray(0, octets.length & ~1));
      return even.swap16().toString('utf16le');
    }
    case 'ascii':
    case 'latin1':
      return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1');
  }
}

/**
 * Answers the alphabet of a data_coding: the SMPP values (§5.2.19), then the GSM groups of 3GPP TS 23.038 §4 that
 * carriers pass through.
 */
export function charsetOf(dataCoding: number, defaultCharset: Charset): Encoding {
  switch (dataCoding) {
    case DATA_CODING.smscDefault:
      return defaultCharset;
    case DATA_CODING.ascii:
      return 'ascii';
    case DATA_CODING.ucs2:
      return 'ucs2';
  }
  if (dataCoding < 0x10) return 'latin1';
  const alphabet = dataCoding & 0x0c;
  if (dataCoding < 0x40) return alphabet === 0x08 ? 'ucs2' : alphabet === 0x00 ? defaultCharset : 'latin1';
  if (dataCoding >= 0xf0) return (dataCoding & 0x04) === 0 ? defaultCharset : 'latin1';
  if (dataCoding >= 0xe0) return 'ucs2';
  return dataCoding >= 0xc0 ? defaultCharset : 'latin1';
}
