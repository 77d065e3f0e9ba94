import { segment as segmentText } from '@heliograph/contract/kernel/segments';
import {
  concatenationUdh,
  DATA_CODING,
  type Encoding,
  ESM_CLASS,
  encodeShortMessage,
  formatRelativeTime,
  type MessageFields,
  NPI,
  REGISTERED_DELIVERY,
  TON,
} from '@heliograph/smpp';
import type { ChunkContext, Message, Segment } from '../segment.ts';

/** What data_coding 0 means on a link. */
export type LinkCharset = 'gsm' | 'latin1' | 'ascii';

/** Message class 0, immediate display (3GPP TS 23.038 §4): GSM and UCS-2. */
const FLASH = { default: 0x10, ucs2: 0x18 };

/** Digits of a short code at most; longer numeric senders are international numbers. */
const SHORT_CODE_DIGITS = 6;

interface Encoded {
  dataCoding: number;
  /** The parts' texts, without UDH. */
  parts: Buffer[];
}

/** A text whose parts differ from what was counted and priced; it must not leave. */
export class PartsMismatch extends Error {}

const commonTexts = new WeakMap<ChunkContext, Encoded>();

function encode(text: string, flash: boolean, charset: LinkCharset): Encoded {
  const { encoding, parts } = segmentText(text);
  const ucs2 = encoding === 'ucs2';
  const alphabet: Encoding = ucs2 ? 'ucs2' : charset;
  const plain = ucs2 ? DATA_CODING.ucs2 : DATA_CODING.smscDefault;
  const dataCoding = flash ? (ucs2 ? FLASH.ucs2 : FLASH.default) : plain;
  return { dataCoding, parts: parts.map((part) => encodeShortMessage(part, alphabet)) };
}

function encodedText(message: Message, charset: LinkCharset): Encoded {
  const { chunk } = message;
  if (message.text !== null) return encode(message.text, chunk.flash, charset);
  let common = commonTexts.get(chunk);
  if (!common) {
    common = encode(chunk.common_text ?? '', chunk.flash, charset);
    commonTexts.set(chunk, common);
  }
  return common;
}

/** Type and plan of a sender ID: a name, a short code, or an international number, which loses its plus. */
export function senderAddress(senderId: string): { ton: number; npi: number; address: string } {
  if (!/^\+?\d+$/.test(senderId)) return { ton: TON.alphanumeric, npi: NPI.unknown, address: senderId };
  const address = senderId.replace('+', '');
  const ton = address.length <= SHORT_CODE_DIGITS ? TON.unknown : TON.international;
  return { ton, npi: NPI.e164, address };
}

const senders = new WeakMap<ChunkContext, ReturnType<typeof senderAddress>>();

function senderOf(chunk: ChunkContext): ReturnType<typeof senderAddress> {
  let sender = senders.get(chunk);
  if (!sender) {
    sender = senderAddress(chunk.sender_id);
    senders.set(chunk, sender);
  }
  return sender;
}

/** validity_period (§7.1.1) of what leaves now: the rest of the chunk's validity; '' without an end. */
export const validityPeriod = (chunk: ChunkContext, now: number): string =>
  chunk.expires_at === null ? '' : formatRelativeTime((chunk.expires_at - now) / 1_000);

/**
 * The submit_sm of one segment. Several parts get an 8-bit concatenation element (3GPP TS 23.040 §9.2.3.24.1). Throws
 * PartsMismatch, and PduError for what SMPP does not allow.
 */
export function submitFields({ message, part }: Segment, charset: LinkCharset, validity: string): MessageFields {
  const { dataCoding, parts } = encodedText(message, charset);
  const text = parts[part - 1];
  if (parts.length !== message.parts || !text) throw new PartsMismatch('the text has other parts than were counted');
  const sender = senderOf(message.chunk);
  const several = parts.length > 1;
  const udh = several && concatenationUdh({ ref: message.reference, total: parts.length, number: part });
  return {
    source_addr_ton: sender.ton,
    source_addr_npi: sender.npi,
    source_addr: sender.address,
    dest_addr_ton: TON.international,
    dest_addr_npi: NPI.e164,
    destination_addr: message.msisdn,
    esm_class: several ? ESM_CLASS.udhi : 0,
    validity_period: validity,
    registered_delivery: REGISTERED_DELIVERY.final,
    data_coding: dataCoding,
    short_message: udh ? Buffer.concat([udh, text]) : text,
  };
}
