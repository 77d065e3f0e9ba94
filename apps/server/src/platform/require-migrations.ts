import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from './log.ts';
import { migrationNames, pendingMigrations, requirePostgres } from './migrate.ts';
import { StartError } from './start-error.ts';

/** Somebody migrates as a rule: a process that was started a little early waits so long, in ms. */
const PATIENCE_MS = 60_000;
/** The table of migrations is not there, or not open to this role yet. */
const NOT_MIGRATED = new Set(['42P01', '42501']);
/** PostgreSQL does not let a login in: it is unknown, its password is another one, or pg_hba.conf has no place for it. */
const REFUSED_LOGIN = /^28/;

/** What the database lacks of this program's migrations; nothing where it cannot be asked, which others say better. */
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

/** A login that the database refuses: `npm run migrate` may not have made it yet. */
class RefusedLogin extends Error {}

/** What keeps this process from its work, as one sentence; undefined where the database has all that it needs. */
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
 * Waits until the database has all migrations of this program and lets it in, a minute at most; what a later program has
 * added is no fault. Throws a StartError that names what it lacks.
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
    if (!told) log.warn({ lacking: obstacle.lacking }, 'waiting for the database to be migrated');
    await sleep(Math.min(500, patience));
  }
}
