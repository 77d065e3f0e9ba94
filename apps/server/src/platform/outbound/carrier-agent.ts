import { isIP } from 'node:net';
import type { Pool } from 'undici';
import { type CarrierConfig, carrierLookup } from './outbound.ts';

let loaded: Promise<typeof import('undici')> | undefined;
/** Loads the HTTP client with the first link that needs it. */
const library = () => (loaded ??= import('undici'));

/** Time in ms for which an idle connection stays open, unless the other side names less. */
const IDLE_MS = 4_000;
/** Bytes of an answer after which it counts as ended, so that no answer fills the memory or never ends. */
const MOST_BYTES = 524_288;

/** TLS settings of a carrier: which authorities are trusted, and whether the certificate must name the host. */
export interface CarrierTls {
  ca?: string;
  checkServerIdentity?: () => undefined;
}

export interface CarrierRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

/** A whole answer, whatever its status. */
export interface CarrierAnswer {
  status: number;
  body: string;
  retry_after: string | null;
}

/** Failure of a request. `left` is false only if no byte of it can have left. */
export interface CarrierFailure {
  left: boolean;
  error: Error;
}

/** A running request; exactly one of `onAnswer` and `onFailure` is called, unless it is dropped. */
export interface RunningRequest {
  /** Ends the request without a further call. */
  drop(): void;
}

export interface CarrierAgentOptions {
  trust: CarrierTls;
  /** Maximum time in ms to connect. */
  connectMs: number;
  config: CarrierConfig;
}

/**
 * Caller of one carrier's HTTP API over connections that stay open. It connects where SMPP links may. Redirects are not
 * followed, and no request is ever repeated.
 */
export class CarrierAgent {
  readonly #origin: string;
  readonly #options: CarrierAgentOptions;
  #opened: Promise<Pool> | undefined;

  constructor(url: string, options: CarrierAgentOptions) {
    this.#origin = new URL(url).origin;
    this.#options = options;
  }

  /** Makes the function that connects: only to addresses that PRIVATE_CARRIERS allows. */
  #connector({ buildConnector }: Awaited<ReturnType<typeof library>>): ReturnType<typeof buildConnector> {
    const { trust, connectMs, config } = this.#options;
    const { lookup, refuse } = carrierLookup(config);
    const checked = config.PRIVATE_CARRIERS === undefined ? {} : { lookup };
    const connect = buildConnector({ allowH2: false, timeout: connectMs, ...trust, ...checked } as object);
    return (options, done) => {
      // An address needs no look-up.
      const refused = isIP(options.hostname) === 0 ? undefined : refuse(options.hostname);
      if (refused) done(refused, null);
      else connect(options, done);
    };
  }

  #pool(): Promise<Pool> {
    this.#opened ??= library().then((undici) => {
      const pool = new undici.Pool(this.#origin, {
        allowH2: false,
        // Each request has a deadline of its own.
        headersTimeout: 0,
        bodyTimeout: 0,
        pipelining: 1,
        keepAliveTimeout: IDLE_MS,
        connect: this.#connector(undici),
      });
      return pool;
    });
    return this.#opened;
  }

  /** Sends a request once. */
  send(
    request: CarrierRequest,
    { onAnswer, onFailure }: { onAnswer(answer: CarrierAnswer): void; onFailure(failure: CarrierFailure): void },
  ): RunningRequest {
    const url = new URL(request.url);
    let left = false;
    let over = false;
    let abort: (() => void) | undefined;
    let status = 0;
    let retry_after: string | null = null;
    let bytes = 0;
    const chunks: Buffer[] = [];
    const failed = (error: Error) => {
      if (over) return;
      over = true;
      onFailure({ left, error });
    };
    const answered = () => {
      if (over) return;
      over = true;
      onAnswer({ status, body: Buffer.concat(chunks).toString('utf8'), retry_after });
    };
    if (url.origin !== this.#origin) queueMicrotask(() => failed(new Error('the address is of another host')));
    else
      this.#pool().then(
        (pool) => {
          if (over) return;
          pool.dispatch(
            {
              path: `${url.pathname}${url.search}`,
              method: request.method,
              headers: request.headers as Record<string, string>,
              body: request.body ?? null,
            },
            {
              onRequestStart(controller) {
                abort = () => controller.abort(new Error('dropped'));
                if (over) abort();
                else left = true;
              },
              onResponseStart(_controller, code, headers) {
                status = code;
                retry_after = headers['retry-after'] === undefined ? null : String(headers['retry-after']);
              },
              onResponseData(controller, chunk) {
                bytes += chunk.length;
                if (over) return;
                chunks.push(chunk);
                if (bytes < MOST_BYTES) return;
                answered();
                controller.abort(new Error('the answer is too long'));
              },
              onResponseEnd: answered,
              onResponseError: (_controller, error) => failed(error),
            },
          );
        },
        (error: Error) => failed(error),
      );
    return {
      drop() {
        over = true;
        abort?.();
      },
    };
  }

  /** Opens one connection, with TLS if the address says so, and closes it. Rejects if that fails. */
  async reach(): Promise<void> {
    const connect = this.#connector(await library());
    const { hostname, protocol, port } = new URL(this.#origin);
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    await new Promise<void>((resolve, reject) => {
      connect(
        {
          hostname: host,
          protocol,
          port: port || (protocol === 'https:' ? '443' : '80'),
          ...(protocol === 'https:' && isIP(host) === 0 && { servername: host }),
        },
        (error, socket) => {
          if (error) reject(error);
          else {
            socket.destroy();
            resolve();
          }
        },
      );
    });
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    const pool = await this.#opened?.catch(() => undefined);
    await pool?.destroy();
  }
}
