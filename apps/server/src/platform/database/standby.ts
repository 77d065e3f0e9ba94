import type { Kysely } from 'kysely';
import type pg from 'pg';
import type { ConnectedConfig } from '../config/config.ts';
import { repeat } from '../jobs/repeat.ts';
import type { Logger } from '../log.ts';
import { createDatabase, createPool, type Database, type DatabaseRole } from './db.ts';

/** Standby from which reports may be read instead of the primary. */
export interface StandbyPlace {
  pool: pg.Pool;
  /** Kysely over `pool`. */
  database: Kysely<Database>;
  /** Time up to which all commits are visible. */
  asOf: Date;
}

/** Watch over a standby. */
export interface Standby {
  /** Answers the standby if it is fresh enough now; undefined if there is none, and the primary must be asked. */
  place(): StandbyPlace | undefined;
  stop(): Promise<void>;
}

const LOOK_MS = 1_000;
const LOOK_WITHIN_MS = 3_000;
/** Time in ms without an answer after which its age is unknown. */
const UNKNOWN_MS = 6_000;
const SESSIONS = 8;

const WRITTEN = `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint AS octets`;
const REPLAYED = `SELECT pg_is_in_recovery() AS standby, pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint AS octets`;

/**
 * Follows the standby of REPORTS_DATABASE_URL. Each second its position is compared with the primary's earlier
 * positions. Its age then depends only on our own clock, and an idle primary makes nothing look old.
 */
export function followStandby(
  config: ConnectedConfig,
  role: DatabaseRole,
  primary: Pick<pg.Pool, 'query'>,
  log: Logger,
): Standby {
  const { REPORTS_DATABASE_URL, REPORTS_MAX_LAG_SECONDS, DATABASE_ROLE_PASSWORD } = config;
  if (REPORTS_DATABASE_URL === undefined) return { place: () => undefined, stop: async () => undefined };
  const bound = REPORTS_MAX_LAG_SECONDS * 1_000;
  const place = { DATABASE_URL: REPORTS_DATABASE_URL, DATABASE_ROLE_PASSWORD };
  const pool = createPool(place, role, { max: SESSIONS });
  const looking = createPool(place, role, { max: 1, query_timeout: LOOK_WITHIN_MS });
  const database = createDatabase(pool);
  /** Positions of the primary and their times, oldest first. */
  let written: { at: number; octets: number }[] = [];
  let seen: { at: number; asOf: number } | undefined;
  let told = false;

  const look = async () => {
    const at = Date.now();
    const octets = (await primary.query<{ octets: number }>(WRITTEN)).rows[0]?.octets ?? 0;
    written = [...written.filter((sample) => sample.at >= at - bound), { at, octets }];
    const [standby] = (await looking.query<{ standby: boolean; octets: number }>(REPLAYED)).rows;
    // A promoted standby is no copy of our primary any more, or is the primary itself.
    const reached = standby?.standby ? written.findLast((sample) => sample.octets <= standby.octets) : undefined;
    seen = reached && { at: Date.now(), asOf: reached.at };
  };
  const fresh = () => {
    const now = Date.now();
    if (!seen || now - seen.at > UNKNOWN_MS || now - seen.asOf > bound) return undefined;
    return { pool, database, asOf: new Date(seen.asOf) };
  };
  const looks = repeat(
    LOOK_MS,
    async () => {
      await look().catch((error: unknown) => {
        seen = undefined;
        if (!told) log.debug({ err: error }, 'could not query standby');
      });
      const away = fresh() === undefined;
      if (away && !told) log.warn('standby unavailable or too far behind; reports read from primary');
      if (!away && told) log.info('reports read from standby again');
      told = away;
    },
    () => undefined,
  );
  return {
    place: fresh,
    async stop() {
      await looks.stop();
      await Promise.all([pool.end(), looking.end()]);
    },
  };
}
