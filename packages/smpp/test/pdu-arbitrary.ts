import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import type { BindCommand, Pdu, Tlvs } from '../src/index.ts';

const octet = fc.integer({ min: 0, max: 255 });
const latin = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
const text = (max: number) => fc.string({ unit: latin, maxLength: max });
const octets = (max: number) => fc.uint8Array({ maxLength: max }).map((bytes) => Buffer.from(bytes));
const header = { sequence: fc.integer({ min: 1, max: 0xffffffff }), status: fc.constant(0) };

const tlvs: fc.Arbitrary<Tlvs | undefined> = fc.option(
  fc
    .record(
      {
        receipted_message_id: text(64),
        message_state: octet,
        network_error_code: octets(3),
        message_payload: octets(400),
        sar_msg_ref_num: fc.integer({ min: 0, max: 0xffff }),
        qos_time_to_live: fc.integer({ min: 0, max: 0xffffffff }),
        alert_on_message_delivery: fc.constant(true as const),
        unknown: fc.array(fc.record({ tag: fc.integer({ min: 0x1400, max: 0x3fff }), value: octets(20) }), {
          minLength: 1,
          maxLength: 3,
        }),
      },
      { requiredKeys: [] },
    )
    .filter((record) => Object.keys(record).length > 0) as fc.Arbitrary<Tlvs>,
  { nil: undefined },
);

const source = (max: number) => ({ source_addr_ton: octet, source_addr_npi: octet, source_addr: text(max) });
const destination = (max: number) => ({ dest_addr_ton: octet, dest_addr_npi: octet, destination_addr: text(max) });
const tail = {
  esm_class: octet,
  protocol_id: octet,
  priority_flag: octet,
  schedule_delivery_time: text(16),
  validity_period: text(16),
  registered_delivery: octet,
  replace_if_present_flag: octet,
  data_coding: octet,
  sm_default_msg_id: octet,
  short_message: octets(254),
  tlvs,
};
const is = <const C extends string>(...commands: C[]) => ({ command: fc.constantFrom(...commands) });
const BINDS = ['bind_transmitter', 'bind_receiver', 'bind_transceiver'] as const satisfies BindCommand[];
const to = fc.oneof(fc.record(destination(20)), fc.record({ dl_name: text(20) }));

/** Any valid PDU of SMPP 3.4. */
export const anyPdu = fc.oneof(
  fc.record({
    ...header,
    ...is(...BINDS),
    system_id: text(15),
    password: text(8),
    system_type: text(12),
    interface_version: octet,
    addr_ton: octet,
    addr_npi: octet,
    address_range: text(40),
  }),
  fc.record({
    ...header,
    ...is('bind_transmitter_resp', 'bind_receiver_resp', 'bind_transceiver_resp'),
    system_id: text(15),
    tlvs,
  }),
  fc.record({
    ...header,
    ...is(
      'unbind',
      'unbind_resp',
      'enquire_link',
      'enquire_link_resp',
      'generic_nack',
      'cancel_sm_resp',
      'replace_sm_resp',
    ),
  }),
  fc.record({ ...header, ...is('outbind'), system_id: text(15), password: text(8) }),
  fc.record({
    ...header,
    ...is('submit_sm', 'deliver_sm'),
    service_type: text(5),
    ...source(20),
    ...destination(20),
    ...tail,
  }),
  fc.record({ ...header, ...is('submit_sm_resp', 'deliver_sm_resp', 'data_sm_resp'), message_id: text(64), tlvs }),
  fc.record({
    ...header,
    ...is('submit_multi'),
    service_type: text(5),
    ...source(20),
    destinations: fc.array(to, { minLength: 1, maxLength: 254 }),
    ...tail,
  }),
  fc.record({
    ...header,
    ...is('submit_multi_resp'),
    message_id: text(64),
    unsuccess: fc.array(fc.record({ ...destination(20), error_status_code: octet }), { maxLength: 20 }),
    tlvs,
  }),
  fc.record({
    ...header,
    ...is('data_sm'),
    service_type: text(5),
    ...source(64),
    ...destination(64),
    esm_class: octet,
    registered_delivery: octet,
    data_coding: octet,
    tlvs,
  }),
  fc.record({ ...header, ...is('query_sm'), message_id: text(64), ...source(20) }),
  fc.record({
    ...header,
    ...is('query_sm_resp'),
    message_id: text(64),
    final_date: text(16),
    message_state: octet,
    error_code: octet,
  }),
  fc.record({
    ...header,
    ...is('cancel_sm'),
    service_type: text(5),
    message_id: text(64),
    ...source(20),
    ...destination(20),
  }),
  fc.record({
    ...header,
    ...is('replace_sm'),
    message_id: text(64),
    ...source(20),
    schedule_delivery_time: text(16),
    validity_period: text(16),
    registered_delivery: octet,
    sm_default_msg_id: octet,
    short_message: octets(254),
  }),
  fc.record({
    ...header,
    ...is('alert_notification'),
    ...source(64),
    esme_addr_ton: octet,
    esme_addr_npi: octet,
    esme_addr: text(64),
    tlvs,
  }),
) as fc.Arbitrary<Pdu>;
