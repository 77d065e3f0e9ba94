import { titleOf, typeOf } from '@heliograph/contract/kernel/error-names';
import type { ErrorCode, Problem } from '@heliograph/contract/kernel/errors';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import i18next from 'i18next';

/** Failed call with the server's error body, or with one made here if the server could not be reached. */
export class CallError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message || problem.code);
    this.name = 'CallError';
    this.problem = problem;
  }
}

/**
 * Returns an error body for a failure that the server did not describe. `key` names its sentence if it differs from the
 * code's.
 */
export function problemOf(status: number, code: ErrorCode, key: MessageKey = `errors.${code}`): Problem {
  return { type: typeOf(code), title: titleOf(code), status, code, request_id: '', message: i18next.t(key) };
}

/** Returns the problem of a thrown value; undefined if it is not a failed call. */
export function problemFrom(error: unknown): Problem | undefined {
  return error instanceof CallError ? error.problem : undefined;
}

/** Returns the sentence that explains the error to a person. */
export function sentenceOf(error: unknown): string {
  const problem = problemFrom(error);
  if (!problem) return i18next.t('errors.internal_error');
  return problem.message || i18next.t([`errors.${problem.code}`, 'errors.internal_error']);
}

/** Returns the fault of the first field that the error names, otherwise its sentence. */
export function faultOf(error: unknown): string {
  const [first] = Object.values(problemFrom(error)?.errors ?? {});
  return first?.[0] ?? sentenceOf(error);
}
