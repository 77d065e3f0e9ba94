import type { Buffer } from 'node:buffer';
import { STATUS } from './status.ts';
import { latin1, PduError, type PduWriter, readU32 } from './wire.ts';

type TlvKind = 'u8' | 'u16' | 'u32' | 'cstring' | 'octets' | 'flag';

/** Tag and shape of every optional parameter of SMPP 3.4 (§5.3.2). */
const KNOWN = {
  dest_addr_subunit: [0x0005, 'u8'],
  dest_network_type: [0x0006, 'u8'],
  dest_bearer_type: [0x0007, 'u8'],
  dest_telematics_id: [0x0008, 'u16'],
  source_addr_subunit: [0x000d, 'u8'],
  source_network_type: [0x000e, 'u8'],
  source_bearer_type: [0x000f, 'u8'],
  source_telematics_id: [0x0010, 'u8'],
  qos_time_to_live: [0x0017, 'u32'],
  payload_type: [0x0019, 'u8'],
  additional_status_info_text: [0x001d, 'cstring'],
  receipted_message_id: [0x001e, 'cstring'],
  ms_msg_wait_facilities: [0x0030, 'u8'],
  privacy_indicator: [0x0201, 'u8'],
  source_subaddress: [0x0202, 'octets'],
  dest_subaddress: [0x0203, 'octets'],
  user_message_reference: [0x0204, 'u16'],
  user_response_code: [0x0205, 'u8'],
  source_port: [0x020a, 'u16'],
  destination_port: [0x020b, 'u16'],
  sar_msg_ref_num: [0x020c, 'u16'],
  language_indicator: [0x020d, 'u8'],
  sar_total_segments: [0x020e, 'u8'],
  sar_segment_seqnum: [0x020f, 'u8'],
  sc_interface_version: [0x0210, 'u8'],
  callback_num_pres_ind: [0x0302, 'u8'],
  callback_num_atag: [0x0303, 'octets'],
  number_of_messages: [0x0304, 'u8'],
  callback_num: [0x0381, 'octets'],
  dpf_result: [0x0420, 'u8'],
  set_dpf: [0x0421, 'u8'],
  ms_availability_status: [0x0422, 'u8'],
  network_error_code: [0x0423, 'octets'],
  message_payload: [0x0424, 'octets'],
  delivery_failure_reason: [0x0425, 'u8'],
  more_messages_to_send: [0x0426, 'u8'],
  message_state: [0x0427, 'u8'],
  ussd_service_op: [0x0501, 'octets'],
  display_time: [0x1201, 'u8'],
  sms_signal: [0x1203, 'u16'],
  ms_validity: [0x1204, 'u8'],
  alert_on_message_delivery: [0x130c, 'flag'],
  its_reply_type: [0x1380, 'u8'],
  its_session_info: [0x1383, 'octets'],
} as const satisfies Record<string, readonly [number, TlvKind]>;

type Known = typeof KNOWN;
type ValueOf<K extends TlvKind> = K extends 'cstring'
  ? string
  : K extends 'octets'
    ? Uint8Array
    : K extends 'flag'
      ? true
      : number;

/** A TLV that SMPP 3.4 does not name, or with a length that does not fit its type; kept unchanged. */
export interface RawTlv {
  tag: number;
  value: Uint8Array;
}

/** Optional parameters by their names in SMPP 3.4 §5.3.2. */
export type Tlvs = { [N in keyof Known]?: ValueOf<Known[N][1]> } & { unknown?: RawTlv[] };

interface Entry {
  name: keyof Known;
  tag: number;
  kind: TlvKind;
}

const ENTRIES: Entry[] = Object.entries(KNOWN).map(([name, [tag, kind]]) => ({ name: name as keyof Known, tag, kind }));
const BY_TAG = new Map<number, Entry>(ENTRIES.map((entry) => [entry.tag, entry]));
const BY_NAME = new Map<string, Entry>(ENTRIES.map((entry) => [entry.name, entry]));
const WIDTH: Partial<Record<TlvKind, number>> = { u8: 1, u16: 2, u32: 4, flag: 0 };

/**
 * Reads optional parameters from `at` to the PDU's end; undefined if there are none. A parameter beyond the PDU's end
 * is dropped and the others are kept; if `isStrict`, it throws PduError.
 */
export function decodeTlvs(b: Buffer, at: number, end: number, isStrict = false): Tlvs | undefined {
  if (at + 4 > end) return undefined;
  const tlvs: Record<string, unknown> & { unknown?: RawTlv[] } = {};
  while (at + 4 <= end) {
    const tag = (b[at]! << 8) | b[at + 1]!;
    const length = (b[at + 2]! << 8) | b[at + 3]!;
    const start = at + 4;
    at = start + length;
    if (at > end) {
      if (isStrict) throw new PduError(STATUS.RINVOPTPARSTREAM, 'a parameter is longer than the PDU');
      break;
    }
    const entry = BY_TAG.get(tag);
    const value = entry && decodeValue(entry.kind, b, start, length);
    if (value !== undefined) {
      tlvs[entry!.name] = value;
      continue;
    }
    tlvs.unknown ??= [];
    tlvs.unknown.push({ tag, value: b.subarray(start, at) });
  }
  return tlvs as Tlvs;
}

function decodeValue(
  kind: TlvKind,
  b: Buffer,
  at: number,
  length: number,
): number | string | true | Uint8Array | undefined {
  switch (kind) {
    case 'octets':
      return b.subarray(at, at + length);
    case 'cstring': {
      let end = at;
      while (end < at + length && b[end] !== 0) end++;
      return latin1(b, at, end);
    }
    case 'u8':
      return length === 1 ? b[at]! : undefined;
    case 'u16':
      return length === 2 ? (b[at]! << 8) | b[at + 1]! : undefined;
    case 'u32':
      return length === 4 ? readU32(b, at) : undefined;
    case 'flag':
      return length === 0 ? true : undefined;
  }
}

/** Writes optional parameters; throws PduError for a value its tag cannot hold. */
export function encodeTlvs(w: PduWriter, tlvs: Tlvs): void {
  for (const name in tlvs) {
    const value = tlvs[name as keyof Tlvs];
    if (value === undefined) continue;
    if (name === 'unknown') {
      for (const raw of value as RawTlv[]) writeOctets(w, raw.tag, raw.value, name);
      continue;
    }
    const entry = BY_NAME.get(name);
    if (entry === undefined) throw new PduError(STATUS.RINVOPTPARSTREAM, `${name} is no parameter of SMPP 3.4`);
    if (entry.kind === 'octets') writeOctets(w, entry.tag, value as Uint8Array, name);
    else if (entry.kind === 'cstring') writeText(w, entry.tag, value as string, name);
    else writeNumber(w, entry, value === true ? 0 : (value as number));
  }
}

function writeNumber(w: PduWriter, entry: Entry, value: number): void {
  const width = WIDTH[entry.kind]!;
  if (!Number.isInteger(value) || value < 0 || value >= 256 ** width) {
    throw new PduError(STATUS.RINVOPTPARAMVAL, `${entry.name} does not fit ${width} octets`);
  }
  w.ensure(8);
  w.u16(entry.tag);
  w.u16(width);
  if (width === 1) w.u8(value);
  else if (width === 2) w.u16(value);
  else if (width === 4) w.u32(value);
}

function writeOctets(w: PduWriter, tag: number, value: Uint8Array, name: string): void {
  if (value.length > 0xffff) throw new PduError(STATUS.RINVPARLEN, `${name} is longer than 65,535 octets`);
  w.ensure(4 + value.length);
  w.u16(tag);
  w.u16(value.length);
  w.octets(value);
}

function writeText(w: PduWriter, tag: number, value: string, name: string): void {
  if (value.length > 0xfffe) throw new PduError(STATUS.RINVPARLEN, `${name} is longer than 65,534 octets`);
  w.ensure(5 + value.length);
  w.u16(tag);
  w.u16(value.length + 1);
  w.cstring(value, 0xffff, STATUS.RINVOPTPARAMVAL, name);
}
