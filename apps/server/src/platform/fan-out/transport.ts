import type pg from 'pg';
import type { Queryable } from '../database/queryable.ts';

/** Sender of a message: a transaction, or a pool with statements that commit by themselves. */
export type Teller = Queryable | pg.Pool;

/** One connection to the carrier of messages, until it is lost. */
export interface Line {
  /** Subscribes to a subject, from when this resolves. */
  listen(subject: string): Promise<void>;
  unlisten(subject: string): Promise<void>;
  /** Rejects if messages do not get through any more. */
  check(): Promise<void>;
  close(): Promise<void>;
  /** Resolves when the connection is lost, for any reason. */
  lost: Promise<void>;
}

/**
 * Carrier of messages between processes. With each one messages are only hints: they may be lost, and readers read
 * again.
 */
export interface Transport {
  readonly name: 'postgresql' | 'nats';
  /** Whether a process cannot work without it: then its start fails. Otherwise it starts, and connects when it can. */
  readonly required: boolean;
  /**
   * Opens a connection. `hear` is called with each message of the subscribed subjects, in the order in which one
   * process sent them. `missed` is called if another process reports that it could not send messages of a subject.
   */
  open(hear: (subject: string, payload: string) => void, missed: (subject: string) => void): Promise<Line>;
  /** Publishes to all listeners after the transaction of `from` commits; never if it does not. */
  tell(from: Teller, subject: string, payload: string): Promise<void>;
}

/** Maximum bytes of a payload. NOTIFY carries at most 7,999. */
export const MAX_PAYLOAD_BYTES = 7_500;

/** Answers the payload to carry: one that is too large becomes empty, and its readers then read again. */
export const carried = (payload: string) => (Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES ? payload : '');

/** Tells whether statements go over any session of a pool, each in its own transaction. */
export const isPool = (from: Teller): from is pg.Pool => 'totalCount' in from;

/** Rejects after `ms` milliseconds. */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
