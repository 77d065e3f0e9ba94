import { chargeCard } from '../../src/modules/top-ups/charge-card.ts';
import { Providers } from '../../src/modules/top-ups/drivers/provider.ts';
import { lookAtTopUp, takeNotice } from '../../src/modules/top-ups/look.ts';
import { openPage } from '../../src/modules/top-ups/open-page.ts';
import { sendRefund } from '../../src/modules/top-ups/refund-top-up.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { createDatabase, createPool } from '../../src/platform/database/db.ts';
import { startEnqueuing } from '../../src/platform/jobs/jobs.ts';
import { createLogger } from '../../src/platform/log.ts';

import type { KilledJob } from './top-up-places.ts';

// Does a job of top-ups as a worker does, in a process that a test may kill.
const JOBS = { notice: takeNotice, look: lookAtTopUp, page: openPage, refund: sendRefund, charge: chargeCard };
const [job, id] = process.argv.slice(2);
const config = readConnectedConfig();
const pool = createPool(config, 'owner');
const worker = { database: createDatabase(pool), config, clock: systemClock, log: createLogger(config, 'worker') };
const enqueuing = await startEnqueuing(pool, worker.log);
const providers = new Providers(config);
await JOBS[job as KilledJob](worker, providers, Number(id));
await providers.close();
await enqueuing.stop();
await pool.end();
