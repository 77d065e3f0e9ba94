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

/** What a server says that shuts down or only reads, and what is said of a connection that broke. */
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

/** Reads, and once more where the session was lost meanwhile. Not for what writes: nobody knows whether it was done. */
export async function readAgain<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!isLostSession(error)) throw error;
    return read();
  }
}

/** Whether the database looked at the work and will say no each time; a session that broke on the way says nothing of it. */
export function isRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isTransient(error);
}
