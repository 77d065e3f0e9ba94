import Fastify from 'fastify';
import { createPool } from '../platform/db.ts';
import { type ProcessContext, publicUrl, type Running, runProcess, stopInOrder } from '../platform/shutdown.ts';
import { StartError } from '../platform/start-error.ts';

/** Starts the process that serves the console and the HTTP API. */
export async function startApi({ config, log }: ProcessContext): Promise<Running> {
  const pool = createPool(config, 'api');
  const app = Fastify({ loggerInstance: log, disableRequestLogging: true, trustProxy: config.TRUST_PROXY });
  app.get('/healthz', async (_request, reply) => {
    await pool.query('SELECT 1');
    return reply.send({ status: 'ok' });
  });
  try {
    await app.listen({ port: config.PORT, host: config.HOST });
  } catch (error) {
    throw new StartError(`The API cannot listen on ${config.HOST}:${config.PORT}: ${(error as Error).message}.`);
  }
  const address = app.server.address();
  return {
    url: publicUrl(config, typeof address === 'object' && address ? address.port : config.PORT),
    stop: () =>
      stopInOrder(
        [
          { name: 'requests', within: 8_000, stop: () => app.close() },
          { name: 'database sessions', within: 2_000, stop: () => pool.end() },
        ],
        log,
      ),
  };
}

if (import.meta.main) await runProcess('api', startApi);
