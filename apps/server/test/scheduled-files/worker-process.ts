import { createDatabase, createPool } from '#platform/database/db';
import { createLogger } from '#platform/log';
import { sendFiles } from '../../src/modules/scheduled-files/run-files.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';

// Runs the work of a worker on a scheduled file as a separate process, so that a test can kill it.
const config = readConnectedConfig();
const pool = createPool(config, 'worker');
const now = new Date(Number(process.env['FILE_NOW']));
const worker = {
  pool,
  database: createDatabase(pool),
  config,
  clock: { now: () => now },
  log: createLogger(config, 'worker', process.stderr),
};
process.send?.({});
await sendFiles(worker, Number(process.env['FILE_ID']), new AbortController().signal);
await pool.end();
