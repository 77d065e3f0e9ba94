import type { PduFrame } from '@heliograph/smpp';
import type { Message, Segment } from '../segment.ts';
import type { FinalState } from './deltas.ts';

/** Result of one segment's submit to the carrier: one submission row. */
export interface Submission {
  kind: 'submission';
  segment: Segment;
  link_id: number;
  /** 0 for accepted; -1 for no answer. */
  command_status: number;
  /** Null unless accepted. */
  carrier_id: string | null;
  /** Epoch milliseconds. */
  at: number;
  /** Outcome of the message if this ends it; only for a submit that was not accepted. */
  end: { state: FinalState; error: string | null } | undefined;
  /** True if the segment waited in the retry table and leaves it now. */
  from_retry: boolean;
}

/** A carrier's id on one of its links. */
export interface LinkedId {
  carrier_id: string;
  link_id: number;
}

export const keyOfId = ({ carrier_id, link_id }: LinkedId): string => `${link_id}/${carrier_id}`;

/** Segments that wait for receipts on the links of one account. */
export interface ReceiptMemory {
  /** Ids of the links whose messages may get the receipt. */
  readonly links: readonly number[];
  find(carrierId: string): Segment | undefined;
  recall(carrierId: string, segment: Segment): void;
}

/** A receipt as received. */
export interface IncomingReceipt extends LinkedId {
  kind: 'receipt';
  /** Name of the state, such as delivered or enroute. */
  state: string;
  error: string;
  /** Vendor parameters that the receipt had, by the names of its link; null for none. */
  parameters?: Readonly<Record<string, string>> | null | undefined;
  /** Octets of the PDU. */
  frame: PduFrame;
  /** Epoch milliseconds; with link and id it identifies the receipt. */
  at: number;
  /** Segment of the receipt; undefined if it is not in memory. */
  segment: Segment | undefined;
  /** Memory of the receipt's link and of the others of its account, if it has one. */
  ids?: ReceiptMemory;
  /** Called once: with true when the receipt is committed, with false when the carrier must send it again. */
  settle: (stored: boolean) => void;
}

/** Answers a view of a PDU's octets. */
export const octetsOf = ({ buffer, start, end }: PduFrame): Buffer => buffer.subarray(start, end);

/** A receipt that was committed without its message, which has been found now. */
export interface Adoption {
  kind: 'adoption';
  link_id: number;
  carrier_id: string;
  state: string;
  error: string;
  at: number;
  segment: Segment;
}

/** A segment to be sent again. */
export interface Retry {
  kind: 'retry';
  segment: Segment;
  link_id: number;
  command_status: number;
  /** Epoch milliseconds. */
  not_before: number;
}

export type Entry = Submission | IncomingReceipt | Adoption | Retry;

/** A possible outcome of a message in a batch. */
export interface Ending {
  message: Message;
  state: FinalState;
  error: string | null;
  at: number;
  /** Receipt that brought it, if it is recorded with the outcome. */
  receipt?: IncomingReceipt;
}

const FINAL: Readonly<Record<string, FinalState>> = {
  delivered: 'delivered',
  expired: 'expired',
  deleted: 'failed_other',
  undeliverable: 'failed_other',
  rejected: 'failed_other',
  unknown: 'failed_other',
  skipped: 'failed_other',
};

/** Names of the states that end a segment. */
export const FINAL_STATES = Object.keys(FINAL);

/** Answers the outcome of a one-part message from a receipt's state; undefined if the state is not final. */
export const finalState = (state: string): FinalState | undefined => FINAL[state];

/**
 * Answers the reason shown for a message: the state, and after a colon the carrier's code if it gave one; null when
 * delivered.
 */
export function errorCode(state: string, error: string): string | null {
  if (state === 'delivered') return null;
  return error === '' || /^0+$/.test(error) ? state : `${state}:${error}`;
}
