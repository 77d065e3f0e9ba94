import { Buffer } from 'node:buffer';
import { ESM_CLASS } from './commands.ts';
import type { Tlvs } from './tlv.ts';

/** Place of a segment in its message. */
export interface Concatenation {
  /** Reference of the message: 0..255, or 0..65,535 with the 16-bit element or SAR parameters. */
  ref: number;
  total: number;
  /** Number of the part, 1..total. */
  number: number;
}

/** Form in which a segment states its place: a UDH with an 8-bit or a 16-bit reference, or sar_* parameters. */
export type ConcatenationKind = 'udh_8' | 'udh_16' | 'sar';

/**
 * Builds a user data header with one concatenation element: 8-bit reference (6 octets) or 16-bit (7 octets), 3GPP TS
 * 23.040 §9.2.3.24.
 */
export function concatenationUdh(part: Concatenation, wide = false): Buffer {
  return wide
    ? Buffer.from([0x06, 0x08, 0x04, part.ref >>> 8, part.ref & 0xff, part.total, part.number])
    : Buffer.from([0x05, 0x00, 0x03, part.ref & 0xff, part.total, part.number]);
}

/** Splits short_message into its UDH and the text after it; a header longer than the message counts as text. */
export function splitUdh(octets: Uint8Array, esmClass: number): { udh: Uint8Array | undefined; body: Uint8Array } {
  const length = octets[0];
  if ((esmClass & ESM_CLASS.udhi) === 0 || length === undefined || length + 1 > octets.length) {
    return { udh: undefined, body: octets };
  }
  return { udh: octets.subarray(0, length + 1), body: octets.subarray(length + 1) };
}

interface Segment {
  esm_class: number;
  short_message?: Uint8Array;
  tlvs?: Tlvs | undefined;
}

/**
 * Reads the concatenation of a segment from its UDH, or else its sar_* parameters; undefined for a message in one part.
 */
export const concatenationOf = (message: Segment): Concatenation | undefined => kindAndPartOf(message)?.part;

/** Reads the concatenation like concatenationOf, with its kind. */
export function kindAndPartOf(message: Segment): { kind: ConcatenationKind; part: Concatenation } | undefined {
  const content = message.short_message?.length ? message.short_message : message.tlvs?.message_payload;
  const udh = content && splitUdh(content, message.esm_class).udh;
  const sar = fromSar(message.tlvs);
  const found = (udh && fromUdh(udh)) ?? (sar && { kind: 'sar' as const, part: sar });
  if (!found) return undefined;
  const { total, number } = found.part;
  return total > 1 && number >= 1 && number <= total ? found : undefined;
}

function fromUdh(udh: Uint8Array): { kind: ConcatenationKind; part: Concatenation } | undefined {
  let at = 1;
  while (at + 1 < udh.length) {
    const element = udh[at]!;
    const length = udh[at + 1]!;
    const data = at + 2;
    at = data + length;
    if (at > udh.length) return undefined;
    if (element === 0x00 && length === 3) {
      return { kind: 'udh_8', part: { ref: udh[data]!, total: udh[data + 1]!, number: udh[data + 2]! } };
    }
    if (element === 0x08 && length === 4) {
      const ref = (udh[data]! << 8) | udh[data + 1]!;
      return { kind: 'udh_16', part: { ref, total: udh[data + 2]!, number: udh[data + 3]! } };
    }
  }
  return undefined;
}

function fromSar(tlvs: Tlvs | undefined): Concatenation | undefined {
  const ref = tlvs?.sar_msg_ref_num;
  const total = tlvs?.sar_total_segments;
  const number = tlvs?.sar_segment_seqnum;
  return ref === undefined || total === undefined || number === undefined ? undefined : { ref, total, number };
}
