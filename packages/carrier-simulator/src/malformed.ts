import { Buffer } from 'node:buffer';
import { ESM_CLASS, encodePdu, type Session } from '@heliograph/smpp';
import type { InFlight } from './account.ts';
import { Batch } from './receipt-queue.ts';

/** The log position by which the answer to a PDU at fault is told from that to a receipt. */
export const AT_FAULT = -1;

/** One in so many PDUs at fault loses the framing, which ends the session. */
const FRAMING_LOST_ONE_IN = 50;

const receipt = (text: string): Buffer =>
  encodePdu({
    command: 'deliver_sm',
    source_addr: '639170000000',
    esm_class: ESM_CLASS.receipt,
    short_message: Buffer.from(text, 'latin1'),
  });

/** A PDU with some of its octets written over; command_length is right unless `octets` say otherwise. */
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
  // A command nobody knows.
  damaged(WHOLE, 4, [0x00, 0x01, 0x02, 0x03]),
  // A parameter longer than what is left.
  damaged(WITH_TLV, -4, [0xff, 0xff]),
  // Receipts that report on nothing that was ever sent, or do not say on what.
  receipt('id:ffffffffffffffffff stat:DELIVRD err:'),
  receipt('stat:DELIVRD'),
  receipt('\0\xff\xfe id:'),
];
const FRAMING_LOST = damaged(encodePdu({ command: 'enquire_link' }), 0, [0, 0, 0, 7]);

/** Sends a PDU that is at fault; `random` draws 0..1. */
export function sendMalformed(session: Session<InFlight>, random: () => number): void {
  const lost = random() < 1 / FRAMING_LOST_ONE_IN;
  const pdu = lost ? FRAMING_LOST : FAULTS[Math.floor(random() * FAULTS.length)]!;
  const batch = new Batch(0);
  batch.seqs.push(AT_FAULT);
  session.requestEncoded(pdu, 0, pdu.length, { batch, index: 0 });
}
