import pg from 'pg';
import { missingDay } from './missing-partition.ts';
import { outageOf } from './outage.ts';

/** Whether work that failed so may well succeed when it is tried again; all else would fail the same way. */
export function isTransient(error: unknown): boolean {
  // A partition is made as soon as it is missed.
  return outageOf(error) !== undefined || missingDay(error) !== undefined;
}

/** A statement that was ended after its time would take as long elsewhere. */
const TOOK_TOO_LONG = '57014';

/** Whether a statement was ended because it ran into its time limit, or was canceled. */
export const tookTooLong = (error: unknown): boolean => (error as { code?: string }).code === TOOK_TOO_LONG;

/** Codes of a server that shuts down or only reads, and of a connection that broke. */
const LOST = /^(08|25006|57P01|57P02|ECONNRESET|EPIPE)/;

/** Whether a session broke, or turned out to be of no use, in the middle of its work: a new one may well do it. */
export function isLostSession(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (typeof code === 'string') return LOST.test(code);
  return /^(Connection terminated( unexpectedly)?$|Client has encountered a connection error)/.test(message ?? '');
}

/** Whether a standby gave up a statement, or cannot be asked, while the primary may well answer it. */
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
