import pg from 'pg';
import { outageOf } from '../outage.ts';
import { missingDay } from './missing-partition.ts';

/** Tells whether failed work may succeed if it is tried again; other errors would happen again. */
export function isTransient(error: unknown): boolean {
  // A missing partition is made as soon as an error reports it.
  return outageOf(error) !== undefined || missingDay(error) !== undefined;
}

/** SQLSTATE of a statement that was ended after its time: elsewhere it would take as long. */
const TOOK_TOO_LONG = '57014';

/** Tells whether a statement was ended because it exceeded its time limit, or was cancelled. */
export const tookTooLong = (error: unknown): boolean => (error as { code?: string }).code === TOOK_TOO_LONG;

/** Codes of a server that shuts down or only reads, and of a connection that broke. */
const LOST = /^(08|25006|57P01|57P02|ECONNRESET|EPIPE)/;

/** Tells whether a session broke, or became useless, in the middle of its work: a new one may succeed. */
export function isLostSession(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (typeof code === 'string') return LOST.test(code);
  return /^(Connection terminated( unexpectedly)?$|Client has encountered a connection error)/.test(message ?? '');
}

/** Tells whether a standby gave up a statement, or cannot be asked; the primary may still answer it. */
export function mayAnswerElsewhere(error: unknown): boolean {
  return isTransient(error) && !tookTooLong(error);
}

/**
 * Reads, and reads once more if the session was lost meanwhile. It is not for writes: a lost write may or may not be
 * done.
 */
export async function readAgain<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isLostSession(error)) throw error;
    return read();
  }
}

/** Tells whether the database examined the work and would refuse it each time; a lost session proves nothing. */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isTransient(error);
}
