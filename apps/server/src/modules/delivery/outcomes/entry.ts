import type { PduFrame } from '@heliograph/smpp';
import type { Message, Segment } from '../segment.ts';
import type { FinalState } from './deltas.ts';

/** How one segment's dealings with the carrier ended: one submission row. */
export interface Submission {
  kind: 'submission';
  segment: Segment;
  link_id: number;
  /** 0 is accepted; -1 is no answer. */
  command_status: number;
  /** Null unless accepted. */
  carrier_id: string | null;
  /** Epoch milliseconds. */
  at: number;
  /** The end of the message that comes with it, where it was not accepted. */
  end: { state: FinalState; error: string | null } | undefined;
  /** The segment waited in the retry table and leaves it now. */
  from_retry: boolean;
}

/** A receipt as it came. */
export interface IncomingReceipt {
  kind: 'receipt';
  link_id: number;
  carrier_id: string;
  /** Name of the state, such as delivered or enroute. */
  state: string;
  error: string;
  /** The PDU's octets. */
  frame: PduFrame;
  /** Epoch milliseconds; with link and id it tells this receipt from others. */
  at: number;
  /** Undefined: not known in memory. */
  segment: Segment | undefined;
  /** Called once: true when the receipt is committed, false when the carrier must send it again. */
  settle: (stored: boolean) => void;
}

/** A PDU as a view of its octets. */
export const octetsOf = ({ buffer, start, end }: PduFrame): Buffer => buffer.subarray(start, end);

/** A receipt that was committed without its message, which is now known. */
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

/** One end a message may come to with a batch. */
export interface Ending {
  message: Message;
  state: FinalState;
  error: string | null;
  at: number;
  /** The receipt that brought it, where it is recorded with the outcome. */
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

/** The names of states that end a segment. */
export const FINAL_STATES = Object.keys(FINAL);

/** How a receipt's state ends a message of one part; undefined where it lives on. */
export const finalState = (state: string): FinalState | undefined => FINAL[state];

/** The reason a message shows: the state, and behind a colon the carrier's code where it gave one; null when delivered. */
export function errorCode(state: string, error: string): string | null {
  if (state === 'delivered') return null;
  return error === '' || /^0+$/.test(error) ? state : `${state}:${error}`;
}
