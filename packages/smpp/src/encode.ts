import { Buffer } from 'node:buffer';
import { COMMAND_ID, responseCommand } from './commands.ts';
import type { ApplicationRequest, MessageFields, MultiDestination, PduFields, SubmitMultiResp } from './pdu.ts';
import { STATUS } from './status.ts';
import { encodeTlvs } from './tlv.ts';
import { PduError, PduWriter, writeU32 } from './wire.ts';

const NO_OCTETS = Buffer.alloc(0);

/** Octets that hold every mandatory field of the largest fixed PDU, except short_message. */
const FIXED_ROOM = 512;

function begin(w: PduWriter, commandId: number, status: number, sequence: number): number {
  const start = w.length;
  w.ensure(FIXED_ROOM);
  w.length = start + 4;
  w.u32(commandId);
  w.u32(status);
  w.u32(sequence);
  return start;
}

function finish(w: PduWriter, start: number): void {
  writeU32(w.buffer, start, w.length - start);
}

function octet(w: PduWriter, value: number | undefined, status: number, field: string): void {
  const v = value ?? 0;
  if (v !== (v & 0xff)) throw new PduError(status, `${field} is not an octet`);
  w.u8(v);
}

const address = (
  w: PduWriter,
  ton: number | undefined,
  npi: number | undefined,
  value: string | undefined,
  max: number,
  dest: boolean,
): void => {
  octet(w, ton, dest ? STATUS.RINVDSTTON : STATUS.RINVSRCTON, 'ton');
  octet(w, npi, dest ? STATUS.RINVDSTNPI : STATUS.RINVSRCNPI, 'npi');
  w.cstring(
    value ?? '',
    max,
    dest ? STATUS.RINVDSTADR : STATUS.RINVSRCADR,
    dest ? 'destination address' : 'source address',
  );
};

function shortMessage(w: PduWriter, message: Uint8Array | undefined): void {
  const octets = message ?? NO_OCTETS;
  if (octets.length > 254) throw new PduError(STATUS.RINVMSGLEN, 'short_message is longer than 254 octets');
  w.u8(octets.length);
  w.octets(octets);
}

function messageTail(w: PduWriter, f: MessageFields): void {
  octet(w, f.esm_class, STATUS.RINVESMCLASS, 'esm_class');
  octet(w, f.protocol_id, STATUS.RINVPARLEN, 'protocol_id');
  octet(w, f.priority_flag, STATUS.RINVPRTFLG, 'priority_flag');
  w.cstring(f.schedule_delivery_time ?? '', 17, STATUS.RINVSCHED, 'schedule_delivery_time');
  w.cstring(f.validity_period ?? '', 17, STATUS.RINVEXPIRY, 'validity_period');
  octet(w, f.registered_delivery, STATUS.RINVREGDLVFLG, 'registered_delivery');
  octet(w, f.replace_if_present_flag, STATUS.RINVREPFLAG, 'replace_if_present_flag');
  octet(w, f.data_coding, STATUS.RINVPARLEN, 'data_coding');
  octet(w, f.sm_default_msg_id, STATUS.RINVDFTMSGID, 'sm_default_msg_id');
  shortMessage(w, f.short_message);
}

/** Appends one submit_sm or deliver_sm (§4.4.1, §4.6.1); on PduError the writer stays unchanged. */
export function encodeMessage(
  w: PduWriter,
  commandId: number,
  sequence: number,
  f: MessageFields,
  withTlvs = true,
): void {
  const start = begin(w, commandId, 0, sequence);
  try {
    w.cstring(f.service_type ?? '', 6, STATUS.RINVSERTYP, 'service_type');
    address(w, f.source_addr_ton, f.source_addr_npi, f.source_addr, 21, false);
    address(w, f.dest_addr_ton, f.dest_addr_npi, f.destination_addr, 21, true);
    messageTail(w, f);
    if (f.tlvs !== undefined && withTlvs) encodeTlvs(w, f.tlvs);
  } catch (error) {
    w.length = start;
    throw error;
  }
  finish(w, start);
}

/** Appends one submit_sm_resp, deliver_sm_resp or data_sm_resp; the id is left out with an error status (§4.4.2). */
export function encodeMessageResp(
  w: PduWriter,
  commandId: number,
  sequence: number,
  status: number,
  messageId: string,
): void {
  const start = begin(w, commandId, status, sequence);
  if (status === 0) {
    try {
      w.cstring(messageId, 65, STATUS.RINVMSGID, 'message_id');
    } catch (error) {
      w.length = start;
      throw error;
    }
  }
  finish(w, start);
}

/** Appends a PDU that is only a header. */
export function encodeBare(w: PduWriter, commandId: number, sequence: number, status: number): void {
  finish(w, begin(w, commandId, status, sequence));
}

/** Appends the answer to a request. Answers false, and appends nothing, for the two requests without an answer. */
export function encodeAnswer(
  w: PduWriter,
  request: Pick<ApplicationRequest, 'command' | 'sequence'>,
  status: number,
  message_id: string,
): boolean {
  const { command, sequence } = request;
  if (command === 'submit_sm' || command === 'deliver_sm' || command === 'data_sm') {
    encodeMessageResp(w, (COMMAND_ID[command] | 0x80000000) >>> 0, sequence, status, message_id);
  } else if (command === 'submit_multi' && status === 0) {
    encodeInto(w, { command: 'submit_multi_resp', sequence, message_id });
  } else {
    const answer = responseCommand(command);
    if (answer === undefined) return false;
    encodeBare(w, COMMAND_ID[answer], sequence, status);
  }
  return true;
}

/** Appends any PDU; absent fields are empty or zero. Throws PduError and leaves the writer unchanged. */
export function encodeInto(w: PduWriter, pdu: PduFields, withTlvs = true): void {
  if (pdu.command === 'submit_sm' || pdu.command === 'deliver_sm') {
    encodeMessage(w, COMMAND_ID[pdu.command], pdu.sequence ?? 0, pdu, withTlvs);
    return;
  }
  const start = begin(w, COMMAND_ID[pdu.command], pdu.status ?? 0, pdu.sequence ?? 0);
  try {
    encodeBody(w, pdu);
    if (withTlvs && 'tlvs' in pdu && pdu.tlvs !== undefined) encodeTlvs(w, pdu.tlvs);
  } catch (error) {
    w.length = start;
    throw error;
  }
  finish(w, start);
}

/** Encodes one PDU into its own buffer. */
export function encodePdu(pdu: PduFields): Buffer {
  const writer = new PduWriter(1024);
  encodeInto(writer, pdu);
  return writer.view();
}

function encodeBody(w: PduWriter, pdu: PduFields): void {
  switch (pdu.command) {
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      w.cstring(pdu.system_id ?? '', 16, STATUS.RINVSYSID, 'system_id');
      w.cstring(pdu.password ?? '', 65, STATUS.RINVPASWD, 'password');
      w.cstring(pdu.system_type ?? '', 13, STATUS.RINVSYSTYP, 'system_type');
      octet(w, pdu.interface_version ?? 0x34, STATUS.RBINDFAIL, 'interface_version');
      octet(w, pdu.addr_ton, STATUS.RINVSRCTON, 'addr_ton');
      octet(w, pdu.addr_npi, STATUS.RINVSRCNPI, 'addr_npi');
      w.cstring(pdu.address_range ?? '', 41, STATUS.RINVSRCADR, 'address_range');
      return;
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp':
      w.cstring(pdu.system_id ?? '', 16, STATUS.RINVSYSID, 'system_id');
      return;
    case 'outbind':
      w.cstring(pdu.system_id ?? '', 16, STATUS.RINVSYSID, 'system_id');
      w.cstring(pdu.password ?? '', 65, STATUS.RINVPASWD, 'password');
      return;
    case 'submit_multi':
      w.cstring(pdu.service_type ?? '', 6, STATUS.RINVSERTYP, 'service_type');
      address(w, pdu.source_addr_ton, pdu.source_addr_npi, pdu.source_addr, 21, false);
      destinations(w, pdu.destinations ?? []);
      messageTail(w, pdu);
      return;
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
    case 'data_sm_resp':
      if (!pdu.status || pdu.message_id) w.cstring(pdu.message_id ?? '', 65, STATUS.RINVMSGID, 'message_id');
      return;
    case 'submit_multi_resp':
      w.cstring(pdu.message_id ?? '', 65, STATUS.RINVMSGID, 'message_id');
      unsuccess(w, pdu.unsuccess ?? []);
      return;
    case 'data_sm':
      w.cstring(pdu.service_type ?? '', 6, STATUS.RINVSERTYP, 'service_type');
      address(w, pdu.source_addr_ton, pdu.source_addr_npi, pdu.source_addr, 65, false);
      address(w, pdu.dest_addr_ton, pdu.dest_addr_npi, pdu.destination_addr, 65, true);
      octet(w, pdu.esm_class, STATUS.RINVESMCLASS, 'esm_class');
      octet(w, pdu.registered_delivery, STATUS.RINVREGDLVFLG, 'registered_delivery');
      octet(w, pdu.data_coding, STATUS.RINVPARLEN, 'data_coding');
      return;
    case 'query_sm':
      w.cstring(pdu.message_id ?? '', 65, STATUS.RINVMSGID, 'message_id');
      address(w, pdu.source_addr_ton, pdu.source_addr_npi, pdu.source_addr, 21, false);
      return;
    case 'query_sm_resp':
      w.cstring(pdu.message_id ?? '', 65, STATUS.RINVMSGID, 'message_id');
      w.cstring(pdu.final_date ?? '', 17, STATUS.RINVPARLEN, 'final_date');
      octet(w, pdu.message_state, STATUS.RINVPARLEN, 'message_state');
      octet(w, pdu.error_code, STATUS.RINVPARLEN, 'error_code');
      return;
    case 'cancel_sm':
      w.cstring(pdu.service_type ?? '', 6, STATUS.RINVSERTYP, 'service_type');
      w.cstring(pdu.message_id ?? '', 65, STATUS.RINVMSGID, 'message_id');
      address(w, pdu.source_addr_ton, pdu.source_addr_npi, pdu.source_addr, 21, false);
      address(w, pdu.dest_addr_ton, pdu.dest_addr_npi, pdu.destination_addr, 21, true);
      return;
    case 'replace_sm':
      w.cstring(pdu.message_id ?? '', 65, STATUS.RINVMSGID, 'message_id');
      address(w, pdu.source_addr_ton, pdu.source_addr_npi, pdu.source_addr, 21, false);
      w.cstring(pdu.schedule_delivery_time ?? '', 17, STATUS.RINVSCHED, 'schedule_delivery_time');
      w.cstring(pdu.validity_period ?? '', 17, STATUS.RINVEXPIRY, 'validity_period');
      octet(w, pdu.registered_delivery, STATUS.RINVREGDLVFLG, 'registered_delivery');
      octet(w, pdu.sm_default_msg_id, STATUS.RINVDFTMSGID, 'sm_default_msg_id');
      shortMessage(w, pdu.short_message);
      return;
    case 'alert_notification':
      address(w, pdu.source_addr_ton, pdu.source_addr_npi, pdu.source_addr, 65, false);
      address(w, pdu.esme_addr_ton, pdu.esme_addr_npi, pdu.esme_addr, 65, true);
      return;
  }
}

function destinations(w: PduWriter, list: MultiDestination[]): void {
  if (list.length > 254) throw new PduError(STATUS.RINVNUMDESTS, 'more than 254 destinations');
  w.u8(list.length);
  for (const destination of list) {
    w.ensure(FIXED_ROOM + 64);
    if ('dl_name' in destination) {
      w.u8(2);
      w.cstring(destination.dl_name, 21, STATUS.RINVDLNAME, 'dl_name');
    } else {
      w.u8(1);
      address(w, destination.dest_addr_ton, destination.dest_addr_npi, destination.destination_addr, 21, true);
    }
  }
  w.ensure(FIXED_ROOM);
}

function unsuccess(w: PduWriter, list: SubmitMultiResp['unsuccess']): void {
  if (list.length > 255) throw new PduError(STATUS.RINVNUMDESTS, 'more than 255 unsuccessful destinations');
  w.u8(list.length);
  for (const one of list) {
    w.ensure(FIXED_ROOM);
    address(w, one.dest_addr_ton, one.dest_addr_npi, one.destination_addr, 21, true);
    w.u32(one.error_status_code);
  }
}
