import type { ParameterValues } from '@heliograph/contract/links/vendor-parameters';
import {
  type Concatenation,
  type ConcatenationKind,
  type DataSm,
  decodeShortMessage,
  ESM_CLASS,
  parseTime,
  REGISTERED_DELIVERY,
  STATUS,
  type SubmitMulti,
  type SubmitSm,
  splitUdh,
} from '@heliograph/smpp';
import { kindAndPartOf } from '@heliograph/smpp/udh';
import { readVendorTlvs } from '#modules/delivery';
import type { SystemId } from './system-id-rows.ts';

// Reads submits of all kinds by SMPP 3.4 §4.4 to §4.7 and 3GPP TS 23.038, without looking at anything else.

export type Submit = SubmitSm | SubmitMulti | DataSm;

/** Everything in a message except its recipient and its text. */
export interface Envelope {
  from: string;
  class: SystemId['default_class'];
  flash: boolean;
  /** RFC 3339; undefined if it leaves now. */
  send_at: string | undefined;
  validity_minutes: number | undefined;
  registered_delivery: number;
  /** TLVs that SMPP does not name, by tag and in hexadecimal; left out without any. */
  tlvs?: ParameterValues;
}

/** The octets of a text, or of a part of one. */
export interface Content {
  body: Uint8Array;
  data_coding: number;
  udh_octets: number;
}

/** Refusal of a PDU, with the command_status that answers it. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

const MINUTE_MS = 60_000;
/** A schedule no further ahead than this counts as now, because clocks differ. */
const AT_ONCE_MS = 1_000;

/** Answers the message class that priority_flag requests, if the system id may use it; else its default. */
function classOf(priority: number, rules: SystemId): SystemId['default_class'] {
  const wanted = priority >= 2 ? 'otp' : priority === 1 ? 'transactional' : undefined;
  return wanted !== undefined && rules.classes.includes(wanted) ? wanted : rules.default_class;
}

/**
 * Answers whether a text goes directly to the screen: data_coding of class 0 (TS 23.038 §4), or dest_addr_subunit 1.
 */
function isFlash({ data_coding, tlvs }: Submit): boolean {
  const general = data_coding >= 0x10 && data_coding < 0x40 && (data_coding & 0x13) === 0x10;
  return general || (data_coding >= 0xf0 && (data_coding & 0x03) === 0) || tlvs?.dest_addr_subunit === 1;
}

/** Checks and reads everything except recipient and text. Throws a Refusal. */
export function readEnvelope(pdu: Submit, rules: SystemId, now: number): Envelope {
  if ((pdu.esm_class & ESM_CLASS.typeMask) !== 0)
    throw new Refusal(STATUS.RINVESMCLASS, 'a submit carries no receipt or acknowledgement');
  const { schedule_delivery_time = '', validity_period = '', priority_flag = 0 } = 'priority_flag' in pdu ? pdu : {};
  if (priority_flag > 4) throw new Refusal(STATUS.RINVPRTFLG, 'priority_flag is above 4');
  const scheduled = schedule_delivery_time === '' ? undefined : parseTime(schedule_delivery_time, now);
  if (schedule_delivery_time !== '' && scheduled === undefined)
    throw new Refusal(STATUS.RINVSCHED, 'schedule_delivery_time is no time');
  const start = scheduled !== undefined && scheduled > now + AT_ONCE_MS ? scheduled : undefined;
  const until = validUntil(pdu, validity_period, start ?? now);
  if (until !== undefined && until <= (start ?? now))
    throw new Refusal(STATUS.RINVEXPIRY, 'validity_period is over before the message would leave');
  const tlvs = readVendorTlvs(pdu.tlvs);
  return {
    from: pdu.source_addr,
    class: classOf(priority_flag, rules),
    flash: isFlash(pdu),
    send_at: start === undefined ? undefined : new Date(start).toISOString(),
    validity_minutes: until === undefined ? undefined : Math.ceil((until - (start ?? now)) / MINUTE_MS),
    registered_delivery: pdu.registered_delivery,
    ...(tlvs && { tlvs }),
  };
}

/** Reads the validity. A relative period counts from when the message would leave. */
function validUntil(pdu: Submit, period: string, start: number): number | undefined {
  if (period === '') {
    const seconds = pdu.tlvs?.qos_time_to_live;
    return seconds ? start + seconds * 1_000 : undefined;
  }
  const until = parseTime(period, start);
  if (until === undefined) throw new Refusal(STATUS.RINVEXPIRY, 'validity_period is no time');
  return until;
}

/** Answers whether registered_delivery (§5.2.17; 3 is SMPP 5.0's) requests a receipt of this final state. */
export function wantsReceipt(registered: number, delivered: boolean): boolean {
  switch (registered & REGISTERED_DELIVERY.mask) {
    case REGISTERED_DELIVERY.final:
      return true;
    case REGISTERED_DELIVERY.failureOnly:
      return !delivered;
    case 3:
      return delivered;
  }
  return false;
}

/**
 * Reads the content from short_message or else message_payload, and which part of a longer text it is. Throws a
 * Refusal.
 */
export function readContent(pdu: Submit): {
  content: Content;
  part: { kind: ConcatenationKind; part: Concatenation } | undefined;
} {
  const short = 'short_message' in pdu && pdu.short_message.length > 0 ? pdu.short_message : undefined;
  const payload = pdu.tlvs?.message_payload;
  if (short && payload?.length) throw new Refusal(STATUS.RINVMSGLEN, 'both short_message and message_payload');
  const { udh, body } = splitUdh(short ?? payload ?? EMPTY, pdu.esm_class);
  if (!udh && (pdu.esm_class & ESM_CLASS.udhi) !== 0)
    throw new Refusal(STATUS.RINVMSGLEN, 'the user data header is longer than the message');
  if (udh) checkHeader(udh);
  const part = kindAndPartOf(pdu);
  if (!part && body.length === 0) throw new Refusal(STATUS.RINVMSGLEN, 'the message has no text');
  if (udh && part?.kind === 'sar') throw new Refusal(STATUS.RINVESMCLASS, 'both a user data header and sar parameters');
  return { content: { body, data_coding: pdu.data_coding, udh_octets: udh?.length ?? 0 }, part };
}

const EMPTY = Buffer.alloc(0);

/** Lengths of the elements of a user data header that say which part of a text it is (TS 23.040 §9.2.3.24). */
const CONCATENATION: Readonly<Record<number, number>> = { 0: 3, 8: 4 };

/**
 * Refuses a header with any other element: carriers would get the text without it, and the text would mean something
 * else.
 */
function checkHeader(udh: Uint8Array): void {
  for (let at = 1; at < udh.length; at += 2 + udh[at + 1]!) {
    const length = udh[at + 1];
    if (length === undefined || at + 2 + length > udh.length)
      throw new Refusal(STATUS.RINVESMCLASS, 'the user data header is damaged');
    if (CONCATENATION[udh[at]!] !== length)
      throw new Refusal(STATUS.RX_P_APPN, `user data header element ${udh[at]} is not supported`);
  }
}

/**
 * Answers whether data_coding marks the octets as no text: 8-bit data (TS 23.038 §4), or octets unspecified (§5.2.19).
 */
const areOctets = (dataCoding: number): boolean =>
  dataCoding === 2 ||
  dataCoding === 4 ||
  (dataCoding >= 0x10 && dataCoding < 0x40 && (dataCoding & 0x0c) === 0x04) ||
  (dataCoding >= 0xf0 && (dataCoding & 0x04) !== 0);

/** Answers whether data_coding names an unsupported alphabet: JIS, Cyrillic, Hebrew, pictograms, and so on. */
const isForeign = (dataCoding: number): boolean =>
  dataCoding >= 5 && dataCoding !== 8 && dataCoding < 0x10 && dataCoding !== 0x0b && dataCoding !== 0x0c;

/** Decodes octets to text by the rules of the system id. Throws a Refusal if they are no text. */
export function textOf({ body, data_coding, udh_octets }: Content, rules: SystemId): string {
  if (isForeign(data_coding)) throw new Refusal(STATUS.RX_P_APPN, `data_coding ${data_coding} is not supported`);
  if (areOctets(data_coding)) {
    if (rules.octets === 'refuse') throw new Refusal(STATUS.RX_P_APPN, 'octets are not taken as a text');
    return Buffer.from(body).toString(rules.octets);
  }
  if (data_coding === 8 && body.length % 2 === 1) throw new Refusal(STATUS.RINVMSGLEN, 'half a character of UCS-2');
  return decodeShortMessage(body, data_coding, rules.default_charset, udh_octets);
}

/** Joins ordered parts into the whole text. Characters cut in two are joined before decoding. */
export function joinParts(parts: readonly Content[], rules: SystemId): string {
  const [first] = parts;
  const packed = rules.default_charset === 'gsm_packed' && first!.data_coding === 0;
  if (packed || parts.some(({ data_coding }) => data_coding !== first!.data_coding))
    return parts.map((part) => textOf(part, rules)).join('');
  return textOf({ ...first!, body: Buffer.concat(parts.map(({ body }) => body)) }, rules);
}
