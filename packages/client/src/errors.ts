import type { ErrorCode, Problem } from './types.ts';

/** Anything that this client throws by itself. */
export class HeliographError extends Error {
  override name = 'HeliographError';
}

/** The API answered with an error; `message` is its sentence for people. */
export class ApiError extends HeliographError {
  override name = 'ApiError';
  /** Of HTTP. */
  readonly status: number;
  /** For programs; undefined where something in between answered in the place of the API. */
  readonly code: ErrorCode | (string & {}) | undefined;
  /** The cause of the code `unavailable`, where it is known, such as `database_full`. */
  readonly reason: Problem['reason'];
  /** Sentences by field, such as `recipients.3.to`. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** To tell when asking about a call. */
  readonly requestId: string | undefined;
  /** The whole body, by RFC 9457. */
  readonly problem: Partial<Problem>;
  /** Milliseconds to wait, where the answer named a time. */
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

/** No answer came: the network failed, or `timeout`. Whether the request was done is not known. */
export class ConnectionError extends HeliographError {
  override name = 'ConnectionError';
  readonly timeout: boolean;

  constructor(message: string, timeout: boolean, cause: unknown) {
    super(message, { cause });
    this.timeout = timeout;
  }
}

/** What came to a receiver of callbacks is not signed with a secret of ours, or is too old. */
export class WebhookError extends HeliographError {
  override name = 'WebhookError';
}
