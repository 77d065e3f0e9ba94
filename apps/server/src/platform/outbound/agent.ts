import { isIP } from 'node:net';
import { buildConnector, Pool } from 'undici';
import type { ConnectedConfig } from '../config/config.ts';
import { beginningOf, failed, faultOf, faultOfStatus, type OutboundAnswer, type OutboundCall } from './call.ts';
import { allowedAddress, hostOf, WEB_PORTS } from './outbound.ts';

const IDLE_MS = 30_000;

/** Answer of a call, and the pause that its sender asks for. */
export interface AgentAnswer extends OutboundAnswer {
  /** Value of the header Retry-After. */
  retry_after: string | null;
}

/**
 * Calls addresses that tenants named over connections that stay open, for those that are called often. The same
 * protections as in `callOut` apply to every new connection. The host is resolved once, private targets are refused,
 * redirects are not followed, and the call ends after `withinMs` or `maxBytes`.
 */
export class OutboundAgent {
  readonly #config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>;
  readonly #bounds: { withinMs: number; maxBytes: number };
  readonly #resolve: Parameters<typeof allowedAddress>[2];
  readonly #pools = new Map<string, { pool: Pool; calls: number; usedAt: number }>();
  readonly #sweeping: NodeJS.Timeout;

  constructor(
    config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>,
    bounds: { withinMs: number; maxBytes: number },
    resolve?: Parameters<typeof allowedAddress>[2],
  ) {
    this.#config = config;
    this.#bounds = bounds;
    this.#resolve = resolve;
    this.#sweeping = setInterval(() => this.#closeIdle(), IDLE_MS);
    this.#sweeping.unref();
  }

  /** Calls once. Never throws. */
  call(call: OutboundCall): Promise<AgentAnswer> {
    const url = URL.canParse(call.url) ? new URL(call.url) : undefined;
    if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
      return Promise.resolve({ ...failed('bad_address'), retry_after: null });
    const { withinMs, maxBytes } = this.#bounds;
    const entry = this.#pool(url);
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
      const whole = () => ({ status, fault: faultOfStatus(status), type, body: beginningOf(chunks) });
      const deadline = setTimeout(() => {
        finish(failed('timeout'));
        abort?.();
      }, withinMs);
      try {
        entry.pool.dispatch(
          {
            path: `${url.pathname}${url.search}`,
            method: call.method,
            headers: call.headers as Record<string, string>,
            body: call.body ?? null,
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
              if (bytes <= maxBytes + chunk.length) chunks.push(chunk);
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

  #pool(url: URL) {
    const present = this.#pools.get(url.origin);
    if (present) return present;
    const connect = buildConnector({ allowH2: false, timeout: this.#bounds.withinMs });
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
