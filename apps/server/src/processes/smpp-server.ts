import { Counter } from 'prom-client';
import { shortLinkHost } from '#modules/campaigns';
import { Intake } from '#modules/intake';
import { SmppServer } from '#modules/smpp-server';
import { useNumberKey } from '#platform/person/number-digest';
import { systemClock } from '../platform/clock.ts';
import { createPool } from '../platform/database/db.ts';
import { fanOutCheck } from '../platform/fan-out/fan-out-check.ts';
import { type Checker, timelyCheck } from '../platform/operate/checks.ts';
import { beforeScrape, registry } from '../platform/operate/metrics.ts';
import { storeLog } from '../platform/process/log-store.ts';
import { type ProcessContext, type Running, runProcess } from '../platform/process/run-process.ts';
import { keptSecretKey } from '../platform/process/seal.ts';
import { stopInOrder } from '../platform/process/shutdown.ts';

/** Time in ms after the last renewal at which the binds' rows have expired; they are renewed every second. */
const RENEWALS_LATE_MS = 10_000;

const bindsCheck = (server: SmppServer): Checker =>
  timelyCheck('binds', {
    last: () => server.renewedAt,
    within: RENEWALS_LATE_MS,
    what: 'The renewal of binds',
    action: 'See the log of this process, and whether the database answers in time.',
  });

const portsCheck = (server: SmppServer): Checker => ({
  name: 'ports',
  look() {
    const { port, tls, tlsPort } = server.listening;
    const first = tls ? `Port ${port} takes binds with TLS` : `Port ${port} takes plain binds`;
    return { ok: true, detail: `${first}${tlsPort === undefined ? '.' : `, port ${tlsPort} binds with TLS.`}` };
  },
});

const counted = new Counter({
  name: 'heliograph_smpp_server_messages_total',
  help: "Messages of customers' programs that were taken, refused or throttled, and what was delivered to them.",
  labelNames: ['result'],
  registers: [registry],
});

/** Publishes the results of the binds' submits as metrics; the returned function ends that. */
function countSubmits(server: SmppServer): () => void {
  return beforeScrape(() => {
    counted.reset();
    for (const [result, count] of Object.entries(server.totals)) counted.inc({ result }, count);
  });
}

/** Starts the process that customers' programs bind to by SMPP. */
export async function startSmppServer({ config, log, readiness, stalled }: ProcessContext): Promise<Running> {
  const kept = storeLog(config, 'smpp-server');
  useNumberKey(config);
  const pool = createPool(config, 'worker');
  const intakePool = createPool(config, 'intake');
  const intake = new Intake(intakePool, {
    clock: systemClock,
    log,
    stalled,
    ownHosts: [shortLinkHost(config)],
    named: config.POOLER_URL === undefined,
    installationKey: keptSecretKey(config),
  });
  const server = new SmppServer({ config, pool, intake, log });
  await server.start();
  readiness?.add(fanOutCheck(() => server.fanOut));
  readiness?.add(portsCheck(server));
  readiness?.add(bindsCheck(server));
  const uncount = countSubmits(server);
  const { port, tls } = server.listening;
  return {
    url: `${tls ? 'smpps' : 'smpp'}://${config.HOST}:${port}`,
    stop: () =>
      stopInOrder(
        [
          { name: 'metrics', within: 100, stop: async () => uncount() },
          { name: 'binds', within: 7_000, stop: () => server.stop() },
          { name: 'intake', within: 3_000, stop: () => intake.close() },
          { name: 'database sessions', within: 2_000, stop: () => Promise.all([pool.end(), intakePool.end()]) },
          { name: 'log', within: 1_000, stop: () => kept.stop() },
        ],
        log,
      ),
  };
}

if (import.meta.main) await runProcess('smpp-server', startSmppServer);
