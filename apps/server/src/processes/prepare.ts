import { readdirSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { StartError } from '@heliograph/installation/start-error';
import { type ConnectedConfig, readConnectedConfig } from '../platform/config/config.ts';
import { createClient } from '../platform/database/db.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import { DEMO_LOGINS } from '../seed/demo-logins.ts';
import { seedPayments } from '../seed/demo-payments.ts';
import { seedDemo } from '../seed/index.ts';
import { refuseDemoSeed, refuseOpenDemo } from './open-demo.ts';
import { prepareDatabase } from './prepare-database.ts';

// Prepares the database for `npm start`, in a process of its own: the supervisor would keep in memory all that this
// loads. Reports `{ demo }` to its parent, or the line and the exit code of a StartError.

/** Processes whose modules are compiled before they start, and the least number of files in a cache that has them. */
const PROCESSES = ['sender.ts', 'worker.ts', 'smpp-server.ts', 'api.ts'];
const FILES_IN_CACHE = 100;

/** Report of the preparation to the process that started it. */
export type Prepared = { demo: boolean } | { fault: string; exitCode: number };

/** Fills an empty database with the demo if the settings ask for it; answers whether the demo is in. */
async function seed(config: ConnectedConfig, log: Logger): Promise<boolean> {
  const url = config.DATABASE_URL;
  const client = createClient({ DATABASE_URL: url }, 'owner');
  await client.connect();
  try {
    const { rows } = await client.query<{ empty: boolean }>('SELECT NOT EXISTS (SELECT FROM user_account) AS empty');
    if (config.SEED_DEMO && rows[0]?.empty) {
      refuseDemoSeed(config);
      log.info('adding demo data to the empty database');
      await seedDemo({ url, config, log });
      await seedPayments(client, config);
      // The simulator is a part of `npm start` only, so the demo of tests has no service that is asked.
      await client.query(
        `INSERT INTO number_source (name, driver, unit_cost, daily_lookups) VALUES ('Simulated lookups', 'simulator', 1500, 100000)`,
      );
    }
    await refuseOpenDemo(config, client);
    const demo = await client.query('SELECT FROM user_account WHERE email = $1', [DEMO_LOGINS[0].email]);
    return demo.rowCount === 1;
  } finally {
    await client.end();
  }
}

/** Fills an empty compile cache, so that no process needs the compiler of TypeScript in its own memory. */
async function fillCompileCache(): Promise<void> {
  const folder = getCompileCacheDir();
  if (folder === undefined || readdirSync(folder).length >= FILES_IN_CACHE) return;
  await Promise.all(PROCESSES.map((file) => import(new URL(file, import.meta.url).href)));
}

async function prepare(log: Logger, config: ConnectedConfig): Promise<Prepared> {
  try {
    const applied = await prepareDatabase(config.DATABASE_URL, config.DATABASE_ROLE_PASSWORD);
    if (applied.length > 0) log.info({ applied }, 'database migrated');
    const demo = await seed(config, log);
    await fillCompileCache();
    return { demo };
  } catch (error) {
    if (error instanceof StartError) return { fault: error.message, exitCode: error.exitCode };
    log.fatal({ err: error }, 'start failed');
    process.exit(1);
  }
}

// Ends with the supervisor: no other process waits for this one.
process.once('disconnect', () => process.exit(1));
const config = readConnectedConfig();
process.send!(await prepare(createLogger(config, 'heliograph'), config), () => process.exit(0));
