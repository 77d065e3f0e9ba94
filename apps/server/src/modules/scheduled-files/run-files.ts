import type { FILE_PERIODS, FileFault } from '@heliograph/contract/scheduled-files/scheduled-file';
import { z } from 'zod';
import { rowsOf } from '#platform/database/queryable';
import { localFile } from '#platform/files/files';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { homeOf } from '#platform/person/home';
import { type Destination, deliver } from './destinations.ts';
import { faultOf } from './fault.ts';
import type { WrittenRun } from './file-names.ts';
import { periodEnd } from './periods.ts';
import { type OpenRun, writeFile } from './write-file.ts';

/** Job that starts the work of each scheduled file that has some. */
export const startFilesJob = defineJob('start-scheduled-files', z.object({}));
/** Job that writes and sends the files of one scheduled file that are due. The next minute starts it again. */
export const sendFilesJob = defineJob('send-scheduled-files', z.object({ scheduled_file_id: z.int() }), {
  retryLimit: 0,
});

type Worker = Pick<WorkerContext, 'pool' | 'database' | 'config' | 'clock' | 'log'>;
type Every = (typeof FILE_PERIODS)[number];

/** Minutes until the next try of a file, by the number of tries. */
const LADDER = [1, 2, 5, 10, 20, 30] as const;
/** Periods that are added in one statement. */
const AT_ONCE = 200;
/** Key of the locks that let one worker at a time work on a scheduled file. */
const LOCKS = 0x5f11e;

// A scheduled file has work if a period's time has come, or a run's.
const WITH_WORK = `
  SELECT f.id, f.corporation_id FROM scheduled_file f
  WHERE f.enabled AND (
    f.covered_until + CASE f.every WHEN 'hour' THEN interval '30 minutes' ELSE interval '22 hours' END
      + f.wait_hours * interval '1 hour' <= $1::timestamptz
    OR (SELECT r.next_at FROM scheduled_file_run r WHERE r.scheduled_file_id = f.id AND r.state = 'waiting'
      ORDER BY r.period_start LIMIT 1) <= $1)`;

/** Starts a job for each scheduled file with work; the files of a tenant take turns with those of others. */
export async function startFiles({ database, clock }: Worker): Promise<void> {
  const found = await rowsOf<{ id: number; corporation_id: number | null }>(database, WITH_WORK, [
    clock.now().toISOString(),
  ]);
  for (const { id, corporation_id } of found)
    await enqueue(database, sendFilesJob, { scheduled_file_id: id }, { tenant: corporation_id });
}

interface File extends Destination {
  corporation_id: number | null;
  enabled: boolean;
  every: Every;
  wait_hours: number;
  covered_until: string;
}

/**
 * Adds the periods that are over, writes their files, and sends them in the order of their periods. A period waits for
 * the one before. If another worker is at the same scheduled file, nothing is done.
 */
export async function sendFiles(worker: Worker, id: number, signal: AbortSignal): Promise<void> {
  const lock = await worker.pool.connect();
  let clean = false;
  try {
    const { rows } = await lock.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS got', [LOCKS, id]);
    if (rows[0]!.got) {
      await addRuns(worker, id);
      await writeRuns(worker, id, signal);
      while (await sendNext(worker, id)) signal.throwIfAborted();
      await lock.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS, id]);
    }
    clean = true;
  } finally {
    // The lock of a session that is closed ends with it.
    lock.release(!clean);
  }
}

const readFile = async ({ database }: Worker, id: number): Promise<File | undefined> =>
  (await rowsOf<File>(database, 'SELECT * FROM scheduled_file WHERE id = $1', [id]))[0];

/** Adds a run for each period whose wait is over. The end of the last is stored with them, so none is left out. */
async function addRuns(worker: Worker, id: number): Promise<void> {
  const now = worker.clock.now().getTime();
  for (;;) {
    const file = await readFile(worker, id);
    if (!file?.enabled) return;
    const { corporation_id, every, wait_hours, covered_until } = file;
    const caller = { corporation_id, user_id: 0 } as Parameters<typeof homeOf>[0]['caller'];
    const { timezone } = await homeOf({ db: worker.database, caller });
    const starts: string[] = [];
    const ends: string[] = [];
    for (let start = covered_until; starts.length < AT_ONCE; start = ends.at(-1)!) {
      const end = periodEnd(every, new Date(start).toISOString(), timezone);
      if (Date.parse(end) + wait_hours * 3_600_000 > now) break;
      starts.push(start);
      ends.push(end);
    }
    if (starts.length === 0) return;
    await rowsOf(
      worker.database,
      `WITH moved AS (
         UPDATE scheduled_file SET covered_until = $4 WHERE id = $1 AND covered_until = $5 RETURNING id, corporation_id)
       INSERT INTO scheduled_file_run (corporation_id, scheduled_file_id, period_start, period_end, timezone)
       SELECT m.corporation_id, m.id, p.starts, p.ends, $6
       FROM moved m, unnest($2::timestamptz[], $3::timestamptz[]) AS p(starts, ends)`,
      [id, starts, ends, ends.at(-1), covered_until, timezone],
    );
  }
}

async function writeRuns(worker: Worker, id: number, signal: AbortSignal): Promise<void> {
  const open = await rowsOf<OpenRun>(
    worker.database,
    `SELECT r.id, r.scheduled_file_id, r.corporation_id, f.texts, f.numbers, r.period_start, r.period_end
     FROM scheduled_file_run r JOIN scheduled_file f ON f.id = r.scheduled_file_id
     WHERE r.scheduled_file_id = $1 AND r.state = 'waiting' AND r.sha256 IS NULL ORDER BY r.period_start`,
    [id],
  );
  for (const run of open) await writeFile(worker, run, signal);
}

type Waiting = WrittenRun & { id: number; kept_path: string; tries: number; next_at: string };

/** Sends the oldest waiting file; false if none is waiting, or if it is not due or did not arrive. */
async function sendNext(worker: Worker, id: number): Promise<boolean> {
  const { database, config, clock, log } = worker;
  const file = await readFile(worker, id);
  const [run] = await rowsOf<Waiting>(
    database,
    `SELECT id, period_start, period_end, timezone, rows, bytes, sha256, previous_sha256, written_at, kept_path, tries, next_at
     FROM scheduled_file_run WHERE scheduled_file_id = $1 AND state = 'waiting' ORDER BY period_start LIMIT 1`,
    [id],
  );
  if (!file?.enabled || !run || new Date(run.next_at) > clock.now()) return false;
  let fault: FileFault | null = null;
  try {
    await using content = await localFile(config, run.kept_path);
    await deliver(config, file, run, content.path);
  } catch (error) {
    fault = faultOf(error);
    log.warn({ err: error, fault, scheduled_file_id: id, run_id: run.id }, 'could not send scheduled file; retrying');
  }
  await record(worker, run, fault);
  return fault === null;
}

const ARRIVED = `
  WITH done AS (
    UPDATE scheduled_file_run SET state = 'sent', tries = tries + 1, error = NULL, sent_at = $2
    WHERE id = $1 AND state = 'waiting' RETURNING scheduled_file_id)
  UPDATE scheduled_file f SET failing_since = NULL FROM done WHERE f.id = done.scheduled_file_id`;
const FAILED = `
  WITH tried AS (
    UPDATE scheduled_file_run SET tries = tries + 1, error = $3, next_at = $2::timestamptz + $4 * interval '1 minute'
    WHERE id = $1 AND state = 'waiting' RETURNING scheduled_file_id)
  UPDATE scheduled_file f SET failing_since = coalesce(f.failing_since, $2) FROM tried WHERE f.id = tried.scheduled_file_id`;

async function record({ database, clock }: Worker, run: Waiting, fault: FileFault | null): Promise<void> {
  const now = clock.now().toISOString();
  if (fault === null) await rowsOf(database, ARRIVED, [run.id, now]);
  else await rowsOf(database, FAILED, [run.id, now, fault, LADDER[Math.min(run.tries, LADDER.length - 1)]]);
}
