import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { testBind } from '@heliograph/contract/links/link';
import { Session, STATUS, statusName } from '@heliograph/smpp';
import { type CarrierConfig, carrierAddresses } from '#platform/outbound/outbound';
import { tlsOptions } from './connection-options.ts';
import type { Link } from './link.ts';

type Result = ReplyOf<typeof testBind>['data'];
type Step = Result['steps'][number];

/** Settings of the bind to test. */
export type BindAttempt = Pick<
  Link,
  'host' | 'port' | 'tls' | 'tls_ca' | 'tls_verify_name' | 'system_id' | 'system_type' | 'bind_mode'
> & {
  /** Over HTTP the test ends with the connection. */
  protocol?: 'smpp' | 'http';
  password: string;
};

const WITHIN_MS = 5_000;

/** Failure of a step, by its code; `timeout` if the time was over. */
class StepFailure extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/**
 * Resolves, connects, starts TLS if requested, binds and unbinds, and reports the result of each step; all within five
 * seconds. It connects only to an address that PRIVATE_CARRIERS allows. Never rejects.
 */
export async function tryBind(
  attempt: BindAttempt,
  { within = WITHIN_MS, config = {} }: { within?: number; config?: CarrierConfig } = {},
): Promise<Result> {
  const isAllowed = carrierAddresses(config);
  const deadline = AbortSignal.timeout(within);
  const timedOut = new Promise<never>((_, reject) =>
    deadline.addEventListener('abort', () => reject(new StepFailure('timeout')), { once: true }),
  );
  timedOut.catch(() => undefined);
  const steps: Step[] = [];
  const open: Socket[] = [];
  const step = async <T>(name: Step['step'], work: () => Promise<T>, detail: (done: T) => string): Promise<T> => {
    const started = performance.now();
    const note = (rest: Pick<Step, 'outcome' | 'code' | 'detail'>) =>
      steps.push({ step: name, milliseconds: Math.round(performance.now() - started), ...rest });
    try {
      const done = await Promise.race([work(), timedOut]);
      note({ outcome: 'done', code: null, detail: detail(done) });
      return done;
    } catch (error) {
      note({ outcome: 'failed', code: (error as { code?: string }).code ?? 'connect_failed', detail: '' });
      throw error;
    }
  };
  try {
    const address = await step(
      'resolve',
      async () => {
        // The sender asks for all addresses, and connects to none if one of them is not allowed.
        const [first, ...others] = await lookup(attempt.host, { all: true });
        if (![first!, ...others].every(({ address }) => isAllowed(address)))
          throw new StepFailure('address_not_allowed');
        return first!;
      },
      (found) => found.address,
    );
    const plain = await step(
      'connect',
      () => connected(address.address, attempt.port, open),
      () => `${address.address}:${attempt.port}`,
    );
    const socket = await (attempt.tls
      ? step(
          'tls',
          () => secured(plain, attempt, open),
          (secure) => secure.getProtocol() ?? '',
        )
      : plain);
    if (!attempt.tls) steps.push({ step: 'tls', outcome: 'skipped', milliseconds: 0, code: null, detail: '' });
    if (attempt.protocol === 'http') {
      steps.push({ step: 'bind', outcome: 'skipped', milliseconds: 0, code: null, detail: '' });
      return { bound: true, steps };
    }
    await step(
      'bind',
      () => bound(socket, attempt),
      (systemId) => systemId,
    );
    return { bound: true, steps };
  } catch {
    const order = ['resolve', 'connect', 'tls', 'bind'] as const;
    for (const rest of order.slice(steps.length))
      steps.push({ step: rest, outcome: 'skipped', milliseconds: 0, code: null, detail: '' });
    return { bound: false, steps };
  } finally {
    for (const socket of open) socket.destroy();
  }
}

function connected(host: string, port: number, open: Socket[]): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port }, () => resolve(socket));
    open.push(socket);
    socket.on('error', reject);
  });
}

function secured(plain: Socket, attempt: BindAttempt, open: Socket[]) {
  return new Promise<ReturnType<typeof connectTls>>((resolve, reject) => {
    const options = { minVersion: 'TLSv1.2', host: attempt.host, ...tlsOptions(attempt), socket: plain } as const;
    const socket = connectTls(options, () => resolve(socket));
    open.push(socket);
    socket.on('error', reject);
    socket.on('close', () => reject(new StepFailure('peer_closed')));
  });
}

/** Binds, unbinds and answers the carrier's own name. */
function bound(socket: Socket, attempt: BindAttempt): Promise<string> {
  const mode = attempt.bind_mode === 'transceiver' ? 'transceiver' : 'transmitter';
  return new Promise((resolve, reject) => {
    const session = new Session<undefined>(
      socket,
      'esme',
      { drainMs: 100, responseMs: 500 },
      {
        onBound: (open) => {
          resolve(open.systemId);
          void open.unbind();
        },
        onClose: ({ reason, status }) =>
          reject(new StepFailure(status !== undefined && status !== STATUS.ROK ? statusName(status) : reason)),
      },
    );
    session.startBind({
      mode,
      system_id: attempt.system_id,
      password: attempt.password,
      system_type: attempt.system_type,
    });
  });
}
