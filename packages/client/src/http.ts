import { ApiError, ConnectionError, HeliographError } from './errors.ts';
import type { Problem } from './types.ts';

/** Options of a client. */
export interface ClientOptions {
  /** Address of the platform, such as `https://sms.example.com`. */
  url: string;
  /** API key made in the console, such as `hk_live_…`. */
  key: string;
  /** Maximum milliseconds of one try; 30,000 by default. */
  timeoutMs?: number;
  /** Maximum tries after the first one; 4 by default. They never do anything twice. */
  retries?: number;
  /** Function used instead of the global `fetch`. */
  fetch?: typeof fetch;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call and its retries. */
  signal?: AbortSignal;
  /** Maximum milliseconds of one try. */
  timeoutMs?: number;
  /** Maximum tries after the first one. */
  retries?: number;
}

export interface Call extends CallOptions {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  idempotencyKey?: string;
  /** True returns the bytes of a file instead of an object; `stream` returns them as they come, without an end in time. */
  bytes?: boolean | 'stream';
  headers?: Record<string, string>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
/** Maximum Retry-After that a call waits for; a longer one makes the call fail immediately. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/** Calls the API, and tries again if that can help. */
export class Http {
  readonly #options: Required<Omit<ClientOptions, 'fetch'>>;
  readonly #fetch: typeof fetch;

  constructor({ url, key, timeoutMs = 30_000, retries = 4, fetch: own }: ClientOptions) {
    if (!URL.canParse(url) || !/^https?:/.test(url))
      throw new HeliographError(`The url must be like https://sms.example.com, not ${JSON.stringify(url)}.`);
    if (!key) throw new HeliographError('The key is missing. Create one in the console, under API keys.');
    this.#options = { url: url.replace(/\/+$/, ''), key, timeoutMs, retries };
    this.#fetch = own ?? ((input, init) => globalThis.fetch(input, init));
  }

  /** Returns the answer of the API. Throws ApiError, ConnectionError, or the reason of the caller's signal. */
  async call<Reply>(call: Call): Promise<Reply> {
    const retries = call.retries ?? this.#options.retries;
    for (let tries = 0; ; tries++) {
      try {
        return (await this.#once(call)) as Reply;
      } catch (error) {
        const wait = waitOf(error, tries);
        if (wait === undefined || tries >= retries) throw error;
        await pause(wait, call.signal);
      }
    }
  }

  async #once({
    method,
    path,
    query = {},
    body,
    idempotencyKey,
    bytes,
    headers,
    signal,
    timeoutMs,
  }: Call): Promise<unknown> {
    const { url, key, timeoutMs: usual } = this.#options;
    const target = new URL(url + path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) target.searchParams.set(name, String(value));
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs ?? usual);
    try {
      const response = await this.#fetch(target, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          accept: bytes ? '*/*' : 'application/json',
          ...headers,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A key is for one host only, so redirects are refused.
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
      if (bytes === 'stream' && response.ok && response.body) return response.body;
      if (bytes && response.ok) return new Uint8Array(await response.arrayBuffer());
      const text = await response.text();
      if (response.ok) return JSON.parse(text);
      throw new ApiError(response.status, problemOf(text), retryAfter(response.headers.get('retry-after')));
    } catch (error) {
      if (error instanceof ApiError) throw error;
      signal?.throwIfAborted();
      if (late.signal.aborted) throw new ConnectionError(`${target.host} did not answer in time.`, true, error);
      const { message, cause } = error as Error & { cause?: Error };
      throw new ConnectionError(`${target.host} could not be reached: ${cause?.message || message}.`, false, error);
    } finally {
      clearTimeout(timer);
    }
  }
}

function problemOf(text: string): Partial<Problem> {
  try {
    const problem: unknown = JSON.parse(text);
    return typeof problem === 'object' && problem !== null ? problem : {};
  } catch {
    return {};
  }
}

/** Returns the milliseconds of a Retry-After header, which holds seconds or a date. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** Returns the milliseconds to wait before another try; undefined if no try can help. */
function waitOf(error: unknown, tries: number): number | undefined {
  const random = Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
  if (error instanceof ConnectionError) return random;
  if (!(error instanceof ApiError)) return undefined;
  const { status, code, retryAfterMs } = error;
  if (status !== 429 && status < 500 && code !== 'idempotency_in_flight') return undefined;
  if (retryAfterMs === undefined) return random;
  return retryAfterMs > LONGEST_RETRY_AFTER_MS ? undefined : Math.max(retryAfterMs, random);
}

/** Waits `ms` milliseconds. Rejects with the signal's reason as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, failed) => {
    if (signal?.aborted) return failed(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      failed(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
