import { type ErrorCode, type Problem, titleOf, typeOf } from '@heliograph/contract/kernel/errors';
import i18next from 'i18next';

/** A call that failed, with the server's error body, or one made here when the server could not be reached. */
export class CallError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message || problem.code);
    this.name = 'CallError';
    this.problem = problem;
  }
}

/** An error body for what the server did not describe itself; `key` names its sentence where it is not that of the code. */
export function problemOf(status: number, code: ErrorCode, key = `errors.${code}`): Problem {
  return { type: typeOf(code), title: titleOf(code), status, code, request_id: '', message: i18next.t(key) };
}

/** The problem behind anything thrown; undefined for what is no failed call. */
export function problemFrom(error: unknown): Problem | undefined {
  return error instanceof CallError ? error.problem : undefined;
}

/** The sentence that tells a person what went wrong. */
export function sentenceOf(error: unknown): string {
  const problem = problemFrom(error);
  if (!problem) return i18next.t('errors.internal_error');
  return problem.message || i18next.t([`errors.${problem.code}`, 'errors.internal_error']);
}
