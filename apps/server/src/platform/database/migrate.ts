import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '@heliograph/installation/start-error';
import type pg from 'pg';
import { createClient } from './db.ts';

/** The project's own migrations. */
export const MIGRATIONS = join(import.meta.dirname, '../../../migrations');

/** Number of the advisory lock that keeps two migrations of one database apart; any fixed number would do. */
const LOCK = 4_857_191_700;
/**
 * Maximum time in ms that a migration waits for a table: everybody else who needs the table waits behind it. It is less
 * than the `deadlock_timeout` of others, so that the migration gives way before one of them is ended.
 */
const LOCK_TIMEOUT_MS = 500;
/** Time in ms after which a migration looks whether it is part of a deadlock. Who looks first is ended. */
const DEADLOCK_TIMEOUT_MS = 20;
const PAUSE_MS = 1_000;
const PATIENCE_MS = 10 * 60_000;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/** The oldest major version of PostgreSQL that Heliograph runs on. */
export const LEAST_POSTGRES = 18;

/** Throws a StartError that names the required version if PostgreSQL is too old. */
export async function requirePostgres(db: Pick<pg.Pool, 'query'>): Promise<void> {
  const { rows } = await db.query<{ version: string }>(`SELECT current_setting('server_version_num') AS version`);
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major >= LEAST_POSTGRES) return;
  throw new StartError(
    `The database is PostgreSQL ${major}; Heliograph needs PostgreSQL ${LEAST_POSTGRES} or later. Upgrade it, or set DATABASE_URL to another one.`,
  );
}

interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const migrations = names.sort().map((name): Migration => {
    const version = Number(/^(\d{4})_[a-z0-9_-]+\.sql$/.exec(name)?.[1]);
    if (!version) throw new StartError(`The migration ${name} must be named like 0001_first_tables.sql.`);
    // A checkout on Windows may have CRLF; that does not count as a change.
    const sql = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
    return { version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
  });
  // Numbers may be left out: branches that are written at the same time have ranges of their own.
  for (const [index, { version, name }] of migrations.entries()) {
    if (version === migrations[index - 1]?.version)
      throw new StartError(`The migration ${name} has the number of ${migrations[index - 1]!.name}.`);
  }
  return migrations;
}

/** The names of the migrations of a folder, in their order. */
export const migrationNames = (folder = MIGRATIONS): string[] => readMigrations(folder).map(({ name }) => name);

/** Answers a name for the state that `folder` brings a database to; it changes with every change of a migration. */
export function migrationsHash(folder = MIGRATIONS): string {
  const checksums = readMigrations(folder).map(({ checksum }) => checksum);
  return createHash('sha256').update(checksums.join()).digest('hex').slice(0, 16);
}

/**
 * Lists the migrations of this program that a database lacks, by name; migrations of a later program are no fault.
 * Throws if the database cannot be asked.
 */
export async function pendingMigrations(db: Pick<pg.Pool, 'query'>, folder = MIGRATIONS): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(`SELECT name FROM schema_migrations`);
  const applied = new Set(rows.map(({ name }) => name));
  return readMigrations(folder)
    .map(({ name }) => name)
    .filter((name) => !applied.has(name));
}

/** Tells whether a migration was applied; false if a lock was not free in time, and nothing has changed. */
async function applyMigration(client: pg.Client, { version, name, sql, checksum }: Migration): Promise<boolean> {
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    // Only who was granted this may set it.
    await client.query(`SELECT set_config('deadlock_timeout', '${DEADLOCK_TIMEOUT_MS}ms', true)
      WHERE has_parameter_privilege('deadlock_timeout', 'SET')`);
    await client.query(sql);
    await client.query('INSERT INTO schema_migrations (version, name, checksum) VALUES ($1, $2, $3)', [
      version,
      name,
      checksum,
    ]);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    const { code, message, position } = error as { code?: string; message: string; position?: string };
    if (code === LOCK_NOT_AVAILABLE || code === DEADLOCK) return false;
    const line = position ? ` (line ${sql.slice(0, Number(position)).split('\n').length})` : '';
    throw new StartError(`The migration ${name} failed${line} and changed nothing: ${message}.`);
  }
}

/** Applies a migration as soon as it gets its locks; traffic continues between its tries. */
async function applyInTraffic(client: pg.Client, migration: Migration): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await applyMigration(client, migration))) {
    if (performance.now() > deadline) {
      throw new StartError(
        `The migration ${migration.name} did not get its locks within 10 minutes and changed nothing. End the long transaction (\`npm run doctor\` shows the age of the oldest one), then run it again.`,
      );
    }
    await sleep(PAUSE_MS);
  }
}

/**
 * Brings the database up to date with the plain SQL files of `folder`, in their order, each in its own transaction.
 * Answers the names of those applied. A second process waits for the first. A migration never waits longer than half a
 * second for a lock, because all later statements would wait behind it: it gives up, and tries again. Throws a
 * StartError if an applied file has changed or is gone, or if the database cannot be reached.
 */
export async function migrate({ url, folder = MIGRATIONS }: { url: string; folder?: string }): Promise<string[]> {
  const migrations = readMigrations(folder);
  const client = createClient({ DATABASE_URL: url }, 'owner');
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new StartError(
      `The database cannot be reached: ${(error as Error).message || 'no answer'}. Check that PostgreSQL runs and that DATABASE_URL is correct.`,
    );
  }
  try {
    await requirePostgres(client);
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      version integer PRIMARY KEY,
      name text NOT NULL,
      checksum text NOT NULL,
      applied_at timestamptz NOT NULL DEFAULT now()
    )`);
    const { rows } = await client.query<Pick<Migration, 'version' | 'name' | 'checksum'>>(
      'SELECT version, name, checksum FROM schema_migrations ORDER BY version',
    );
    for (const applied of rows) {
      const file = migrations.find(({ version }) => version === applied.version);
      if (!file) {
        throw new StartError(
          `The database has the migration ${applied.name}, which this version of Heliograph does not have. Start the version that created it, or a later one.`,
        );
      }
      if (file.checksum !== applied.checksum || file.name !== applied.name) {
        throw new StartError(
          `The migration ${file.name} is not the one that was applied as ${applied.name}. Restore the file, and put changes into a new migration.`,
        );
      }
    }
    const known = new Set(rows.map(({ version }) => version));
    const pending = migrations.filter(({ version }) => !known.has(version));
    for (const migration of pending) await applyInTraffic(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
