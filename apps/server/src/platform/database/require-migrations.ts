import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@heliograph/installation/start-error';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { migrationNames, pendingMigrations, requirePostgres } from './migrate.ts';

/**
 * Maximum time in ms that a process waits for migrations: usually somebody runs them just then, and the process started
 * a little early.
 */
const PATIENCE_MS = 60_000;
/** Errors if the table of migrations does not exist, or is not readable for this role yet. */
const NOT_MIGRATED = new Set(['42P01', '42501']);
/** Errors of a refused login: it is unknown, its password differs, or pg_hba.conf has no entry for it. */
const REFUSED_LOGIN = /^28/;

/**
 * Lists the migrations of this program that the database lacks. Empty if the database cannot be asked: other checks
 * report that better.
 */
async function lacking(db: Pick<pg.Pool, 'query'>): Promise<string[]> {
  try {
    return await pendingMigrations(db);
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (REFUSED_LOGIN.test(code)) throw new RefusedLogin(message);
    if (!NOT_MIGRATED.has(code)) return [];
    await requirePostgres(db);
    return migrationNames();
  }
}

/** Login that the database refuses: perhaps `npm run migrate` has not created it yet. */
class RefusedLogin extends Error {}

/**
 * Finds the obstacle that keeps this process from its work, as one sentence; undefined if the database has all that it
 * needs.
 */
async function obstacleOf(db: Pick<pg.Pool, 'query'>): Promise<{ lacking: string; sentence: string } | undefined> {
  try {
    const [first, ...rest] = await lacking(db);
    if (first === undefined) return undefined;
    const names = rest.length === 0 ? first : `${first} and ${rest.length} more`;
    return {
      lacking: names,
      sentence: `The database is older than this version of Heliograph: it lacks ${names}. Run \`npm run migrate\` of this version first; processes of the version before go on meanwhile.`,
    };
  } catch (error) {
    if (!(error instanceof RefusedLogin)) throw error;
    return {
      lacking: error.message,
      sentence: `The database does not let this process in: ${error.message}. Run \`npm run migrate\` with the same DATABASE_ROLE_PASSWORD, or correct DATABASE_URL.`,
    };
  }
}

/**
 * Waits until the database has all migrations of this program and accepts the login, a minute at most; additions of a
 * later program are no fault. Throws a StartError that names the missing migration.
 */
export async function requireMigrations(
  db: Pick<pg.Pool, 'query'>,
  log: Logger,
  patience = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patience;
  for (let told = false; ; told = true) {
    const obstacle = await obstacleOf(db);
    if (obstacle === undefined) return;
    if (performance.now() >= deadline) throw new StartError(obstacle.sentence);
    if (!told) log.warn({ lacking: obstacle.lacking }, 'waiting for database migrations');
    await sleep(Math.min(500, patience));
  }
}
