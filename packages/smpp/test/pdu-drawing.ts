import { Buffer } from 'node:buffer';
import type { Random } from '@heliograph/fault-kit';
import {
  COMMAND_ID,
  formatAbsoluteTime,
  formatRelativeTime,
  type Pdu,
  type PduFields,
  type Tlvs,
} from '../src/index.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-_.'];

/** Draws PDUs of every command with fields anywhere in their range. */
export class PduDrawing {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  #text(most: number): string {
    return Array.from({ length: this.#random.below(most + 1) }, () => this.#random.pick(LETTERS)).join('');
  }

  #octet(): number {
    return this.#random.below(256);
  }

  #octets(most: number): Buffer {
    return Buffer.from(Array.from({ length: this.#random.below(most + 1) }, () => this.#octet()));
  }

  #time(): string {
    const kind = this.#random.below(3);
    if (kind === 0) return '';
    // Before 2038, because tshark 4.0 counts in 32 bits.
    if (kind === 1) return formatRelativeTime(this.#random.below(28 * 86_400));
    return formatAbsoluteTime((1_600_000_000 + this.#random.below(500_000_000)) * 1_000);
  }

  #tlvs(esm_class = 0): Tlvs | undefined {
    const r = this.#random;
    const all: Tlvs = {
      receipted_message_id: `${this.#text(62)}x`,
      message_state: r.below(10),
      network_error_code: Buffer.from([r.below(9), this.#octet(), this.#octet()]),
      user_message_reference: r.below(65_536),
      sar_msg_ref_num: r.below(65_536),
      sar_total_segments: this.#octet(),
      sar_segment_seqnum: this.#octet(),
      source_port: r.below(65_536),
      destination_port: r.below(65_536),
      qos_time_to_live: r.below(0xffff_ffff),
      message_payload: Buffer.concat([this.#octets(300), Buffer.from('p')]),
      unknown: [{ tag: 0x1400 + r.below(0x2bff), value: this.#octets(20) }],
    };
    // Only one content for each message: tshark would look for the UDH in the payload.
    const kept = Object.entries(all).filter(
      ([name]) => r.chance(0.3) && (name !== 'message_payload' || (esm_class & 0x40) === 0),
    );
    return kept.length > 0 && r.chance(0.6) ? (Object.fromEntries(kept) as Tlvs) : undefined;
  }

  #source(most = 20) {
    return { source_addr_ton: this.#octet(), source_addr_npi: this.#octet(), source_addr: this.#text(most) };
  }

  #destination(most = 20) {
    return { dest_addr_ton: this.#octet(), dest_addr_npi: this.#octet(), destination_addr: this.#text(most) };
  }

  /** Draws octets that begin with a UDH if esm_class says so: tshark reads it. */
  #content(esm_class: number): Buffer {
    if ((esm_class & 0x40) === 0) return this.#octets(254);
    const part = [this.#octet(), 3, 1 + this.#random.below(3)];
    return Buffer.concat([Buffer.from([5, 0, 3, ...part]), this.#octets(240)]);
  }

  #message() {
    const esm_class = this.#octet();
    return {
      service_type: this.#text(5),
      esm_class,
      protocol_id: this.#octet(),
      priority_flag: this.#octet(),
      schedule_delivery_time: this.#time(),
      validity_period: this.#time(),
      registered_delivery: this.#octet() & 0x1f,
      replace_if_present_flag: this.#random.below(2),
      data_coding: this.#octet(),
      sm_default_msg_id: this.#octet(),
      short_message: this.#content(esm_class),
      tlvs: this.#tlvs(esm_class),
    };
  }

  pdu(): PduFields {
    const r = this.#random;
    const sequence = 1 + r.below(0x7fff_ffff);
    const command = r.pick(Object.keys(COMMAND_ID) as Pdu['command'][]);
    const status = command === 'generic_nack' || command.endsWith('_resp') ? r.below(0x100) : 0;
    const header = { sequence, status };
    switch (command) {
      case 'bind_receiver':
      case 'bind_transmitter':
      case 'bind_transceiver':
        return {
          command,
          ...header,
          system_id: this.#text(15),
          password: this.#text(8),
          system_type: this.#text(12),
          interface_version: this.#octet(),
          addr_ton: this.#octet(),
          addr_npi: this.#octet(),
          address_range: this.#text(40),
        };
      case 'bind_receiver_resp':
      case 'bind_transmitter_resp':
      case 'bind_transceiver_resp':
        return { command, ...header, status: 0, system_id: this.#text(15), tlvs: undefined };
      case 'outbind':
        return { command, ...header, system_id: this.#text(15), password: this.#text(8) };
      case 'submit_sm':
      case 'deliver_sm':
        return { command, ...header, ...this.#source(), ...this.#destination(), ...this.#message() };
      case 'submit_sm_resp':
      case 'deliver_sm_resp':
      case 'data_sm_resp':
        return { command, ...header, status: 0, message_id: `${this.#text(63)}i` };
      case 'submit_multi': {
        const destinations = Array.from({ length: 1 + r.below(30) }, () =>
          r.chance(0.3)
            ? { dl_name: `${this.#text(19)}l` }
            : { ...this.#destination(19), destination_addr: `${this.#text(19)}d` },
        );
        return { command, ...header, ...this.#source(), destinations, ...this.#message() };
      }
      case 'submit_multi_resp':
        return { command, ...header, status: 0, message_id: `${this.#text(63)}i`, unsuccess: [] };
      case 'data_sm':
        return {
          command,
          ...header,
          service_type: this.#text(5),
          ...this.#source(64),
          ...this.#destination(64),
          esm_class: this.#octet() & 0xbf,
          registered_delivery: this.#octet() & 0x1f,
          data_coding: this.#octet(),
          tlvs: this.#tlvs(),
        };
      case 'query_sm':
        return { command, ...header, message_id: this.#text(64), ...this.#source() };
      case 'query_sm_resp':
        return {
          command,
          ...header,
          status: 0,
          message_id: this.#text(64),
          final_date: this.#time(),
          message_state: this.#octet(),
          error_code: this.#octet(),
        };
      case 'cancel_sm':
        return {
          command,
          ...header,
          service_type: this.#text(5),
          message_id: this.#text(64),
          ...this.#source(),
          ...this.#destination(),
        };
      case 'replace_sm': {
        const { schedule_delivery_time, validity_period, registered_delivery, sm_default_msg_id, short_message } =
          this.#message();
        const times = { schedule_delivery_time, validity_period };
        return {
          command,
          ...header,
          message_id: this.#text(64),
          ...this.#source(),
          ...times,
          registered_delivery,
          sm_default_msg_id,
          short_message,
        };
      }
      case 'alert_notification':
        return {
          command,
          ...header,
          ...this.#source(64),
          esme_addr_ton: this.#octet(),
          esme_addr_npi: this.#octet(),
          esme_addr: this.#text(64),
        };
      default:
        return { command, ...header };
    }
  }
}
