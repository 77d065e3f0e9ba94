import { Intake } from '#modules/intake';
import { SmppServer } from '#modules/smpp-server';
import { systemClock } from '../platform/clock.ts';
import { createPool } from '../platform/db.ts';
import { storeLog } from '../platform/log-store.ts';
import { type ProcessContext, type Running, runProcess, stopInOrder } from '../platform/shutdown.ts';

/** Starts the process that customers' programs bind to by SMPP. */
export async function startSmppServer({ config, log }: ProcessContext): Promise<Running> {
  const kept = storeLog(config, 'smpp-server');
  const pool = createPool(config, 'worker');
  const intakePool = createPool(config, 'intake');
  const intake = new Intake(intakePool, { clock: systemClock, log });
  const server = new SmppServer({ config, pool, intake, log });
  await server.start();
  return {
    url: `${config.SMPP_SERVER_TLS_CERT ? 'smpps' : 'smpp'}://${config.HOST}:${server.port}`,
    stop: () =>
      stopInOrder(
        [
          { name: 'binds', within: 7_000, stop: () => server.stop() },
          { name: 'intake', within: 4_000, stop: () => intake.close() },
          { name: 'database sessions', within: 2_000, stop: () => Promise.all([pool.end(), intakePool.end()]) },
          { name: 'log', within: 1_000, stop: () => kept.stop() },
        ],
        log,
      ),
  };
}

if (import.meta.main) await runProcess('smpp-server', startSmppServer);
