import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '#platform/config/config';
import { createPool, type DatabasePlace, POOLED_ROLES } from '#platform/database/db';
import { LEAST_POSTGRES } from '#platform/database/migrate';
import { bad, type Found, ok, warn } from './finding.ts';

const REACH_MS = 5_000;
const LAG_LOOK_MS = 100;
/** Maximum seconds that the doctor waits for a standby to catch up. */
const MOST_LAG_S = 10;

interface Server {
  /** Identifier that only a primary and its standbys share. */
  cluster: string;
  database: string;
  version: number;
  standby: boolean;
}

const SERVER = `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS cluster, current_database() AS database,
  current_setting('server_version_num')::int / 10000 AS version, pg_is_in_recovery() AS standby`;

const serverOf = async (pool: pg.Pool): Promise<Server> => (await pool.query<Server>(SERVER)).rows[0]!;

/** Asks one question over its own session; answers the reason if that fails. */
async function ask<Answer>(
  pool: pg.Pool,
  question: (pool: pg.Pool) => Promise<Answer>,
): Promise<{ answer: Answer } | { reason: string }> {
  try {
    return { answer: await question(pool) };
  } catch (error) {
    return { reason: (error as Error).message || 'no answer' };
  } finally {
    await pool.end();
  }
}

const isElsewhere = (other: Server, primary: Server) =>
  other.cluster !== primary.cluster || other.database !== primary.database;

/** Checks whether POOLER_URL leads to the same database under the right roles; undefined if it is unset. */
export async function pooler(primaryPool: pg.Pool, place: DatabasePlace): Promise<Found[] | undefined> {
  if (place.POOLER_URL === undefined) return undefined;
  const primary = await serverOf(primaryPool);
  const found: Found[] = [];
  for (const role of POOLED_ROLES) {
    const asked = await ask(createPool(place, role, { max: 1, connectionTimeoutMillis: REACH_MS }), serverOf);
    if ('reason' in asked) {
      found.push(
        bad(
          `POOLER_URL does not serve the role heliograph_${role}: ${asked.reason}.`,
          'Check that PgBouncer runs, and write its files again with `npm run pooler-config` (docs/operate/database.md, "PgBouncer").',
        ),
      );
    } else if (isElsewhere(asked.answer, primary) || asked.answer.standby) {
      found.push(
        bad(
          `POOLER_URL leads the role heliograph_${role} to ${asked.answer.standby ? 'a standby' : 'another database'}.`,
          'Point PgBouncer to the server of DATABASE_URL: `npm run pooler-config`, then RELOAD.',
        ),
      );
    }
  }
  return found.length > 0 ? found : [ok(`POOLER_URL serves the roles ${POOLED_ROLES.join(', ')}.`)];
}

/**
 * Measures how many seconds a standby takes to show everything the primary has written until now; undefined if that is
 * too long.
 */
async function lagOf(pool: pg.Pool, written: string, mostSeconds: number): Promise<number | undefined> {
  for (const began = performance.now(); ; await sleep(LAG_LOOK_MS)) {
    const { rows } = await pool.query<{ reached: boolean }>(
      'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS reached',
      [written],
    );
    const seconds = (performance.now() - began) / 1_000;
    if (rows[0]?.reached) return seconds;
    if (seconds > mostSeconds) return undefined;
  }
}

/** Checks whether REPORTS_DATABASE_URL leads to a fresh standby of this database; undefined if it is unset. */
export async function reports(
  primaryPool: pg.Pool,
  place: DatabasePlace,
  { REPORTS_DATABASE_URL, REPORTS_MAX_LAG_SECONDS }: Config,
): Promise<Found | undefined> {
  if (REPORTS_DATABASE_URL === undefined) return undefined;
  const primary = await serverOf(primaryPool);
  const { rows } = await primaryPool.query<{ written: string }>('SELECT pg_current_wal_lsn()::text AS written');
  const bound = Math.min(REPORTS_MAX_LAG_SECONDS, MOST_LAG_S);
  const pool = createPool({ ...place, DATABASE_URL: REPORTS_DATABASE_URL }, 'api', {
    max: 1,
    connectionTimeoutMillis: REACH_MS,
  });
  const asked = await ask(pool, async (standby) => {
    const server = await serverOf(standby);
    return { server, lag: server.standby ? await lagOf(standby, rows[0]!.written, bound) : undefined };
  });
  if ('reason' in asked) {
    return warn(
      `REPORTS_DATABASE_URL cannot be reached: ${asked.reason}. Reports are read from the primary.`,
      'Start the standby again, or correct the setting.',
    );
  }
  const { server, lag } = asked.answer;
  if (isElsewhere(server, primary)) {
    return bad(
      'REPORTS_DATABASE_URL is not a copy of this database: reports could show data of another one.',
      'Set it to a standby of DATABASE_URL, or unset it, and restart the processes.',
    );
  }
  if (server.version < LEAST_POSTGRES)
    return bad(`The standby for reports is PostgreSQL ${server.version}.`, `Upgrade it to ${LEAST_POSTGRES} or later.`);
  if (!server.standby)
    return ok('REPORTS_DATABASE_URL names a server that is not a standby now: reports are read from the primary.');
  return lag === undefined
    ? warn(
        `The standby for reports is more than ${bound} s behind: reports are read from the primary.`,
        'Check its disk, its network and its log.',
      )
    : ok(`The standby for reports is ${lag.toFixed(1)} s behind.`);
}
