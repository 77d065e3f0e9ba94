import { campaignRoutes } from '#modules/campaigns';
import type { Caller } from '#platform/context';
import { createDatabase, createPool } from '#platform/database/db';
import { createServer } from '#platform/http/server';
import { startEnqueuing } from '#platform/jobs/jobs';
import { createLogger } from '#platform/log';
import { takeTestSteps } from '../../src/modules/campaigns/variants/test-clock.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';

// Starts a test as the API does, or takes its next step as a worker does, in a process that a test may kill.

interface Work {
  now: number;
  /** Call that starts a test, with its caller; left out for a step of the clock. */
  start?: { url: string; body: object; caller: Omit<Caller, 'permissions'> & { permissions: string[] } };
}

const config = readConnectedConfig();
const log = createLogger(config, 'test', process.stderr);
const { now, start } = JSON.parse(process.env['AB_TEST_WORK']!) as Work;
const clock = { now: () => new Date(now) };
const pool = createPool(config, start ? 'api' : 'worker');
const database = createDatabase(pool);
const enqueuing = await startEnqueuing(pool, log);
if (start) {
  const caller = { ...start.caller, permissions: new Set(start.caller.permissions) };
  const server = await createServer(config, log);
  campaignRoutes({ server, database, config, clock, log, authenticate: async () => caller });
  await server.inject({
    method: 'POST',
    url: start.url,
    headers: { authorization: 'Bearer boss' },
    payload: start.body,
  });
  await server.close();
} else await takeTestSteps({ database, clock });
await enqueuing.stop();
await pool.end();
