import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from './log.ts';
import { migrationNames, pendingMigrations, requirePostgres } from './migrate.ts';
import { StartError } from './start-error.ts';

/** Somebody migrates as a rule: a process that was started a little early waits so long, in ms. */
const PATIENCE_MS = 60_000;
const UNDEFINED_TABLE = '42P01';

/** What the database lacks of this program's migrations; nothing where it cannot be asked, which others say better. */
async function lacking(db: Pick<pg.Pool, 'query'>): Promise<string[]> {
  try {
    return await pendingMigrations(db);
  } catch (error) {
    if ((error as { code?: string }).code !== UNDEFINED_TABLE) return [];
    await requirePostgres(db);
    return migrationNames();
  }
}

/**
 * Waits until the database has all migrations of this program, a minute at most; what a later program has added is no fault.
 * Throws a StartError that names what it lacks.
 */
export async function requireMigrations(
  db: Pick<pg.Pool, 'query'>,
  log: Logger,
  patience = PATIENCE_MS,
): Promise<void> {
  const deadline = performance.now() + patience;
  for (let told = false; ; told = true) {
    const [first, ...rest] = await lacking(db);
    if (first === undefined) return;
    const names = rest.length === 0 ? first : `${first} and ${rest.length} more`;
    if (performance.now() >= deadline) {
      throw new StartError(
        `The database is older than this version of Heliograph: it lacks ${names}. Run \`npm run migrate\` of this version first; processes of the version before go on meanwhile.`,
      );
    }
    if (!told) log.warn({ lacking: names }, 'waiting for the database to be migrated');
    await sleep(Math.min(500, patience));
  }
}
