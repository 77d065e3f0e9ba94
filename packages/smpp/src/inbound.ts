import type { Buffer } from 'node:buffer';
import { COMMAND_ID, commandName, responseCommand } from './commands.ts';
import { decodeAt } from './decode.ts';
import { FrameReader } from './frame-reader.ts';
import type { Pdu } from './pdu.ts';
import type { ProtocolFault } from './session-options.ts';
import { STATUS } from './status.ts';
import { PduError, readU32 } from './wire.ts';

interface InboundSide {
  pdu(pdu: Pdu): void;
  /** A header-only answer to a PDU that could not be read. */
  refuse(commandId: number, sequence: number, status: number): void;
  fault(fault: ProtocolFault): void;
}

/** Turns a peer's bytes into PDUs; whatever they are, a fault is answered and reported and never thrown. */
export class Inbound {
  readonly #side: InboundSide;
  readonly #frames = new FrameReader((buffer, at, length) => this.#frame(buffer, at, length));
  /** PDUs since the start. */
  count = 0;

  constructor(side: InboundSide) {
    this.#side = side;
  }

  /** Octets of an unfinished PDU. */
  get pending(): number {
    return this.#frames.pending;
  }

  /** False when the framing is lost, which generic_nack RINVCMDLEN has told the peer; the connection must be closed. */
  push(chunk: Buffer): boolean {
    try {
      this.#frames.push(chunk);
      return true;
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
      this.#side.refuse(COMMAND_ID.generic_nack, 0, error.status);
      this.#side.fault({ status: error.status, detail: error.message, commandId: 0, sequence: 0 });
      return false;
    }
  }

  #frame(buffer: Buffer, at: number, length: number): void {
    this.count++;
    let pdu: Pdu;
    try {
      pdu = decodeAt(buffer, at, length);
    } catch (error) {
      if (!(error instanceof PduError)) throw error;
      this.#unreadable(error, readU32(buffer, at + 4), readU32(buffer, at + 12));
      return;
    }
    this.#side.pdu(pdu);
  }

  #unreadable(error: PduError, commandId: number, sequence: number): void {
    const command = commandName(commandId);
    const answer = command === undefined ? undefined : responseCommand(command);
    // An answer is never answered, or two peers could nack each other for ever.
    if (answer !== undefined) this.#side.refuse(COMMAND_ID[answer], sequence, error.status);
    else if (commandId < 0x80000000 && command === undefined) {
      this.#side.refuse(COMMAND_ID.generic_nack, sequence, STATUS.RINVCMDID);
    }
    this.#side.fault({ status: error.status, detail: error.message, commandId, sequence });
  }
}
