import type { Outage } from '@heliograph/contract/kernel/outages';
import { BusinessError } from './errors.ts';

/**
 * SQLSTATE of each fault that passes by itself or by an operator's action, with its cause; the first matching line
 * counts. Null if the server gives no cause that a caller can use.
 */
const BY_STATE: readonly (readonly [state: RegExp, cause: Outage | null])[] = [
  [/^08/, 'database_unreachable'],
  [/^25006/, 'database_read_only'],
  [/^25/, null],
  [/^40|^55P03|^55006/, 'database_locked'],
  [/^53100/, 'database_full'],
  [/^53200/, 'database_out_of_memory'],
  [/^53300/, 'database_connections'],
  [/^57014/, 'database_too_slow'],
  [/^57P0[1-3]/, 'database_restarting'],
  [/^58/, 'database_fault'],
  [/^5[357]/, null],
];
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

/** Errors that `pg` and its pool throw without a code, by the beginning of their message. */
const BY_MESSAGE: readonly (readonly [message: RegExp, cause: Outage])[] = [
  // All sessions of the pool were busy for as long as a caller waits for one.
  [/^timeout exceeded/i, 'database_connections'],
  [/^timeout expired/i, 'database_unreachable'],
  [/^Query read timeout/i, 'database_too_slow'],
  [/^(Connection terminated|Client (was closed|has encountered a connection error))/i, 'database_unreachable'],
];

/**
 * Answers the cause of a temporary error: a retry may well succeed. Null if it is temporary and the cause is not known;
 * undefined if the same work would fail each time.
 */
export function outageOf(error: unknown): Outage | null | undefined {
  const { code, message = '', syscall } = error as { code?: string; message?: string; syscall?: string };
  if (error instanceof BusinessError) return error.code === 'unavailable' ? (error.outage ?? null) : undefined;
  // The socket file of a PostgreSQL that is just starting again is not there; any other missing file stays missing.
  if (code === 'ENOENT') return syscall === 'connect' ? 'database_unreachable' : undefined;
  if (typeof code !== 'string') return BY_MESSAGE.find(([beginning]) => beginning.test(message))?.[1];
  if (NETWORK.has(code)) return 'database_unreachable';
  if (NO_ROOM.has(code)) return 'storage_full';
  return BY_STATE.find(([state]) => state.test(code))?.[1];
}

/** Makes the 503 for a temporary error: it names the cause, and when to try again. */
export function unavailable(error: unknown): BusinessError {
  return new BusinessError('unavailable', { outage: outageOf(error) ?? undefined, cause: error });
}
