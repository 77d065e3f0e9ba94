import { Kysely } from 'kysely';
import pg from 'pg';
import type { ConnectedConfig } from '../config/config.ts';
import { EndingDialect } from '../driver/ending-dialect.ts';
import { isBusy } from '../driver/internals.ts';
import { watchCommits } from '../fan-out/after-commit.ts';
import { boundStatements, wasCancelled } from '../jobs/statements.ts';
import { DatabaseClient, type DatabaseSettings } from './client.ts';
import { DatabaseHosts } from './hosts.ts';
import { makeMissingPartitions } from './partitions.ts';
import type { DB } from './schema.ts';
import { parseDatabaseUrl, withDatabase, withLogin } from './url.ts';

/** Every table, as the migrated database has it. */
export type Database = DB;

/**
 * Role of PostgreSQL under which a pool's sessions run. `owner` is the user of DATABASE_URL itself and is for
 * migrations, the seed and commands. Row level security and grants apply to the others. They sign in by themselves if
 * there is a password for them.
 */
export type DatabaseRole = 'owner' | 'api' | 'auth' | 'worker' | 'sender' | 'intake';

/** Roles with sessions that may go through a pooler, because all they do is within one transaction. */
export const POOLED_ROLES = ['api', 'auth', 'intake'] as const satisfies readonly DatabaseRole[];

/**
 * Address of the database: its hosts, the pooler for the roles above if there is one, and the password with which roles
 * sign in.
 */
export type DatabasePlace = Pick<ConnectedConfig, 'DATABASE_URL'> & {
  readonly POOLER_URL?: string | undefined;
  readonly DATABASE_ROLE_PASSWORD?: string | undefined;
};

/** The name of a role in PostgreSQL, which is its login, too. */
const nameOf = (role: DatabaseRole) => `heliograph_${role}`;

/** Tells whether a role's sessions sign in under its own name; otherwise they take the role from the owner. */
const hasLogin = ({ DATABASE_ROLE_PASSWORD }: DatabasePlace, role: DatabaseRole) =>
  role !== 'owner' && DATABASE_ROLE_PASSWORD !== undefined;

/** Answers a URL of the owner with the login of a role. */
const loginUrl = (url: string, place: DatabasePlace, role: DatabaseRole): string =>
  hasLogin(place, role) ? withLogin(url, nameOf(role), place.DATABASE_ROLE_PASSWORD!) : url;

/** Answers the role of a process's own queries: the owner only if roles have no logins. */
export const ownRole = (place: DatabasePlace, role: DatabaseRole): DatabaseRole =>
  hasLogin(place, role) ? role : 'owner';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * Number of sessions of a process, and the maximum time of one statement and of one idle transaction (ms; 0 = no
 * limit). A process that froze, or was cut off, blocks others by its locks for no longer than that.
 */
const LIMITS: Record<DatabaseRole, { max: number; statement: number; idleInTransaction: number }> = {
  owner: { max: 4, statement: 0, idleInTransaction: 0 },
  api: { max: 20, statement: 30 * SECOND, idleInTransaction: 30 * SECOND },
  auth: { max: 4, statement: 10 * SECOND, idleInTransaction: 10 * SECOND },
  worker: { max: 20, statement: 15 * MINUTE, idleInTransaction: 30 * SECOND },
  sender: { max: 8, statement: MINUTE, idleInTransaction: 4 * SECOND },
  intake: { max: 4, statement: 30 * SECOND, idleInTransaction: 30 * SECOND },
};

/** Reads bigint as a number. Throws beyond 2^53 - 1, which none of our ids and amounts reaches. */
export function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint is beyond what a number holds exactly');
  return value;
}

/** Turns PostgreSQL's `2026-01-31 08:00:00.25+00` of a UTC session into RFC 3339, `2026-01-31T08:00:00.25Z`. */
export function parseTimestamp(text: string): string {
  const time = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)\+00$/.exec(text);
  return time ? `${time[1]}T${time[2]}Z` : text;
}

const { builtins } = pg.types;
const asIs = (text: string) => text;
// Numbers of the array types in pg_type, which are fixed and have no name in pg's list.
const TEXT_ARRAY = 1009;
const BIGINT_ARRAY = 1016;
const TIMESTAMPTZ_ARRAY = 1185;
const DATE_ARRAY = 1182;
const NUMERIC_ARRAY = 1231;

const parseTextArray = new pg.TypeOverrides().getTypeParser(TEXT_ARRAY, 'text') as unknown as (
  text: string,
) => (string | null)[];
const arrayOf = (parse: (text: string) => unknown) => (text: string) =>
  parseTextArray(text).map((entry) => (entry === null ? null : parse(entry)));

const parsers = new pg.TypeOverrides();
parsers.setTypeParser(builtins.INT8, parseBigint);
parsers.setTypeParser(builtins.TIMESTAMPTZ, parseTimestamp);
parsers.setTypeParser(builtins.TIMESTAMP, asIs);
parsers.setTypeParser(builtins.DATE, asIs);
parsers.setTypeParser(builtins.NUMERIC, asIs);
parsers.setTypeParser(builtins.INTERVAL, asIs);
parsers.setTypeParser(BIGINT_ARRAY, arrayOf(parseBigint));
parsers.setTypeParser(TIMESTAMPTZ_ARRAY, arrayOf(parseTimestamp));
parsers.setTypeParser(DATE_ARRAY, arrayOf(asIs));
parsers.setTypeParser(NUMERIC_ARRAY, arrayOf(asIs));

const watched = new Map<string, DatabaseHosts>();

/**
 * Answers the target of a URL's sessions: its host, or the watch over its hosts, which all sessions of this process
 * share.
 */
function placeOf(url: string): Pick<DatabaseSettings, 'connectionString' | 'hosts'> {
  const parsed = parseDatabaseUrl(url);
  if (!parsed?.readWrite) return { connectionString: parsed?.hosts[0] ?? url };
  // Any login may look at a server.
  const servers = withLogin(url, '', '');
  const hosts = watched.get(servers) ?? new DatabaseHosts(parsed);
  watched.set(servers, hosts);
  return { connectionString: parsed.hosts[0], hosts };
}

/** Time in ms for which a session keeps its plans without work. */
const PLANS_KEPT_MS = 5 * MINUTE;

/**
 * Settings of sessions whose statements are planned once, for arrays of any length, and never scan a table: on a young
 * table a scan would look cheap.
 */
const PLANNED_ONCE = { plan_cache_mode: 'force_generic_plan', jit: 'off', enable_seqscan: 'off' };

/**
 * Answers the settings of each session of a role: its rights unless the role signs in with its own login, the format of
 * times, and its time limits.
 */
export function sessionSettings(place: DatabasePlace, role: DatabaseRole): Readonly<Record<string, string>> {
  const { statement, idleInTransaction } = LIMITS[role];
  return {
    ...(role !== 'owner' && !hasLogin(place, role) && { role: nameOf(role) }),
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    IntervalStyle: 'iso_8601',
    ...(role === 'intake' && PLANNED_ONCE),
    statement_timeout: String(statement),
    idle_in_transaction_session_timeout: String(idleInTransaction),
  };
}

/**
 * Answers the connection settings of a session under `role`, for a DatabaseClient: UTC and the role's time limits.
 * Values are parsed into their form on the wire: bigint → number, timestamptz → RFC 3339 text, date, numeric and
 * interval → text. The session never goes through the pooler.
 */
export function connectionSettings(place: DatabasePlace, role: DatabaseRole, lockMs = 0): DatabaseSettings {
  const own = { ...sessionSettings(place, role), ...(lockMs > 0 && { lock_timeout: String(lockMs) }) };
  const options = Object.entries(own).map(([name, value]) => `-c ${name}=${value}`);
  const url = loginUrl(place.DATABASE_URL, place, role);
  return { ...placeOf(url), ...commonSettings(role), options: options.join(' ') };
}

const commonSettings = (role: DatabaseRole): DatabaseSettings => ({
  application_name: `heliograph ${role}`,
  connectionTimeoutMillis: 10 * SECOND,
  // A machine that is gone, or has a new address, is noticed within half a minute on a silent connection.
  keepAlive: true,
  keepAliveInitialDelayMillis: 10 * SECOND,
  types: parsers,
});

/** Answers the pooler's name of the database for a role. */
export const pooledDatabase = (database: string, role: DatabaseRole) => `${database}_${role}`;

/**
 * As above through a pooler, which lends out a session for each transaction. The pooler sets the options of a session,
 * under one database name for each role.
 */
function pooledSettings(config: DatabasePlace, pooler: string, role: DatabaseRole): pg.PoolConfig {
  const url = loginUrl(pooler, config, role);
  const place = placeOf(withDatabase(url, (name) => pooledDatabase(name, role)));
  const onConnect = async (client: pg.ClientBase) => {
    const { rows } = await client.query<{ role: string; zone: string }>(
      `SELECT current_user AS role, current_setting('TimeZone') AS zone`,
    );
    // The type describes a function without waiting; the pool does wait, and refuses the session if it throws.
    if (rows[0]?.role !== nameOf(role) || rows[0].zone !== 'UTC')
      throw new Error(`the pooler does not set the role ${nameOf(role)} and UTC (see docs/operate/database.md)`);
  };
  return { ...place, ...commonSettings(role), onConnect: onConnect as NonNullable<pg.PoolConfig['onConnect']> };
}

/** Makes a separate session under one role, not open yet. */
export function createClient(config: DatabasePlace, role: DatabaseRole): pg.Client {
  return new DatabaseClient(connectionSettings(config, role));
}

/** Client class of a pool. The pool passes its settings to each client that it makes, which its type does not tell. */
type PoolClientClass = NonNullable<pg.PoolConfig['Client']>;

interface PoolOptions extends Pick<pg.PoolConfig, 'max' | 'query_timeout' | 'connectionTimeoutMillis'> {
  /** Maximum time in ms that a statement waits for a lock; has no effect if a pooler sets up the sessions. */
  lockMs?: number;
  /** Sends statements without waiting for the answers to those before; sessions of the role `intake` always do. */
  pipeline?: boolean | undefined;
}

/**
 * Makes a pool of sessions under one role. A session that breaks while idle is replaced; queries in flight see the
 * error.
 */
export function createPool(
  config: DatabasePlace,
  role: DatabaseRole,
  { max = LIMITS[role].max, lockMs, pipeline = role === 'intake', ...limits }: PoolOptions = {},
): pg.Pool {
  const pooled = config.POOLER_URL !== undefined && (POOLED_ROLES as readonly DatabaseRole[]).includes(role);
  const settings = pooled ? pooledSettings(config, config.POOLER_URL, role) : connectionSettings(config, role, lockMs);
  const pool = new pg.Pool({
    ...settings,
    Client: DatabaseClient as unknown as PoolClientClass,
    max,
    pipeline,
    // A session that is opened again plans all of them again, while programs wait.
    ...(role === 'intake' && { idleTimeoutMillis: PLANS_KEPT_MS, allowExitOnIdle: true }),
    ...limits,
  });
  // Without listeners the loss of a session would end the process, if it is idle or between two statements of its user.
  // In the second case the next statement fails.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('connect', watchCommits);
  pool.on('connect', (client) => makeMissingPartitions(client, settings));
  if (role === 'worker') pool.on('connect', (client) => boundStatements(client, settings));
  pool.on('release', (_error, client) => closeUnclean(client));
  return pool;
}

/**
 * Closes a session that returns to its pool within a transaction, or while a statement still runs. The next statement
 * on it would become part of the abandoned transaction, and be rolled back with it. This happens if neither a statement
 * nor the ROLLBACK after it was awaited. A late cancel must not hit the next user's statement.
 */
function closeUnclean(client: pg.PoolClient): void {
  // The pool drops every ended session.
  if (isBusy(client) || wasCancelled(client) || client.getTransactionStatus() !== 'I') void client.end();
}

/** Kysely over a pool; `destroy()` ends the pool. */
export function createDatabase(pool: pg.Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new EndingDialect({ pool }) });
}
