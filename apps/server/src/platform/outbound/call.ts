import { once } from 'node:events';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { ConnectedConfig } from '../config/config.ts';
import { allowedAddress, hostOf, TargetError, type TargetFault, WEB_PORTS } from './outbound.ts';

/** Reason why a call got no valid answer: the target, its certificate, the connection, or the answer itself. */
type CallFault = TargetFault | 'bad_address' | 'timeout' | 'tls' | 'unreachable' | 'redirect' | 'http_status';

/** A call to an address that a tenant named. */
export interface OutboundCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** Result of a call; `status` is null if nobody answered. */
export interface OutboundAnswer {
  status: number | null;
  fault: CallFault | null;
  /** Content type, without its parameters. */
  type: string;
  /** The first 64 KB. */
  body: string;
}

const WITHIN_MS = 10_000;
const MAX_BYTES = 65_536;

export const failed = (fault: CallFault): OutboundAnswer => ({ status: null, fault, type: '', body: '' });

/** Answers the fault for an error on the way. */
export function faultOf(error: unknown): CallFault {
  if (error instanceof TargetError) return error.code;
  const { code = '' } = error as { code?: string };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  return /CERT|TLS|SSL|SIGNATURE|ALTNAME/.test(code) ? 'tls' : 'unreachable';
}

/** A redirect counts as no answer: its target was not checked. */
export const faultOfStatus = (status: number): CallFault | null =>
  status >= 300 && status < 400 ? 'redirect' : status >= 200 && status < 300 ? null : 'http_status';

export const beginningOf = (chunks: readonly Buffer[]): string =>
  Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8');

/**
 * Calls an address that a tenant named. Its host is resolved once, and the connection goes to the checked address.
 * Private targets are refused (see `allowedAddress`), redirects are not followed, and the call ends after 10 s or 64
 * KB. Never throws.
 */
export async function callOut(
  config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>,
  call: OutboundCall,
  resolve?: Parameters<typeof allowedAddress>[2],
): Promise<OutboundAnswer> {
  if (!URL.canParse(call.url)) return failed('bad_address');
  const url = new URL(call.url);
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return failed('bad_address');
  const deadline = AbortSignal.timeout(WITHIN_MS);
  try {
    const address = await Promise.race([
      allowedAddress(config, { ...hostOf(url), ports: WEB_PORTS }, resolve),
      once(deadline, 'abort').then(() => Promise.reject(deadline.reason)),
    ]);
    return await exchange(url, address, call, deadline);
  } catch (error) {
    return failed(deadline.aborted && !(error instanceof TargetError) ? 'timeout' : faultOf(error));
  }
}

function exchange(url: URL, address: string, call: OutboundCall, signal: AbortSignal): Promise<OutboundAnswer> {
  const family = isIP(address);
  return new Promise((answered, broken) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        method: call.method,
        headers: { ...call.headers, 'content-length': Buffer.byteLength(call.body ?? ''), connection: 'close' },
        agent: false,
        signal,
        // The connection goes to the checked address, even if a second look-up would answer another.
        lookup: (_host, options, done) =>
          options.all ? done(null, [{ address, family }]) : done(null, address, family),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        const end = () => {
          const status = response.statusCode ?? 0;
          const type = (response.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
          answered({ status, fault: faultOfStatus(status), type, body: beginningOf(chunks) });
        };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes < MAX_BYTES) return;
          end();
          response.destroy();
        });
        response.once('end', end);
        response.once('error', broken);
      },
    );
    request.once('error', broken);
    request.end(call.body);
  });
}
