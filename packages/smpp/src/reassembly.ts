import { Buffer } from 'node:buffer';
import { decodeGsm, unpackGsm } from './gsm0338.ts';
import type { DataSm, DeliverSm } from './pdu.ts';
import { type Charset, charsetOf, decodeShortMessage, gsmFillBits } from './short-message.ts';
import { type Concatenation, type ConcatenationKind, kindAndPartOf, splitUdh } from './udh.ts';

/** The text of one segment as octets, with the facts needed to decode it. */
export interface SegmentBody {
  /** Octets without the user data header: a view into the received chunk, valid as long as the PDU's own fields. */
  body: Uint8Array;
  data_coding: number;
  /** Octets of the user data header with its length octet; packed text begins after the fill bits. */
  udh_octets: number;
}

/** One mobile-originated segment; `part` and `kind` are undefined for a message in one part. */
export interface MobileOriginatedSegment extends SegmentBody {
  kind: ConcatenationKind | undefined;
  part: Concatenation | undefined;
}

/** Reads the segment in a deliver_sm or data_sm, from short_message or else message_payload. Never throws. */
export function mobileOriginatedSegment(pdu: DeliverSm | DataSm): MobileOriginatedSegment {
  const short = pdu.command === 'deliver_sm' && pdu.short_message.length > 0 ? pdu.short_message : undefined;
  const { udh, body } = splitUdh(short ?? pdu.tlvs?.message_payload ?? EMPTY, pdu.esm_class);
  const found = kindAndPartOf(pdu);
  return { kind: found?.kind, part: found?.part, body, data_coding: pdu.data_coding, udh_octets: udh?.length ?? 0 };
}

const EMPTY = Buffer.alloc(0);

/** A known part with the same link, sender, recipient, kind, reference and total as an incoming part. */
export interface KnownPart {
  number: number;
  body: Uint8Array;
  /** True if its message was passed on, complete or not. */
  handed_on: boolean;
}

/**
 * Compares an incoming part with those that are known under its reference:
 * - duplicate: it came before, and the carrier did not get our answer.
 * - joins: it belongs to the message with waiting parts, or is the first of a new one.
 * - restarts: another text is stored for this part. The phone uses the reference again, and the earlier message stays
 *   incomplete.
 */
export function placeOfPart(part: Pick<KnownPart, 'number' | 'body'>, known: readonly KnownPart[]): PartPlace {
  const same = known.filter(({ number }) => number === part.number);
  if (same.some(({ body }) => Buffer.compare(body, part.body) === 0)) return 'duplicate';
  return same.some(({ handed_on }) => !handed_on) ? 'restarts' : 'joins';
}

export type PartPlace = 'duplicate' | 'joins' | 'restarts';

/** Mark in the text for missing parts. */
const MISSING = '…';

/**
 * Joins the parts of a message, in any order, into its text. Parts missing of `total` are marked once for each gap.
 * Octets are joined before decoding, because phones cut escape and surrogate pairs in two.
 */
export function joinSegments(
  parts: readonly (SegmentBody & { number: number })[],
  total: number,
  charset: Charset,
): string {
  const sorted = parts.toSorted((a, b) => a.number - b.number);
  let text = '';
  let next = 1;
  for (let i = 0; i < sorted.length; ) {
    const { number, data_coding } = sorted[i]!;
    if (number > next) text += MISSING;
    let end = i + 1;
    while (sorted[end]?.number === sorted[end - 1]!.number + 1 && sorted[end]?.data_coding === data_coding) end++;
    text += readTogether(sorted.slice(i, end), data_coding, charset);
    next = sorted[end - 1]!.number + 1;
    i = end;
  }
  return next <= total ? text + MISSING : text;
}

function readTogether(parts: readonly SegmentBody[], dataCoding: number, charset: Charset): string {
  if (charsetOf(dataCoding, charset) === 'gsm_packed') {
    return decodeGsm(Buffer.concat(parts.map(({ body, udh_octets }) => unpackGsm(body, gsmFillBits(udh_octets)))));
  }
  return decodeShortMessage(Buffer.concat(parts.map(({ body }) => body)), dataCoding, charset);
}
