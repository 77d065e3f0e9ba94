import type pg from 'pg';
import { readSyncStandbys, STANDBY_ACTION, standbySentence } from '#platform/database/sync-standbys';
import { bad, type Found, ok } from './finding.ts';

/** Seconds after which a commit waits for a standby that is gone; a healthy one takes milliseconds. */
const STALLED_S = 3;

/** Number of commits that wait for a synchronous standby, and the wait of the oldest, in seconds. */
export interface WaitingCommits {
  count: number;
  seconds: number;
}

/** Counts the commits that have waited for a synchronous standby for longer than a healthy one would. */
export async function waitingCommits(pool: pg.Pool): Promise<WaitingCommits> {
  const { rows } = await pool.query<WaitingCommits>(
    `SELECT count(*)::int AS count, coalesce(extract(epoch FROM now() - min(query_start)), 0)::int AS seconds
     FROM pg_stat_activity
     WHERE wait_event = 'SyncRep' AND datname = current_database() AND query_start < now() - make_interval(secs => $1)`,
    [STALLED_S],
  );
  return rows[0]!;
}

/**
 * Reports which standbys are connected, and whether commits wait for a missing one. Undefined if there is no standby.
 */
export async function standby(pool: pg.Pool, { count, seconds }: WaitingCommits): Promise<Found | undefined> {
  const standbys = await readSyncStandbys(pool);
  const { setting, connected, lacking } = standbys;
  if (count > 0) {
    return bad(
      `No commit has finished for ${seconds} s: ${count} sessions wait for a synchronous standby (${standbySentence(standbys)}).`,
      STANDBY_ACTION,
    );
  }
  if (lacking > 0) {
    return bad(
      `The next commit will not finish: it waits for a synchronous standby that is not connected (${standbySentence(standbys)}).`,
      STANDBY_ACTION,
    );
  }
  if (setting === '' && connected.length === 0) return undefined;
  return ok(
    setting === ''
      ? `Standbys connected: ${connected.join(', ')}. Commits wait for none of them.`
      : `Commits wait for a connected standby (${standbySentence(standbys)}).`,
  );
}
