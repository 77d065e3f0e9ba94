import type { Buffer } from 'node:buffer';
import { COMMAND_ID } from './commands.ts';
import { encodeMessage } from './encode.ts';
import type { MessageFields } from './pdu.ts';
import { STATUS } from './status.ts';
import { PduError, PduWriter, writeU32 } from './wire.ts';

/** Octets of the header, command_length to sequence_number (§3.2). */
const HEADER = 16;
/** Maximum octets of destination_addr with its NUL (§4.4.1). */
const MAX_DESTINATION = 21;
const USER_MESSAGE_REFERENCE = 0x0204;

/**
 * A submit_sm that is encoded once for messages which differ only in destination_addr and user_message_reference, such
 * as those of a campaign with one text.
 */
export class SubmitTemplate {
  readonly #head: Buffer;
  readonly #tail: Buffer;

  /**
   * Throws PduError for a field that the standard does not allow; destination_addr and the reference are not checked.
   */
  constructor(fields: MessageFields) {
    const writer = new PduWriter(1_024);
    encodeMessage(writer, COMMAND_ID.submit_sm, 0, { ...fields, destination_addr: '' });
    const pdu = writer.view();
    // service_type, source TON, NPI and address, destination TON and NPI stand before the destination.
    const source = pdu.indexOf(0, HEADER) + 3;
    const destination = pdu.indexOf(0, source) + 3;
    this.#head = pdu.subarray(0, destination);
    this.#tail = pdu.subarray(destination + 1);
  }

  /**
   * Appends the PDU for one destination; without a reference if it is undefined. Throws PduError and leaves the writer
   * unchanged.
   */
  write(w: PduWriter, sequence: number, destination: string, reference: number | undefined): void {
    const start = w.length;
    w.ensure(this.#head.length + MAX_DESTINATION + this.#tail.length + 6);
    w.octets(this.#head);
    try {
      w.cstring(destination, MAX_DESTINATION, STATUS.RINVDSTADR, 'destination address');
      if (reference !== undefined && reference !== (reference & 0xffff))
        throw new PduError(STATUS.RINVOPTPARAMVAL, 'user_message_reference does not fit 2 octets');
    } catch (error) {
      w.length = start;
      throw error;
    }
    w.octets(this.#tail);
    if (reference !== undefined) {
      w.u16(USER_MESSAGE_REFERENCE);
      w.u16(2);
      w.u16(reference);
    }
    writeU32(w.buffer, start, w.length - start);
    writeU32(w.buffer, start + 12, sequence);
  }
}
