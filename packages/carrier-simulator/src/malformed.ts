import { Buffer } from 'node:buffer';
import { ESM_CLASS, encodePdu, type Session } from '@heliograph/smpp';
import type { InFlight } from './account.ts';
import { Batch } from './receipt-queue.ts';

/** Log position that stands for a malformed PDU, so that its answer is not taken for that to a receipt. */
export const AT_FAULT = -1;

/** Number of malformed PDUs of which, on average, one breaks the framing and so ends the session. */
const FRAMING_LOST_ONE_IN = 50;

const receipt = (text: string): Buffer =>
  encodePdu({
    command: 'deliver_sm',
    source_addr: '639170000000',
    esm_class: ESM_CLASS.receipt,
    short_message: Buffer.from(text, 'latin1'),
  });

/** Returns a copy of a PDU with some octets overwritten; command_length stays right unless `octets` change it. */
function damaged(pdu: Buffer, at: number, octets: readonly number[]): Buffer {
  const copy = Buffer.from(pdu);
  copy.set(octets, at < 0 ? copy.length + at : at);
  return copy;
}

const WHOLE = receipt('id:0 stat:DELIVRD');
const WITH_TLV = encodePdu({
  command: 'deliver_sm',
  esm_class: ESM_CLASS.receipt,
  tlvs: { receipted_message_id: 'x' },
});

const FAULTS: readonly Buffer[] = [
  // sm_length beyond the end of the PDU.
  damaged(WHOLE, -1 - 'id:0 stat:DELIVRD'.length, [0xf0]),
  // A command that does not exist.
  damaged(WHOLE, 4, [0x00, 0x01, 0x02, 0x03]),
  // A parameter longer than the rest of the PDU.
  damaged(WITH_TLV, -4, [0xff, 0xff]),
  // Receipts for a message that was never sent, or without a message id.
  receipt('id:ffffffffffffffffff stat:DELIVRD err:'),
  receipt('stat:DELIVRD'),
  receipt('\0\xff\xfe id:'),
];
const FRAMING_LOST = damaged(encodePdu({ command: 'enquire_link' }), 0, [0, 0, 0, 7]);

/** Sends a malformed PDU; `random` returns numbers 0..1. */
export function sendMalformed(session: Pick<Session<InFlight>, 'requestEncoded'>, random: () => number): void {
  const lost = random() < 1 / FRAMING_LOST_ONE_IN;
  const pdu = lost ? FRAMING_LOST : FAULTS[Math.floor(random() * FAULTS.length)]!;
  const batch = new Batch(0);
  batch.seqs.push(AT_FAULT);
  session.requestEncoded(pdu, 0, pdu.length, { batch, index: 0 });
}
