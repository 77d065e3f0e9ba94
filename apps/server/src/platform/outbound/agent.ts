import { isIP } from 'node:net';
import type { Pool } from 'undici';
import type { ConnectedConfig } from '../config/config.ts';
import { allowedAddress, hostOf, TargetError, type TargetFault, WEB_PORTS } from './outbound.ts';

let loaded: Promise<typeof import('undici')> | undefined;
/** Loads the HTTP client with the first call: most processes make none. */
const library = () => (loaded ??= import('undici'));

const IDLE_MS = 30_000;
/** Maximum duration of a call. */
export const CALL_MS = 10_000;

/** Reason why a call got no valid answer: the target, its certificate, the connection, or the answer itself. */
type CallFault = TargetFault | 'bad_address' | 'timeout' | 'tls' | 'unreachable' | 'redirect' | 'http_status';

/** A call to an address that a tenant named. */
export interface OutboundCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** True if the connection ends after the call, for receivers that are called now and then. */
  once?: boolean;
}

/** Result of a call; `status` is null if nobody answered. */
export interface OutboundAnswer {
  status: number | null;
  fault: CallFault | null;
  /** Content type, without its parameters. */
  type: string;
  /** Beginning of the body. */
  body: string;
  /** Value of the header Retry-After. */
  retry_after: string | null;
}

const failed = (fault: CallFault): OutboundAnswer => ({ status: null, fault, type: '', body: '', retry_after: null });

/** Answers the fault for an error on the way. */
function faultOf(error: unknown): CallFault {
  if (error instanceof TargetError) return error.code;
  const { code = '' } = error as { code?: string };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  return /CERT|TLS|SSL|SIGNATURE|ALTNAME/.test(code) ? 'tls' : 'unreachable';
}

/** A redirect counts as no answer: its target was not checked. */
const faultOfStatus = (status: number): CallFault | null =>
  status >= 300 && status < 400 ? 'redirect' : status >= 200 && status < 300 ? null : 'http_status';

/**
 * Calls addresses that tenants named, usually over connections that stay open. At every new connection the host is resolved
 * once, and the connection goes to the checked address. Private targets are refused (see `allowedAddress`), and
 * redirects are not followed.
 */
export class OutboundAgent {
  readonly #config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>;
  readonly #resolve: Parameters<typeof allowedAddress>[2];
  readonly #pools = new Map<string, { pool: Pool; calls: number; usedAt: number }>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>, resolve?: Parameters<typeof allowedAddress>[2]) {
    this.#config = config;
    this.#resolve = resolve;
    this.#sweeping = setInterval(() => this.#closeIdle(), IDLE_MS);
    this.#sweeping.unref();
  }

  /** Calls once, and reads at most `maxBytes` of the answer, within ten seconds. Never throws. */
  async call(call: OutboundCall, maxBytes: number): Promise<OutboundAnswer> {
    const url = URL.canParse(call.url) ? new URL(call.url) : undefined;
    if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
      return failed('bad_address');
    const entry = this.#pool(url, await library());
    entry.calls++;
    return new Promise((answered) => {
      let over = false;
      let status = 0;
      let type = '';
      let retry_after: string | null = null;
      let bytes = 0;
      const chunks: Buffer[] = [];
      let abort: (() => void) | undefined;
      const finish = (answer: OutboundAnswer) => {
        if (over) return;
        over = true;
        clearTimeout(deadline);
        entry.calls--;
        entry.usedAt = performance.now();
        answered({ ...answer, retry_after });
      };
      const whole = () => ({
        status,
        fault: faultOfStatus(status),
        type,
        body: Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8'),
        retry_after,
      });
      const deadline = setTimeout(() => {
        finish(failed('timeout'));
        abort?.();
      }, CALL_MS);
      try {
        entry.pool.dispatch(
          {
            path: `${url.pathname}${url.search}`,
            method: call.method,
            headers: call.headers as Record<string, string>,
            body: call.body ?? null,
            reset: call.once ?? false,
          },
          {
            onRequestStart(controller) {
              abort = () => controller.abort(new Error('over'));
              if (over) abort();
            },
            onResponseStart(_controller, code, headers) {
              status = code;
              type = String(headers['content-type'] ?? '')
                .split(';', 1)[0]!
                .trim()
                .toLowerCase();
              retry_after = headers['retry-after'] === undefined ? null : String(headers['retry-after']);
            },
            onResponseData(_controller, chunk) {
              bytes += chunk.length;
              chunks.push(chunk);
              if (bytes < maxBytes) return;
              finish(whole());
              abort?.();
            },
            onResponseEnd: () => finish(whole()),
            onResponseError: (_controller, error) => finish(failed(faultOf(error))),
          },
        );
      } catch (error) {
        finish(failed(faultOf(error)));
      }
    });
  }

  #pool(url: URL, { buildConnector, Pool }: Awaited<ReturnType<typeof library>>) {
    const present = this.#pools.get(url.origin);
    if (present) return present;
    const connect = buildConnector({ allowH2: false, timeout: CALL_MS });
    const pool = new Pool(url.origin, {
      allowH2: false,
      // Each call has its own deadline for the whole call.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      connect: (options, done) => {
        const target = hostOf(url);
        allowedAddress(this.#config, { ...target, ports: WEB_PORTS }, this.#resolve).then(
          // The connection goes to the checked address, even if a second look-up would answer another.
          (address) =>
            connect(
              {
                ...options,
                hostname: address,
                ...(url.protocol === 'https:' && isIP(target.host) === 0 && { servername: target.host }),
              },
              done,
            ),
          (error: Error) => done(error, null),
        );
      },
    });
    const made = { pool, calls: 0, usedAt: performance.now() };
    this.#pools.set(url.origin, made);
    return made;
  }

  #closeIdle(): void {
    const long = performance.now() - 2 * IDLE_MS;
    for (const [origin, { pool, calls, usedAt }] of this.#pools) {
      if (calls > 0 || usedAt > long) continue;
      this.#pools.delete(origin);
      void pool.destroy();
    }
  }

  /** Ends all connections, and the calls that are running. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.all([...this.#pools.values()].map(({ pool }) => pool.destroy()));
    this.#pools.clear();
  }
}

/** Makes one call over connections of its own, which are closed with it. Never throws. */
export async function callOnce(
  config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>,
  call: OutboundCall,
  maxBytes: number,
): Promise<OutboundAnswer> {
  const agent = new OutboundAgent(config);
  try {
    return await agent.call({ ...call, once: true }, maxBytes);
  } finally {
    await agent.close();
  }
}
