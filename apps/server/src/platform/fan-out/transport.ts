import type pg from 'pg';
import type { Queryable } from '../queryable.ts';

/** Where something is told from: within a transaction, or over a pool, whose statements stand by themselves. */
export type Teller = Queryable | pg.Pool;

/** One connection to what carries, as long as it lasts. */
export interface Line {
  /** Hears a subject from when this resolves. */
  listen(subject: string): Promise<void>;
  unlisten(subject: string): Promise<void>;
  /** Rejects where nothing comes through any more. */
  check(): Promise<void>;
  close(): Promise<void>;
  /** Resolves when the connection is over, for whatever reason. */
  lost: Promise<void>;
}

/** What carries messages between processes. Whatever it is, messages are hints: they may be lost, and readers read again. */
export interface Transport {
  readonly name: 'postgresql' | 'nats';
  /** A process without it cannot work anyway: its start fails. Otherwise it starts, and connects once it can. */
  readonly required: boolean;
  /**
   * Opens a connection. `hear` is called with each message of the subjects that are listened to, in the order in which one
   * process told them; `missed` where another process says that it could not tell something of a subject.
   */
  open(hear: (subject: string, payload: string) => void, missed: (subject: string) => void): Promise<Line>;
  /** Tells everybody who listens, once the transaction of `from` stands; never where it does not. */
  tell(from: Teller, subject: string, payload: string): Promise<void>;
}

/** What NOTIFY carries with room to spare: 7,999 bytes is its bound. */
export const MAX_PAYLOAD_BYTES = 7_500;

/** The payload as it is carried: one that is too large is empty, by which its readers know to read again. */
export const carried = (payload: string) => (Buffer.byteLength(payload) <= MAX_PAYLOAD_BYTES ? payload : '');

/** Whether statements go over any session of a pool, each in a transaction of its own. */
export const isPool = (from: Teller): from is pg.Pool => 'totalCount' in from;

/** Rejects after so many milliseconds. */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
