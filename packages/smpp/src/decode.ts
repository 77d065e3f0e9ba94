import type { Buffer } from 'node:buffer';
import { type BindCommand, COMMAND_ID, type Command, commandName } from './commands.ts';
import type { Bare, DeliverSm, MessageResp, MultiDestination, Pdu, SubmitMultiResp, SubmitSm } from './pdu.ts';
import { STATUS } from './status.ts';
import { decodeTlvs } from './tlv.ts';
import { PduError, PduReader, readU32 } from './wire.ts';

/** Limits of command_length: only a header, and the largest message_payload with room for everything else. */
export const MIN_PDU = 16;
export const MAX_PDU = 65_600;

/** Reader shared by all decoding, which is synchronous and never re-entered. */
const r = new PduReader();

/** Decodes the PDU that fills the buffer exactly. Throws PduError with the command_status that answers the fault. */
export function decodePdu(buffer: Buffer): Pdu {
  if (buffer.length < MIN_PDU || readU32(buffer, 0) !== buffer.length) {
    throw new PduError(STATUS.RINVCMDLEN, 'command_length differs from the buffer');
  }
  return decodeAt(buffer, 0, buffer.length);
}

/**
 * Decodes the PDU of `length` octets at `at`; octet fields are views into the buffer. Requests are checked field by
 * field and throw PduError. Responses are read as far as possible, because an answer must not be lost over its form.
 */
export function decodeAt(buffer: Buffer, at: number, length: number): Pdu {
  const commandId = readU32(buffer, at + 4);
  const status = readU32(buffer, at + 8);
  const sequence = readU32(buffer, at + 12);
  r.over(buffer, at + 16, at + length);
  switch (commandId) {
    case COMMAND_ID.submit_sm:
      return message('submit_sm', status, sequence) as SubmitSm;
    case COMMAND_ID.deliver_sm:
      return message('deliver_sm', status, sequence) as DeliverSm;
    case COMMAND_ID.submit_sm_resp:
      return messageResp('submit_sm_resp', status, sequence);
    case COMMAND_ID.deliver_sm_resp:
      return messageResp('deliver_sm_resp', status, sequence);
    case COMMAND_ID.data_sm_resp:
      return messageResp('data_sm_resp', status, sequence);
    default: {
      const command = commandName(commandId);
      if (command === undefined) throw new PduError(STATUS.RINVCMDID, `command 0x${commandId.toString(16)} is unknown`);
      return lessUsual(command, status, sequence);
    }
  }
}

function message(command: 'submit_sm' | 'deliver_sm', status: number, sequence: number): SubmitSm | DeliverSm {
  const service_type = r.cstring(6, STATUS.RINVSERTYP, 'service_type');
  const source_addr_ton = r.u8();
  const source_addr_npi = r.u8();
  const source_addr = r.cstring(21, STATUS.RINVSRCADR, 'source_addr');
  const dest_addr_ton = r.u8();
  const dest_addr_npi = r.u8();
  const destination_addr = r.cstring(21, STATUS.RINVDSTADR, 'destination_addr');
  const esm_class = r.u8();
  const protocol_id = r.u8();
  const priority_flag = r.u8();
  const schedule_delivery_time = r.cstring(17, STATUS.RINVSCHED, 'schedule_delivery_time');
  const validity_period = r.cstring(17, STATUS.RINVEXPIRY, 'validity_period');
  const registered_delivery = r.u8();
  const replace_if_present_flag = r.u8();
  const data_coding = r.u8();
  const sm_default_msg_id = r.u8();
  const short_message = shortMessage();
  // A damaged parameter must not lose a receipt. A submit is refused, or it would leave without what its program asked
  // for.
  const tlvs = r.at < r.end ? decodeTlvs(r.buffer, r.at, r.end, command === 'submit_sm') : undefined;
  return {
    command,
    sequence,
    status,
    service_type,
    source_addr_ton,
    source_addr_npi,
    source_addr,
    dest_addr_ton,
    dest_addr_npi,
    destination_addr,
    esm_class,
    protocol_id,
    priority_flag,
    schedule_delivery_time,
    validity_period,
    registered_delivery,
    replace_if_present_flag,
    data_coding,
    sm_default_msg_id,
    short_message,
    tlvs,
  } as SubmitSm | DeliverSm;
}

function shortMessage(): Uint8Array {
  const length = r.u8();
  if (length === 255) throw new PduError(STATUS.RINVMSGLEN, 'sm_length is above 254');
  return r.octets(length, STATUS.RINVMSGLEN, 'short_message');
}

function messageResp(command: MessageResp['command'], status: number, sequence: number): MessageResp {
  const message_id = r.at < r.end ? r.lenientCstring() : '';
  return { command, sequence, status, message_id, tlvs: tlvsLeft() };
}

const tlvsLeft = (isStrict = false) => (r.at < r.end ? decodeTlvs(r.buffer, r.at, r.end, isStrict) : undefined);

const source = (max: number) => ({
  source_addr_ton: r.u8(),
  source_addr_npi: r.u8(),
  source_addr: r.cstring(max, STATUS.RINVSRCADR, 'source_addr'),
});

const destination = (max: number) => ({
  dest_addr_ton: r.u8(),
  dest_addr_npi: r.u8(),
  destination_addr: r.cstring(max, STATUS.RINVDSTADR, 'destination_addr'),
});

const messageId = (): string => r.cstring(65, STATUS.RINVMSGID, 'message_id');
const serviceType = (): string => r.cstring(6, STATUS.RINVSERTYP, 'service_type');
const schedule = (): string => r.cstring(17, STATUS.RINVSCHED, 'schedule_delivery_time');
const validity = (): string => r.cstring(17, STATUS.RINVEXPIRY, 'validity_period');

// Object literals evaluate their fields in source order, which is the order on the wire.
function lessUsual(command: Command, status: number, sequence: number): Pdu {
  switch (command) {
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      return bind(command, status, sequence);
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp':
      return { command, sequence, status, system_id: r.lenientCstring(), tlvs: tlvsLeft() };
    case 'outbind':
      return {
        command,
        sequence,
        status,
        system_id: r.cstring(16, STATUS.RINVSYSID, 'system_id'),
        password: r.cstring(65, STATUS.RINVPASWD, 'password'),
      };
    case 'data_sm':
      return {
        command,
        sequence,
        status,
        service_type: serviceType(),
        ...source(65),
        ...destination(65),
        esm_class: r.u8(),
        registered_delivery: r.u8(),
        data_coding: r.u8(),
        tlvs: tlvsLeft(true),
      };
    case 'submit_multi':
      return {
        command,
        sequence,
        status,
        service_type: serviceType(),
        ...source(21),
        destinations: destinations(),
        esm_class: r.u8(),
        protocol_id: r.u8(),
        priority_flag: r.u8(),
        schedule_delivery_time: schedule(),
        validity_period: validity(),
        registered_delivery: r.u8(),
        replace_if_present_flag: r.u8(),
        data_coding: r.u8(),
        sm_default_msg_id: r.u8(),
        short_message: shortMessage(),
        tlvs: tlvsLeft(true),
      };
    case 'submit_multi_resp':
      return { command, sequence, status, message_id: r.lenientCstring(), unsuccess: unsuccess(), tlvs: tlvsLeft() };
    case 'query_sm':
      return { command, sequence, status, message_id: messageId(), ...source(21) };
    case 'query_sm_resp':
      return {
        command,
        sequence,
        status,
        message_id: r.lenientCstring(),
        final_date: r.lenientCstring(),
        message_state: r.at < r.end ? r.u8() : 0,
        error_code: r.at < r.end ? r.u8() : 0,
      };
    case 'cancel_sm':
      return {
        command,
        sequence,
        status,
        service_type: serviceType(),
        message_id: messageId(),
        ...source(21),
        ...destination(21),
      };
    case 'replace_sm':
      return {
        command,
        sequence,
        status,
        message_id: messageId(),
        ...source(21),
        schedule_delivery_time: schedule(),
        validity_period: validity(),
        registered_delivery: r.u8(),
        sm_default_msg_id: r.u8(),
        short_message: shortMessage(),
      };
    case 'alert_notification':
      return {
        command,
        sequence,
        status,
        ...source(65),
        esme_addr_ton: r.u8(),
        esme_addr_npi: r.u8(),
        esme_addr: r.cstring(65, STATUS.RINVDSTADR, 'esme_addr'),
        tlvs: tlvsLeft(),
      };
    default:
      return { command, sequence, status } as Bare;
  }
}

function bind(command: BindCommand, status: number, sequence: number): Pdu {
  return {
    command,
    sequence,
    status,
    system_id: r.cstring(16, STATUS.RINVSYSID, 'system_id'),
    password: r.cstring(65, STATUS.RINVPASWD, 'password'),
    system_type: r.cstring(13, STATUS.RINVSYSTYP, 'system_type'),
    interface_version: r.u8(),
    addr_ton: r.u8(),
    addr_npi: r.u8(),
    address_range: r.cstring(41, STATUS.RINVSRCADR, 'address_range'),
  };
}

function destinations(): MultiDestination[] {
  const count = r.u8();
  if (count === 0 || count > 254) throw new PduError(STATUS.RINVNUMDESTS, 'number_of_dests is outside 1..254');
  const list: MultiDestination[] = [];
  for (let i = 0; i < count; i++) {
    const flag = r.u8();
    if (flag === 1) list.push(destination(21));
    else if (flag === 2) list.push({ dl_name: r.cstring(21, STATUS.RINVDLNAME, 'dl_name') });
    else throw new PduError(STATUS.RINVDESTFLAG, 'dest_flag is neither 1 nor 2');
  }
  return list;
}

function unsuccess(): SubmitMultiResp['unsuccess'] {
  const list: SubmitMultiResp['unsuccess'] = [];
  const count = r.at < r.end ? r.u8() : 0;
  for (let i = 0; i < count && r.left >= 7; i++) {
    const dest_addr_ton = r.u8();
    const dest_addr_npi = r.u8();
    const destination_addr = r.lenientCstring();
    if (r.left < 4) break;
    list.push({ dest_addr_ton, dest_addr_npi, destination_addr, error_status_code: r.u32() });
  }
  return list;
}
