import { request } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { testConnectivity } from '@heliograph/contract/links/connectivity-test';
import { tryBind } from '#modules/delivery';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { allowedAddress, hostOf, WEB_PORTS } from '#platform/outbound/outbound';

type Body = BodyOf<typeof testConnectivity>;
type Result = ReplyOf<typeof testConnectivity>['data'];
type Step = Result['steps'][number];

/** Target of a test; `path` is requested over HTTP. */
interface Target {
  host: string;
  port: number;
  tls: boolean;
  path: string;
}

const WITHIN_MS = 10_000;
/** Ports of mail and of SMPP that tenants may try besides those of the web; the platform's own people may try any. */
const OTHER_PORTS = [25, 465, 587, 2525, 2775, 2776, 3550, 3551];
const ANY_PORT = Array.from({ length: 65_535 }, (_, i) => i + 1);
/** A host name (RFC 1123). */
const HOST = /^(?=.{1,253}\.?$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)*[a-z\d]([a-z\d-]{0,61}[a-z\d])?\.?$/i;

/** Reads the target that a person typed. Throws `validation_failed` on `target` if it is no URL, host or address. */
function targetOf({ target, port, tls, check }: Pick<Body, 'target' | 'port' | 'tls' | 'check'>): Target {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(target)) {
    const url = URL.canParse(target) ? new URL(target) : undefined;
    const known = url && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
    if (!known || check === 'smpp') throw fieldError('target', 'invalid_url');
    return { ...hostOf(url), tls: url.protocol === 'https:', path: url.pathname + url.search };
  }
  const host = target.replace(/^\[(.*)\]$/, '$1');
  // Only digits and dots must be a full address: programs read `1.2.3` and `010.0.0.1` in different ways.
  const good = isIP(host) !== 0 || (HOST.test(host) && !/^[\d.]+$/.test(host));
  if (!good) throw fieldError('target', 'invalid_host');
  const usual = check === 'smpp' ? 2775 : tls ? 443 : 80;
  return { host, port: port ?? usual, tls, path: '/' };
}

/**
 * Resolves, connects, uses TLS if chosen, and then HTTP or SMPP if chosen. Reports the result of each step; all within
 * ten seconds. Only the status of the other side's answer is shown.
 */
async function tryTarget(
  config: Pick<Context['config'], 'PRIVATE_TARGETS'>,
  body: Body,
  target: Target,
  ports: readonly number[],
): Promise<Result> {
  const steps: Step[] = [];
  const open: Socket[] = [];
  const deadline = AbortSignal.timeout(WITHIN_MS);
  const timedOut = new Promise<never>((_, reject) =>
    deadline.addEventListener('abort', () => reject(Object.assign(new Error(), { code: 'timeout' })), { once: true }),
  );
  timedOut.catch(() => undefined);
  const step = async <T>(name: Step['step'], work: () => Promise<T>, detail: (done: T) => string): Promise<T> => {
    const started = performance.now();
    const took = () => Math.round(performance.now() - started);
    try {
      const done = await Promise.race([work(), timedOut]);
      steps.push({ step: name, outcome: 'done', milliseconds: took(), code: null, detail: detail(done) });
      return done;
    } catch (error) {
      const { code = 'connect_failed' } = error as { code?: string };
      steps.push({ step: name, outcome: 'failed', milliseconds: took(), code, detail: '' });
      throw error;
    }
  };
  const { host, port } = target;
  try {
    const address = await step(
      'resolve',
      () => allowedAddress(config, { host, port, ports }),
      (found) => found,
    );
    if (body.check === 'smpp') return await bindAt(address, target, body, steps);
    const plain = await step(
      'connect',
      () => connected(address, port, open),
      () => `${address}:${port}`,
    );
    const socket = target.tls
      ? await step(
          'tls',
          () => secured(plain, host, open),
          (secure) => secure.getProtocol() ?? '',
        )
      : plain;
    if (body.check === 'http')
      await step(
        'http',
        () => statusOf(socket, target),
        (status) => `HTTP ${status}`,
      );
    return { accessible: true, steps };
  } catch {
    return { accessible: false, steps };
  } finally {
    for (const socket of open) socket.destroy();
  }
}

/** Tries the bind: it connects only to the address that was checked. */
async function bindAt(address: string, target: Target, body: Body, steps: Step[]): Promise<Result> {
  const { bound, steps: tried } = await tryBind(
    {
      host: address,
      port: target.port,
      tls: target.tls,
      tls_ca: null,
      tls_verify_name: false,
      system_id: body.system_id,
      password: body.password,
      system_type: '',
      bind_mode: 'transceiver',
    },
    { within: WITHIN_MS },
  );
  return { accessible: bound, steps: [...steps, ...tried.filter(({ step }) => step !== 'resolve')] };
}

function connected(host: string, port: number, open: Socket[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => resolve(socket));
    open.push(socket);
    socket.on('error', reject);
  });
}

function secured(socket: Socket, host: string, open: Socket[]): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const secure = connectTls({ socket, host, servername: isIP(host) ? '' : host, minVersion: 'TLSv1.2' }, () =>
      resolve(secure),
    );
    open.push(secure);
    secure.on('error', reject);
    secure.on('close', () => reject(Object.assign(new Error(), { code: 'peer_closed' })));
  });
}

function statusOf(socket: Socket, { host, port, path }: Target): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        method: 'HEAD',
        path,
        headers: { host: `${isIP(host) === 6 ? `[${host}]` : host}:${port}`, connection: 'close' },
        createConnection: () => socket,
      },
      (response) => {
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

/** Tries a target for a person with the right to do so, and records it in the activity log. */
export async function runConnectivityTest(
  base: Pick<Context, 'config' | 'caller'>,
  { body }: { body: Body },
  run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
): Promise<ReplyOf<typeof testConnectivity>> {
  const target = targetOf(body);
  await run((ctx) =>
    audit(ctx, {
      name: 'connectivity-test',
      description: 'tested',
      subject_type: 'connectivity-test',
      subject_id: null,
      after: { host: target.host, port: target.port, check: body.check },
    }),
  );
  const { PRIVATE_TARGETS, PRIVATE_CARRIERS = [] } = base.config;
  // Tenants learn nothing about the networks behind which carriers are.
  const own = base.caller.scope_level < 2;
  const allowed = { PRIVATE_TARGETS: own ? [...PRIVATE_TARGETS, ...PRIVATE_CARRIERS] : PRIVATE_TARGETS };
  return { data: await tryTarget(allowed, body, target, own ? ANY_PORT : [...WEB_PORTS, ...OTHER_PORTS]) };
}
