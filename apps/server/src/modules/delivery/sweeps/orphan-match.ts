import { segment as segmentText } from '@heliograph/contract/kernel/segments';
import { dateMayLieBetween, quotes, type ReceiptHints } from '@heliograph/smpp';
import { messageReference } from '../sending/message-reference.ts';

/** A receipt with an id that no message has. */
export interface Orphan {
  hints: ReceiptHints;
  /** Epoch milliseconds. */
  received_at: number;
}

/** A part that was handed over without an id from the carrier: its answer was lost, or had no id. */
export interface Candidate {
  message_id: number;
  part: number;
  msisdn: string;
  /** Text of the whole message. */
  text: string;
  /** True if all parts went in one PDU. */
  whole: boolean;
  /** Epoch milliseconds before which it cannot have left. */
  queued_at: number;
}

/**
 * Finds the part that belongs to a receipt without a known id; undefined if several or none fit. Our own reference
 * counts most; else number, time of submission and start of the text together.
 */
export function matchOrphan<C extends Candidate>(orphan: Orphan, candidates: readonly C[]): C | undefined {
  const { hints, received_at } = orphan;
  const sameNumber = candidates.filter(({ msisdn, queued_at }) => msisdn === hints.msisdn && queued_at <= received_at);
  // We never use 0: a carrier sends it if it kept no reference.
  if (hints.reference) {
    return only(sameNumber.filter(({ message_id, part }) => messageReference(message_id, part) === hints.reference));
  }
  return only(
    sameNumber.filter(
      ({ text, part, whole, queued_at }) =>
        dateMayLieBetween(hints.submit_date, queued_at, received_at) &&
        quotes(hints.text, whole ? text : (segmentText(text).parts[part - 1] ?? '')),
    ),
  );
}

const only = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);
