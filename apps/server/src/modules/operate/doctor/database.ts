import type pg from 'pg';
import { LEAST_POSTGRES, migrationNames } from '#platform/database/migrate';
import { bad, type Found, type Look, ok, warn } from './finding.ts';

/** Sessions that one more process of each kind takes. */
const SESSIONS_FOR_MORE = 70;
const OLD_TRANSACTION_S = 3_600;
const OLD_XMIN = 50_000_000;
/** PostgreSQL itself warns at 2,107 million and stops at 2,144 million. */
const OLD_FROZEN = 1_500_000_000;

interface Server {
  version: number;
  standby: boolean;
  encoding: string;
  fsync: string;
  full_page_writes: string;
  synchronous_commit: string;
  most: number;
  used: number;
  owner: string;
  may_create_roles: boolean;
}

const SERVER = `
  SELECT current_setting('server_version_num')::int / 10000 AS version, pg_is_in_recovery() AS standby,
    current_setting('server_encoding') AS encoding, current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS full_page_writes, current_setting('synchronous_commit') AS synchronous_commit,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS most,
    (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
    current_user AS owner, (SELECT rolcreaterole OR rolsuper FROM pg_roles WHERE rolname = current_user) AS may_create_roles`;

async function server(pool: pg.Pool): Promise<Found[]> {
  const { rows } = await pool.query<Server>(SERVER);
  const s = rows[0]!;
  const found: Found[] = [];
  const version = `PostgreSQL ${s.version}, as ${s.owner}.`;
  found.push(
    s.version >= LEAST_POSTGRES ? ok(version) : bad(version, `Heliograph needs PostgreSQL ${LEAST_POSTGRES} or later.`),
  );
  if (s.standby)
    found.push(
      bad(
        'The database is a standby and does not accept changes.',
        'Set DATABASE_URL to the primary, or to all hosts with target_session_attrs=read-write.',
      ),
    );
  if (s.encoding !== 'UTF8')
    found.push(
      bad(
        `The encoding of the database is ${s.encoding}.`,
        'Create a database with ENCODING UTF8 and move the data to it.',
      ),
    );
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit'] as const) {
    if (s[name] === 'off') {
      found.push(
        bad(
          `${name} is off: acknowledged messages can be lost, or sent twice.`,
          `Set ${name} to on in postgresql.conf.`,
        ),
      );
    }
  }
  if (!s.may_create_roles)
    found.push(
      warn(`${s.owner} may not create roles.`, `Run ALTER ROLE ${s.owner} CREATEROLE. An upgrade may need it.`),
    );
  const free = s.most - s.used;
  const sessions = `${s.used} of ${s.most} sessions are in use.`;
  found.push(
    free >= SESSIONS_FOR_MORE
      ? ok(sessions)
      : warn(
          sessions,
          `One more process of each kind needs ${SESSIONS_FOR_MORE}. Raise max_connections, or set POOLER_URL.`,
        ),
  );
  return found;
}

async function clock(pool: pg.Pool): Promise<Found> {
  const before = Date.now();
  const { rows } = await pool.query<{ now: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
  );
  const after = Date.now();
  const skew = Math.max(0, Math.abs(rows[0]!.now - (before + after) / 2) - (after - before) / 2) / 1_000;
  const detail = `The clocks of this machine and of the database are ${skew.toFixed(1)} s apart.`;
  const action = 'Run NTP (chrony, systemd-timesyncd) on both machines.';
  return skew > 30 ? bad(detail, action) : skew > 2 ? warn(detail, action) : ok(detail);
}

/** Reads the names of the migrations that the database has; none if it has no tables at all. */
async function appliedMigrations(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ there: boolean }>("SELECT to_regclass('schema_migrations') IS NOT NULL AS there");
  if (!rows[0]?.there) return [];
  const applied = await pool.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY version');
  return applied.rows.map(({ name }) => name);
}

/** Tells whether the database has every table that the doctor reads. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  const applied = await appliedMigrations(pool);
  return migrationNames().every((name) => applied.includes(name));
}

async function migrations(pool: pg.Pool): Promise<Found> {
  const [ours, applied] = [migrationNames(), await appliedMigrations(pool)];
  const action = 'Run `npm run migrate`. Messages, money and links are checked after that.';
  if (applied.length === 0) return bad('The database has no tables yet.', action);
  const lacking = ours.filter((name) => !applied.includes(name));
  const newer = applied.filter((name) => !ours.includes(name));
  if (lacking.length > 0) return bad(`The database lacks ${lacking.join(', ')}.`, action);
  if (newer.length > 0) {
    return warn(
      `The database has ${newer.join(', ')} of a later release.`,
      'This is correct during an upgrade. Continue with it.',
    );
  }
  return ok(`The database has all ${applied.length} migrations.`);
}

const AGES = `
  SELECT (SELECT coalesce(max(age(backend_xmin)), 0) FROM pg_stat_activity WHERE pid <> pg_backend_pid()) AS session,
    (SELECT coalesce(max(greatest(age(xmin), age(catalog_xmin))), 0) FROM pg_replication_slots) AS slot,
    (SELECT coalesce(max(age(transaction)), 0) FROM pg_prepared_xacts) AS prepared,
    (SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database()) AS frozen,
    (SELECT coalesce(extract(epoch FROM now() - min(xact_start)), 0)::int FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS oldest_seconds,
    pg_has_role('pg_read_all_stats', 'USAGE') AS sees_all`;

async function ages(pool: pg.Pool): Promise<Found[]> {
  type Ages = Record<'session' | 'slot' | 'prepared' | 'frozen' | 'oldest_seconds', number> & { sees_all: boolean };
  const { rows } = await pool.query<Ages>(AGES);
  const { frozen, oldest_seconds, sees_all, ...holders } = rows[0]!;
  const found: Found[] = [];
  for (const [holder, age] of Object.entries(holders)) {
    if (age < OLD_XMIN) continue;
    found.push(
      warn(`A ${holder} has kept dead rows for ${age} transactions.`, 'End it: docs/operate/doctor.md, "ages".'),
    );
  }
  if (oldest_seconds > OLD_TRANSACTION_S) {
    found.push(
      warn(
        `A transaction has been open for ${Math.round(oldest_seconds / 60)} minutes.`,
        'Find it in pg_stat_activity and end it.',
      ),
    );
  }
  if (frozen > OLD_FROZEN)
    found.push(
      bad(
        `Rows have not been frozen for ${frozen} transactions.`,
        'Run VACUUM FREEZE. Find out why autovacuum does not keep up.',
      ),
    );
  if (found.length > 0) return found;
  // PostgreSQL hides the activity of other users' sessions.
  const seen = sees_all
    ? ''
    : ' Sessions of other users are not visible: GRANT pg_monitor TO the user of DATABASE_URL.';
  return [ok(`Nothing keeps dead rows for long.${seen}`)];
}

async function partitions(pool: pg.Pool): Promise<Found> {
  const { rows } = await pool.query<{ ahead: number | null }>(
    `SELECT min(last - (now() AT TIME ZONE 'UTC')::date)::int AS ahead FROM (
       SELECT p.relname, max(to_date(right(c.relname, 8), 'YYYYMMDD')) AS last FROM pg_inherits i
       JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent
       WHERE p.relname IN ('message', 'submission', 'outcome', 'receipt') GROUP BY 1) t`,
  );
  const ahead = rows[0]?.ahead ?? -1;
  const detail = `Partitions exist for the next ${ahead} days.`;
  const action = 'Start a sender: it creates them every hour. On a day without partitions no message can be queued.';
  return ahead < 1 ? bad(detail, action) : ahead < 4 ? warn(detail, action) : ok(detail);
}

/** Lists the checks of the database itself; `migrated` means that it has its tables. */
export function databaseLooks(pool: pg.Pool, migrated: boolean): Look[] {
  return [
    { name: 'database', look: () => server(pool) },
    { name: 'clock', look: () => clock(pool) },
    { name: 'migrations', look: () => migrations(pool) },
    { name: 'ages', look: () => ages(pool) },
    ...(migrated ? [{ name: 'partitions', look: () => partitions(pool) }] : []),
  ];
}
