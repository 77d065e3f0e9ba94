import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { isTransient, tookTooLong } from '../database/transient-error.ts';
import { BusinessError } from '../errors.ts';

/** Reason with which a job's signal is aborted when a person has cancelled its work. */
export class NoLongerWanted extends Error {
  constructor() {
    super('the work is no longer wanted');
  }
}

/**
 * Answers the error code with which background work ends as failed; undefined if another try may succeed. A statement
 * that exceeded its time limit would do so again.
 */
export function lastingFailure(error: unknown, signal: AbortSignal): ErrorCode | undefined {
  if (signal.aborted) return undefined;
  if (tookTooLong(error)) return 'took_too_long';
  if (isTransient(error)) return undefined;
  return error instanceof BusinessError ? error.code : 'internal_error';
}

/** Values of the sentence of a failure's code, as they are stored. */
export const failureParams = (error: unknown): string =>
  JSON.stringify(error instanceof BusinessError ? error.params : {});
