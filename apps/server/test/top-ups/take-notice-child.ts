import { Providers } from '../../src/modules/top-ups/drivers/provider.ts';
import { lookAtTopUp, takeNotice } from '../../src/modules/top-ups/look.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { createDatabase, createPool } from '../../src/platform/database/db.ts';
import { createLogger } from '../../src/platform/log.ts';

// Takes a payment notice, or looks at a top-up, as a worker does, in a process that a test may kill.
const [what, id] = process.argv.slice(2);
const config = readConnectedConfig();
const pool = createPool(config, 'owner');
const worker = { database: createDatabase(pool), config, clock: systemClock, log: createLogger(config, 'worker') };
const providers = new Providers(config);
if (what === 'notice') await takeNotice(worker, providers, Number(id));
else await lookAtTopUp(worker, providers, Number(id));
await providers.close();
await pool.end();
