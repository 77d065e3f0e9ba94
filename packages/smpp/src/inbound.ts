import type { Buffer } from 'node:buffer';
import { COMMAND_ID, commandName, responseCommand } from './commands.ts';
import { decodeAt } from './decode.ts';
import { FrameReader } from './frame-reader.ts';
import type { ApplicationRequest, Bare, Bind, BindResp, Pdu, ResponsePdu } from './pdu.ts';
import type { PduFrame, ProtocolFault } from './session-options.ts';
import { STATUS } from './status.ts';
import { PduError, readU32 } from './wire.ts';

/** Callbacks to the session for each kind of PDU. */
interface InboundSide {
  /** Whether the session has ended; then the rest of the chunk is dropped. */
  closed(): boolean;
  response(pdu: ResponsePdu): void;
  request(pdu: ApplicationRequest, frame: PduFrame): void;
  bind(pdu: Bind): void;
  bindResp(pdu: BindResp): void;
  nack(pdu: Bare): void;
  unbind(pdu: Bare): void;
  unbindResp(): void;
  /** Sends an answer that is only a header. */
  answer(commandId: number, sequence: number, status: number): void;
  fault(fault: ProtocolFault): void;
}

/** Turns a peer's bytes into PDUs. A fault in any bytes is answered and reported, never thrown. */
export class Inbound {
  readonly #side: InboundSide;
  readonly #frames = new FrameReader((buffer, at, length) => this.#frame(buffer, at, length));
  /** Number of PDUs since the start. */
  count = 0;

  constructor(side: InboundSide) {
    this.#side = side;
  }

  /** Octets of an unfinished PDU. */
  get pending(): number {
    return this.#frames.pending;
  }

  /**
   * Reads a chunk. Answers false if the framing is lost: generic_nack RINVCMDLEN was sent, and the connection must be
   * closed.
   */
  push(chunk: Buffer): boolean {
    try {
      this.#frames.push(chunk);
      return true;
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
      this.#side.answer(COMMAND_ID.generic_nack, 0, error.status);
      this.#side.fault({ status: error.status, detail: error.message, commandId: 0, sequence: 0 });
      return false;
    }
  }

  #frame(buffer: Buffer, at: number, length: number): void {
    this.count++;
    if (this.#side.closed()) return;
    let pdu: Pdu;
    try {
      pdu = decodeAt(buffer, at, length);
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
      this.#unreadable(error, readU32(buffer, at + 4), readU32(buffer, at + 12));
      return;
    }
    this.#route(pdu, buffer, at, length);
  }

  #route(pdu: Pdu, buffer: Buffer, start: number, length: number): void {
    switch (pdu.command) {
      case 'submit_sm_resp':
      case 'deliver_sm_resp':
      case 'data_sm_resp':
      case 'submit_multi_resp':
      case 'query_sm_resp':
      case 'cancel_sm_resp':
      case 'replace_sm_resp':
        return void this.#side.response(pdu);
      case 'generic_nack':
        return void this.#side.nack(pdu);
      case 'enquire_link':
        return void this.#side.answer(COMMAND_ID.enquire_link_resp, pdu.sequence, STATUS.ROK);
      case 'enquire_link_resp':
        return;
      case 'bind_receiver':
      case 'bind_transmitter':
      case 'bind_transceiver':
        return void this.#side.bind(pdu);
      case 'bind_receiver_resp':
      case 'bind_transmitter_resp':
      case 'bind_transceiver_resp':
        return void this.#side.bindResp(pdu);
      case 'unbind':
        return void this.#side.unbind(pdu);
      case 'unbind_resp':
        return void this.#side.unbindResp();
      default:
        return void this.#side.request(pdu, { buffer, start, end: start + length });
    }
  }

  #unreadable(error: PduError, commandId: number, sequence: number): void {
    const command = commandName(commandId);
    const answer = command === undefined ? undefined : responseCommand(command);
    // A response is never answered, or two peers could send generic_nack to each other forever.
    if (answer !== undefined) this.#side.answer(COMMAND_ID[answer], sequence, error.status);
    else if (commandId < 0x80000000 && command === undefined) {
      this.#side.answer(COMMAND_ID.generic_nack, sequence, STATUS.RINVCMDID);
    }
    this.#side.fault({ status: error.status, detail: error.message, commandId, sequence });
  }
}
