import type { ErrorCode, Problem } from './types.ts';

/** Base of all errors that this client throws itself. */
export class HeliographError extends Error {
  override name = 'HeliographError';
}

/** Error that the API answered; `message` is its sentence for people. */
export class ApiError extends HeliographError {
  override name = 'ApiError';
  /** HTTP status. */
  readonly status: number;
  /** Code for programs; undefined if a proxy or another system in between answered instead of the API. */
  readonly code: ErrorCode | (string & {}) | undefined;
  /** Cause of the code `unavailable`, if it is known, such as `database_full`. */
  readonly reason: Problem['reason'];
  /** Sentences by field, such as `recipients.3.to`. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Id of the call, to name in a support request. */
  readonly requestId: string | undefined;
  /** Whole body of the answer, as RFC 9457 defines it. */
  readonly problem: Partial<Problem>;
  /** Milliseconds to wait, if the answer named a time. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, problem: Partial<Problem>, retryAfterMs: number | undefined) {
    super(problem.message ?? problem.title ?? `The API answered ${status}.`);
    this.status = status;
    this.code = problem.code;
    this.reason = problem.reason;
    this.errors = problem.errors ?? {};
    this.requestId = problem.request_id;
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Error without an answer: the network failed, or `timeout` is true. It is unknown whether the request was processed.
 */
export class ConnectionError extends HeliographError {
  override name = 'ConnectionError';
  readonly timeout: boolean;

  constructor(message: string, timeout: boolean, cause: unknown) {
    super(message, { cause });
    this.timeout = timeout;
  }
}

/** Error of a received callback: a header is missing or wrong, it is too old, or no given secret fits its signature. */
export class WebhookError extends HeliographError {
  override name = 'WebhookError';
}
