import type { CallOptions, Http } from './http.ts';
import type { GetVerificationReply, StartVerificationReply, StartVerificationRequest } from './types.ts';

/** A verification of a phone number, and its status. */
export type Verification = GetVerificationReply;

/** Verifications of phone numbers by codes. */
export class Verify {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Sends a code to a number. A repetition with the same `idempotencyKey` sends no second one. */
  start(
    start: StartVerificationRequest,
    options: CallOptions & { idempotencyKey?: string } = {},
  ): Promise<StartVerificationReply> {
    const keyed = { idempotencyKey: crypto.randomUUID(), ...options };
    return this.#http.call({ method: 'POST', path: '/v1/verifications', body: start, ...keyed });
  }

  /** Checks the code that the person entered. Let them in only if `status` is `approved`. */
  check(id: string, code: string, options: CallOptions = {}): Promise<Verification> {
    return this.#act(id, 'check', { code }, options);
  }

  /** Sends the same code once more. */
  resend(id: string, options: CallOptions = {}): Promise<Verification> {
    return this.#act(id, 'resend', {}, options);
  }

  /** Ends a verification: its code is not accepted any more. */
  cancel(id: string, options: CallOptions = {}): Promise<Verification> {
    return this.#act(id, 'cancel', {}, options);
  }

  /** Returns a verification, with the states of its messages. */
  get(id: string, options: CallOptions = {}): Promise<Verification> {
    return this.#http.call({ method: 'GET', path: `/v1/verifications/${encodeURIComponent(id)}`, ...options });
  }

  #act(id: string, action: string, body: object, options: CallOptions): Promise<Verification> {
    const path = `/v1/verifications/${encodeURIComponent(id)}/${action}`;
    // A call that is tried again could take one try more.
    return this.#http.call({ method: 'POST', path, body, retries: 0, ...options });
  }
}
