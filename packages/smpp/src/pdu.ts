import type { BindCommand } from './commands.ts';
import type { Tlvs } from './tlv.ts';

/** The header's two variable fields (§3.2); the codec handles command_length. */
interface Header {
  /** 1..0x7FFFFFFF; peers up to 0xFFFFFFFF are accepted. */
  sequence: number;
  /** command_status; 0 in requests. */
  status: number;
}

/** bind_transmitter, bind_receiver, bind_transceiver (§4.1). */
export interface Bind extends Header {
  command: BindCommand;
  system_id: string;
  password: string;
  system_type: string;
  interface_version: number;
  addr_ton: number;
  addr_npi: number;
  address_range: string;
}

export interface BindResp extends Header {
  command: `${BindCommand}_resp`;
  system_id: string;
  tlvs: Tlvs | undefined;
}

/** Header-only PDUs (§4.2, §4.3, §4.11). */
export interface Bare extends Header {
  command:
    | 'unbind'
    | 'unbind_resp'
    | 'enquire_link'
    | 'enquire_link_resp'
    | 'generic_nack'
    | 'cancel_sm_resp'
    | 'replace_sm_resp';
}

export interface Outbind extends Header {
  command: 'outbind';
  system_id: string;
  password: string;
}

interface ShortMessage extends Header {
  service_type: string;
  source_addr_ton: number;
  source_addr_npi: number;
  source_addr: string;
  dest_addr_ton: number;
  dest_addr_npi: number;
  destination_addr: string;
  esm_class: number;
  protocol_id: number;
  priority_flag: number;
  schedule_delivery_time: string;
  validity_period: string;
  registered_delivery: number;
  replace_if_present_flag: number;
  data_coding: number;
  sm_default_msg_id: number;
  /**
   * At most 254 octets, UDH included. After decoding it is a view into the received chunk: copy it to keep it for long.
   */
  short_message: Uint8Array;
  tlvs: Tlvs | undefined;
}

/** §4.4.1. */
export interface SubmitSm extends ShortMessage {
  command: 'submit_sm';
}

/** §4.6.1: a mobile-originated message or a receipt. */
export interface DeliverSm extends ShortMessage {
  command: 'deliver_sm';
}

/** submit_sm_resp, deliver_sm_resp, data_sm_resp: message_id is '' if the body is absent (§4.4.2). */
export interface MessageResp extends Header {
  command: 'submit_sm_resp' | 'deliver_sm_resp' | 'data_sm_resp';
  message_id: string;
  tlvs: Tlvs | undefined;
}

export type MultiDestination =
  | { dest_addr_ton: number; dest_addr_npi: number; destination_addr: string }
  | { dl_name: string };

/** §4.5.1: at most 254 destinations. */
export interface SubmitMulti extends Omit<ShortMessage, 'dest_addr_ton' | 'dest_addr_npi' | 'destination_addr'> {
  command: 'submit_multi';
  destinations: MultiDestination[];
}

export interface SubmitMultiResp extends Header {
  command: 'submit_multi_resp';
  message_id: string;
  unsuccess: { dest_addr_ton: number; dest_addr_npi: number; destination_addr: string; error_status_code: number }[];
  tlvs: Tlvs | undefined;
}

/** §4.7.1. */
export interface DataSm extends Header {
  command: 'data_sm';
  service_type: string;
  source_addr_ton: number;
  source_addr_npi: number;
  source_addr: string;
  dest_addr_ton: number;
  dest_addr_npi: number;
  destination_addr: string;
  esm_class: number;
  registered_delivery: number;
  data_coding: number;
  tlvs: Tlvs | undefined;
}

export interface QuerySm extends Header {
  command: 'query_sm';
  message_id: string;
  source_addr_ton: number;
  source_addr_npi: number;
  source_addr: string;
}

export interface QuerySmResp extends Header {
  command: 'query_sm_resp';
  message_id: string;
  final_date: string;
  message_state: number;
  error_code: number;
}

export interface CancelSm extends Header {
  command: 'cancel_sm';
  service_type: string;
  message_id: string;
  source_addr_ton: number;
  source_addr_npi: number;
  source_addr: string;
  dest_addr_ton: number;
  dest_addr_npi: number;
  destination_addr: string;
}

export interface ReplaceSm extends Header {
  command: 'replace_sm';
  message_id: string;
  source_addr_ton: number;
  source_addr_npi: number;
  source_addr: string;
  schedule_delivery_time: string;
  validity_period: string;
  registered_delivery: number;
  sm_default_msg_id: number;
  short_message: Uint8Array;
}

export interface AlertNotification extends Header {
  command: 'alert_notification';
  source_addr_ton: number;
  source_addr_npi: number;
  source_addr: string;
  esme_addr_ton: number;
  esme_addr_npi: number;
  esme_addr: string;
  tlvs: Tlvs | undefined;
}

/** Every PDU of SMPP 3.4, distinguished by `command`. */
export type Pdu =
  | Bind
  | BindResp
  | Bare
  | Outbind
  | SubmitSm
  | DeliverSm
  | MessageResp
  | SubmitMulti
  | SubmitMultiResp
  | DataSm
  | QuerySm
  | QuerySmResp
  | CancelSm
  | ReplaceSm
  | AlertNotification;

type Fields<P> = P extends Pdu ? { command: P['command'] } & Partial<Omit<P, 'command'>> : never;

/** Fields to encode: the command, and any field that is not empty, zero or absent. */
export type PduFields = Fields<Pdu>;

/** Fields of one submit_sm or deliver_sm to send; absent ones are empty or zero. */
export type MessageFields = Partial<Omit<SubmitSm, 'command' | 'sequence' | 'status'>>;

/** Requests that an application sees; the session itself answers enquire_link and unbind. */
export type ApplicationRequest =
  | SubmitSm
  | DeliverSm
  | SubmitMulti
  | DataSm
  | QuerySm
  | CancelSm
  | ReplaceSm
  | AlertNotification
  | Outbind;

export type ResponsePdu = MessageResp | SubmitMultiResp | QuerySmResp | Bare | BindResp;
