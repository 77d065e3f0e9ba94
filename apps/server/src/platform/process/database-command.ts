import { embeddedAddress } from '@heliograph/installation/address';
import { StartError } from '@heliograph/installation/start-error';
import { createPool } from '../database/db.ts';
import { type ProcessContext, runCommand } from './run-process.ts';

const REACH_MS = 10_000;

/**
 * Runs a command on the database of DATABASE_URL or, if that is unset, on the embedded one that `npm start` runs. If
 * neither answers, one line names the fix.
 */
export async function runDatabaseCommand(
  name: string,
  work: (context: ProcessContext) => Promise<void>,
): Promise<void> {
  let embedded = false;
  await runCommand(
    name,
    async (context) => {
      await reach(context.config.DATABASE_URL, embedded ? context.config.DATA_DIR : undefined);
      await work(context);
    },
    ({ DATA_DIR }) => {
      embedded = true;
      const address = embeddedAddress(DATA_DIR);
      if (address) return address.url;
      throw new StartError(
        `The data folder ${DATA_DIR} holds no database, and DATABASE_URL is unset. Run \`npm start\`, leave it running, and run this again; or set DATABASE_URL.`,
        2,
      );
    },
  );
}

/** Opens one session and closes it; `dataDir` is the folder of an embedded database. */
async function reach(url: string, dataDir: string | undefined): Promise<void> {
  const pool = createPool({ DATABASE_URL: url }, 'owner', { max: 1, connectionTimeoutMillis: REACH_MS });
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    throw new StartError(
      dataDir === undefined
        ? `The database cannot be reached: ${(error as Error).message}. Check that PostgreSQL runs and that DATABASE_URL is correct.`
        : `The embedded database of ${dataDir} does not answer. Run \`npm start\`, leave it running, and run this again.`,
    );
  } finally {
    await pool.end();
  }
}
