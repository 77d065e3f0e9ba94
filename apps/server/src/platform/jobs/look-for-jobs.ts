import type pg from 'pg';
import type { Logger } from '../log.ts';
import { type Repeated, repeat } from './repeat.ts';
import { repeatWhileWork, type WorkWatch } from './work-watch.ts';

/** Interval in ms at which due jobs are searched, with one statement for all kinds. */
const DUE_MS = 1_000;
/** Interval in ms at which jobs of dead workers are searched. */
const SWEEP_MS = 1_000;

/** Finds the kinds, of those given, that have a job which is due. */
const DUE = `SELECT array_agg(name) AS due FROM unnest($1::text[]) AS given(name) WHERE EXISTS (
  SELECT FROM jobs.job j
  WHERE j.name = given.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= now())`;
/** Sign of jobs that have run for a while: any of them may lose its worker. */
const RUNNING = `EXISTS (SELECT FROM jobs.job WHERE state = 'active' AND started_on < now() - interval '2 s')`;

type Due = readonly string[] | null;

interface Parts {
  pool: pg.Pool;
  /** Answers the kinds of jobs that this worker takes. */
  kinds(): readonly string[];
  /** Gives jobs of dead workers to others, and answers their kinds. */
  sweep(): Promise<readonly string[]>;
  /** Lets this worker take jobs of a kind. */
  wake(kind: string): void;
  watch: WorkWatch | undefined;
  log: Logger;
}

/** Looks for due jobs and for jobs of dead workers; the statement of a `watch` searches for due jobs too. */
export function lookForJobs({ pool, kinds, sweep, wake, watch, log }: Parts): Pick<Repeated, 'stop'> {
  const wakeAll = (names: Due) => {
    for (const name of names ?? []) wake(name);
  };
  const failed = (what: string) => (error: unknown) => log.debug({ err: error }, what);
  const sweeping = repeatWhileWork(
    watch,
    SWEEP_MS,
    async () => wakeAll(await sweep()),
    failed('could not check for jobs of dead workers'),
  );
  if (watch) {
    watch.add({ sql: RUNNING });
    // A due job is no work for other loops.
    watch.add<Due>({
      sql: DUE,
      values: () => [kinds()],
      isWork: (due) => {
        wakeAll(due);
        return false;
      },
    });
    return sweeping;
  }
  const wakeDue = async () => wakeAll((await pool.query<{ due: Due }>(DUE, [kinds()])).rows[0]!.due);
  const searching = repeat(DUE_MS, wakeDue, failed('could not search for due jobs'));
  return { stop: async () => void (await Promise.all([searching.stop(), sweeping.stop()])) };
}
