import type pg from 'pg';
import { repeat } from '../jobs/repeat.ts';

const LOOK_MS = 1_000;
/** Interval in ms of looks while the server has no synchronous standby: commits wait for none. */
const LOOK_WITHOUT_STANDBY_MS = 30_000;
/**
 * Time in ms after which a commit that waits for a synchronous standby is stalled; a healthy one takes milliseconds.
 */
const STALLED_MS = 3_000;

// Query for waiting commits. PostgreSQL shows the state of a login's own sessions, and of all to members of pg_monitor.
// Each process commits every second that it lives, so a stall is seen.
const WAITING = `SELECT current_setting('synchronous_standby_names') <> '' AS has_standby, ARRAY(
  SELECT concat_ws(' ', pid, query_start) FROM pg_stat_activity
  WHERE wait_event = 'SyncRep' AND datname = current_database()) AS commits`;

/** Watches for commits that do not end because a synchronous standby is gone. */
export class CommitWatch {
  readonly #database: Pick<pg.Pool, 'query'>;
  /** Commits that were waiting at the last look, with the time at which each was first seen (performance.now()). */
  #waiting = new Map<string, number>();
  #hasStandby = true;

  constructor(database: Pick<pg.Pool, 'query'>) {
    this.#database = database;
  }

  /** Looks once a second, or less often while there is no standby, until the process ends. */
  start(): void {
    const forget = () => {
      this.#waiting = new Map();
    };
    repeat(
      () => (this.#hasStandby ? LOOK_MS : LOOK_WITHOUT_STANDBY_MS),
      () => this.#look(),
      forget,
    );
  }

  /** Milliseconds that the oldest waiting commit has been seen waiting; 0 if none waits. */
  get waitingMs(): number {
    const [...since] = this.#waiting.values();
    return since.length === 0 ? 0 : performance.now() - Math.min(...since);
  }

  /** Whether commits do not end: a change requested now would wait as well. */
  get stalled(): boolean {
    return this.waitingMs > STALLED_MS;
  }

  async #look(): Promise<void> {
    const { rows } = await this.#database.query<{ has_standby: boolean; commits: string[] }>(WAITING);
    const now = performance.now();
    const { has_standby, commits } = rows[0]!;
    this.#hasStandby = has_standby || commits.length > 0;
    this.#waiting = new Map(commits.map((commit) => [commit, this.#waiting.get(commit) ?? now]));
  }
}
