import { Buffer } from 'node:buffer';
import { decodeGsm, unpackGsm } from './gsm0338.ts';
import type { DataSm, DeliverSm } from './pdu.ts';
import { type Charset, charsetOf, decodeShortMessage, gsmFillBits } from './short-message.ts';
import { type Concatenation, type ConcatenationKind, kindAndPartOf, splitUdh } from './udh.ts';

/** The text of one segment as octets, and how to read them. */
export interface SegmentBody {
  /** Without the user data header. A view into the received chunk, as long as the PDU's own fields are. */
  body: Uint8Array;
  data_coding: number;
  /** Octets of the user data header, its length octet included; packed text begins after their fill bits. */
  udh_octets: number;
}

/** One mobile-originated segment; `part` and `kind` are undefined for a message in one part. */
export interface MobileOriginatedSegment extends SegmentBody {
  kind: ConcatenationKind | undefined;
  part: Concatenation | undefined;
}

/** The segment in a deliver_sm or data_sm, from short_message or else message_payload. Never throws. */
export function mobileOriginatedSegment(pdu: DeliverSm | DataSm): MobileOriginatedSegment {
  const short = pdu.command === 'deliver_sm' && pdu.short_message.length > 0 ? pdu.short_message : undefined;
  const { udh, body } = splitUdh(short ?? pdu.tlvs?.message_payload ?? EMPTY, pdu.esm_class);
  const found = kindAndPartOf(pdu);
  return { kind: found?.kind, part: found?.part, body, data_coding: pdu.data_coding, udh_octets: udh?.length ?? 0 };
}

const EMPTY = Buffer.alloc(0);

/** A part of the same link, sender, recipient, kind, reference and total as one that comes in. */
export interface KnownPart {
  number: number;
  body: Uint8Array;
  /** Its message was handed on, whole or not. */
  handed_on: boolean;
}

/**
 * What an incoming part is to those that are known under its reference:
 * - duplicate: it came before, and the carrier did not hear our answer.
 * - joins: it belongs to the message whose parts are waiting, or is the first of a new one.
 * - restarts: another text stands in its place, so the phone uses the reference again and what waits stays incomplete.
 */
export function placeOfPart(part: Pick<KnownPart, 'number' | 'body'>, known: readonly KnownPart[]): PartPlace {
  const same = known.filter(({ number }) => number === part.number);
  if (same.some(({ body }) => Buffer.compare(body, part.body) === 0)) return 'duplicate';
  return same.some(({ handed_on }) => !handed_on) ? 'restarts' : 'joins';
}

export type PartPlace = 'duplicate' | 'joins' | 'restarts';

/** What stands for parts that never came. */
const MISSING = '…';

/**
 * The text of a message from its parts in any order; parts that are missing of `total` are marked once for each gap.
 * Octets are put together before they are read, since phones cut escape and surrogate pairs in two.
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
