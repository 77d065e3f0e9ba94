import { lookUpNumbers } from '../../src/modules/number-lookups/look-up.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { createDatabase, createPool } from '../../src/platform/database/db.ts';
import { createLogger } from '../../src/platform/log.ts';

// Looks up the numbers that wait, as a worker does, in a process that a test may kill.
const config = readConnectedConfig();
const pool = createPool(config, 'owner');
await lookUpNumbers(
  { database: createDatabase(pool), config, log: createLogger(config, 'worker') },
  new AbortController().signal,
);
await pool.end();
