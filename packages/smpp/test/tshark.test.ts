import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { COMMAND_ID, decodePdu, encodePdu, type Pdu, parseTime, type Tlvs } from '../src/index.ts';
import { PduDrawing } from './pdu-drawing.ts';
import { readByTshark, tsharkMissing } from './tshark.ts';

// Two decoders without a shared line of code read the same octets: ours, and Wireshark's.

const COUNT = 20_000;
const seed = seedOf('FAULT_SEED');
type Values = Record<string, (string | number)[]>;

const hex = (octets: Uint8Array | undefined): string[] =>
  octets && octets.length > 0 ? [Buffer.from(octets).toString('hex')] : [];
const number = (value: number | undefined): number[] => (value === undefined ? [] : [value]);
const text = (value: string | undefined): string[] => (value ? [value] : []);

/** Answers a time as tshark shows it: seconds for a relative one, an instant for an absolute one. */
function time(name: string, value: string | undefined): Values {
  if (!value) return { [name]: [], [`${name}_r`]: [] };
  const milliseconds = parseTime(value, 0) ?? Number.NaN;
  return value.endsWith('R')
    ? { [name]: [], [`${name}_r`]: [milliseconds / 1_000] }
    : { [name]: [milliseconds], [`${name}_r`]: [] };
}

/** Parts of a PDU by name, absent ones undefined; decoding has filled every field of the command. */
type Fields = Partial<
  Record<
    | 'system_id'
    | 'password'
    | 'system_type'
    | 'address_range'
    | 'service_type'
    | 'source_addr'
    | 'destination_addr'
    | 'message_id'
    | 'esme_addr'
    | 'schedule_delivery_time'
    | 'validity_period'
    | 'final_date',
    string
  > &
    Record<
      | 'interface_version'
      | 'addr_ton'
      | 'addr_npi'
      | 'source_addr_ton'
      | 'source_addr_npi'
      | 'dest_addr_ton'
      | 'dest_addr_npi'
      | 'esme_addr_ton'
      | 'esme_addr_npi'
      | 'protocol_id'
      | 'priority_flag'
      | 'replace_if_present_flag'
      | 'data_coding'
      | 'sm_default_msg_id'
      | 'message_state'
      | 'error_code'
      | 'esm_class'
      | 'registered_delivery',
      number
    > & {
      short_message: Uint8Array;
      tlvs: Tlvs;
      destinations: { destination_addr?: string; dl_name?: string; dest_addr_ton?: number; dest_addr_npi?: number }[];
    }
>;

/** Answers the values that we read, under tshark's names. */
function read(pdu: Pdu, length: number): Values {
  const f = pdu as unknown as Fields;
  const { tlvs = {}, esm_class: esm, registered_delivery: delivery } = f;
  const several = f.destinations ?? [];
  const answer = pdu.command === 'generic_nack' || pdu.command.endsWith('_resp');
  const error = tlvs.network_error_code;
  const own: Values = {
    command_length: [length],
    command_id: [COMMAND_ID[pdu.command]],
    command_status: answer ? [pdu.status] : [],
    sequence_number: [pdu.sequence],
    system_id: text(f.system_id),
    password: text(f.password),
    system_type: text(f.system_type),
    interface_version: number(f.interface_version),
    addr_ton: number(f.addr_ton),
    addr_npi: number(f.addr_npi),
    address_range: text(f.address_range),
    service_type: f.service_type === '' ? ['(Default)'] : text(f.service_type),
    source_addr_ton: number(f.source_addr_ton),
    source_addr_npi: number(f.source_addr_npi),
    source_addr: text(f.source_addr),
    dest_addr_ton: f.destinations ? several.flatMap((d) => number(d.dest_addr_ton)) : number(f.dest_addr_ton),
    dest_addr_npi: f.destinations ? several.flatMap((d) => number(d.dest_addr_npi)) : number(f.dest_addr_npi),
    destination_addr: f.destinations ? several.flatMap((d) => text(d.destination_addr)) : text(f.destination_addr),
    dl_name: several.flatMap((d) => text(d.dl_name)),
    esme_addr_ton: number(f.esme_addr_ton),
    esme_addr_npi: number(f.esme_addr_npi),
    esme_addr: text(f.esme_addr),
    'esm.submit.msg_mode': esm === undefined ? [] : [esm & 0x03],
    'esm.submit.msg_type': esm === undefined ? [] : [(esm >> 2) & 0x0f],
    'esm.submit.features': esm === undefined ? [] : [esm >> 6],
    'regdel.receipt': delivery === undefined ? [] : [delivery & 0x03],
    'regdel.acks': delivery === undefined ? [] : [(delivery >> 2) & 0x03],
    'regdel.notif': delivery === undefined ? [] : [(delivery >> 4) & 0x01],
    protocol_id: number(f.protocol_id),
    priority_flag: number(f.priority_flag),
    ...time('schedule_delivery_time', f.schedule_delivery_time),
    ...time('validity_period', f.validity_period),
    ...time('final_date', f.final_date),
    replace_if_present_flag: number(f.replace_if_present_flag),
    data_coding: number(f.data_coding),
    sm_default_msg_id: number(f.sm_default_msg_id),
    sm_length: f.short_message === undefined ? [] : [f.short_message.length],
    message: hex(f.short_message),
    message_id: text(f.message_id),
    message_state: [...number(f.message_state), ...number(tlvs.message_state)],
    error_code: number(f.error_code),
    receipted_message_id: text(tlvs.receipted_message_id),
    'network_error.type': error ? [error[0]!] : [],
    'network_error.code': error ? [error[1]! * 256 + error[2]!] : [],
    user_message_reference: number(tlvs.user_message_reference),
    sar_msg_ref_num: number(tlvs.sar_msg_ref_num),
    sar_total_segments: number(tlvs.sar_total_segments),
    sar_segment_seqnum: number(tlvs.sar_segment_seqnum),
    source_port: number(tlvs.source_port),
    destination_port: number(tlvs.destination_port),
    qos_time_to_live: number(tlvs.qos_time_to_live),
    message_payload: hex(tlvs.message_payload),
  };
  return own;
}

/** Converts tshark's values to numbers if ours are numbers. */
function converted(field: string, values: readonly string[], like: readonly (string | number)[]): (string | number)[] {
  const kept = values.filter((value) => value !== '');
  if (/^(schedule_delivery_time|validity_period|final_date)$/.test(field)) {
    return kept.map((value) => Date.parse(value.replace(/\.\d+/, '')));
  }
  return typeof like[0] === 'number' ? kept.map(Number) : kept;
}

test(`Wireshark reads the same fields in ${COUNT} PDUs (FAULT_SEED=${seed})`, async (t) => {
  const missing = tsharkMissing();
  if (missing && !process.env.CI) return t.skip(missing);
  assert.equal(missing, undefined);
  const drawing = new PduDrawing(seededRandom(seed));
  const encoded = Array.from({ length: COUNT }, () => encodePdu(drawing.pdu()));
  const ours = encoded.map((bytes) => read(decodePdu(bytes), bytes.length));
  const fields = Object.keys(ours[0]!);
  const theirs = await readByTshark(encoded, [
    ...fields.map((field) => `smpp.${field}`),
    '_ws.malformed',
    'smpp.opt_param_tag',
  ]);
  assert.equal(theirs.length, COUNT);
  const differences: string[] = [];
  ours.forEach((values, i) => {
    const seen = theirs[i]!;
    if (seen.get('_ws.malformed')!.length > 0) differences.push(`malformed: ${encoded[i]!.toString('hex')}`);
    for (const field of fields) {
      // tshark shows an absent time as no time at all, or as a wait of zero.
      const shown = (value: string | number) => !field.endsWith('_r') || Number(value) !== 0;
      const mine = values[field]!.filter(shown);
      const other = converted(field, seen.get(`smpp.${field}`)!.filter(shown), mine);
      if (JSON.stringify(mine) !== JSON.stringify(other)) {
        differences.push(
          `${field}: we read ${JSON.stringify(mine)}, tshark ${JSON.stringify(other)} in ${encoded[i]!.toString('hex')}`,
        );
      }
    }
  });
  assert.deepEqual(differences.slice(0, 10), [], `${differences.length} differences`);
});
