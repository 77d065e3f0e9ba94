import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { fixRound } from '#modules/events';
import { faultOf } from '#modules/scheduled-files';
import { rowsOf } from '#platform/database/queryable';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { nextItems, type Source } from './items.ts';
import { type Receiver, sendItems, storeObject } from './send-items.ts';

/** Job that sends new entries of the log, and events, to all streams for a minute; the next minute starts it again. */
export const streamAuditJob = defineJob('stream-audit', z.object({}), { retryLimit: 0 });

type Worker = Pick<WorkerContext, 'pool' | 'database' | 'config' | 'clock' | 'log'>;

/** Time in ms for which one job looks for new items, and the interval of its looks. */
const JOB_MS = 55_000;
const LOOK_MS = 2_000;
/** Items of one request, and of one object. */
const AT_ONCE = 200;
const IN_OBJECT = 50_000;
const HOUR_MS = 3_600_000;
/** Seconds until the next try, by the number of tries. */
const LADDER = [5, 15, 60, 300, 600] as const;
/** Key of the locks that let one worker at a time work on a stream. */
const LOCKS = 0x5a0d1;

interface Stream extends Receiver, Source {
  covered_until: string;
  tries: number;
  error: string | null;
}

const DUE = `
  SELECT s.*, (SELECT max(position) FROM activity_log) AS top FROM audit_stream s
  WHERE s.enabled AND s.next_at <= $1
    AND CASE WHEN s.destination = 's3' THEN s.covered_until <= $1::timestamptz - interval '1 hour'
      ELSE s.contents = 'events' OR s.position < (SELECT max(position) FROM activity_log) END ORDER BY s.id`;

/** Sends new items to all streams until a minute is over, or to `looks` rounds only. */
export async function streamAudit(
  worker: Worker,
  signal: AbortSignal,
  looks = Number.POSITIVE_INFINITY,
): Promise<void> {
  const end = performance.now() + JOB_MS;
  for (let look = 1; ; look++) {
    const due = await rowsOf<Stream>(worker.database, DUE, [worker.clock.now().toISOString()]);
    await Promise.all(due.map(({ id }) => sendStream(worker, id, signal)));
    const [any] = await rowsOf(worker.database, 'SELECT FROM audit_stream WHERE enabled LIMIT 1');
    if (!any || look >= looks || performance.now() > end) return;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/** Sends all that a stream has, in order. If another worker is at the same stream, nothing is done. */
async function sendStream(worker: Worker, id: number, signal: AbortSignal): Promise<void> {
  const lock = await worker.pool.connect();
  let clean = false;
  try {
    const { rows } = await lock.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS got', [LOCKS, id]);
    if (rows[0]!.got) {
      while (await sendNext(worker, id)) signal.throwIfAborted();
      await lock.query('SELECT pg_advisory_unlock($1, $2)', [LOCKS, id]);
    }
    clean = true;
  } finally {
    lock.release(!clean);
  }
}

/** Sends the next items of a stream; false if there are none, or if they did not arrive. */
async function sendNext({ database, config, clock, log }: Worker, id: number): Promise<boolean> {
  const now = clock.now();
  const [found] = await rowsOf<Stream>(database, `${DUE.replace('ORDER BY s.id', '')} AND s.id = $2`, [
    now.toISOString(),
    id,
  ]);
  if (!found) return false;
  const isObject = found.destination === 's3';
  if (isObject && found.contents === 'events') await fixEnd(database, found);
  const { items, place, full, moved } = await nextItems(database, config, found, isObject ? IN_OBJECT : AT_ONCE);
  try {
    if (items.length > 0) {
      if (!isObject) await sendItems(config, found, items, now);
      else {
        if (found.contents === 'audit')
          await rowsOf(database, 'UPDATE audit_stream SET object_to = $2 WHERE id = $1', [id, place.position]);
        await storeObject(config, found, items, new Date(found.covered_until));
      }
    }
  } catch (error) {
    const fault = faultOf(error);
    log.warn({ err: error, fault, audit_stream_id: id }, 'could not send items of a stream; retrying');
    const seconds = LADDER[Math.min(found.tries, LADDER.length - 1)];
    await rowsOf(
      database,
      `UPDATE audit_stream SET tries = tries + 1, error = $2, failing_since = coalesce(failing_since, $3),
         next_at = $3::timestamptz + $4 * interval '1 second' WHERE id = $1`,
      [id, fault, now.toISOString(), seconds],
    );
    return false;
  }
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS).toISOString();
  // A look that found nothing writes nothing, unless an hour without items is over.
  if (!moved && !isObject && found.error === null) return false;
  await rowsOf(
    database,
    `UPDATE audit_stream SET position = $2, cursor = $7, object_to = NULL, tries = 0, error = NULL, failing_since = NULL,
       sent_at = CASE WHEN $3 THEN $4::timestamptz ELSE sent_at END,
       covered_until = CASE WHEN $5 THEN covered_until ELSE $6::timestamptz END WHERE id = $1`,
    [id, place.position, items.length > 0, now.toISOString(), full, hour, place.cursor],
  );
  return full;
}

/** Records the end of what the next object holds before it is stored, so that a second try stores the same object. */
async function fixEnd(database: Worker['database'], stream: Stream): Promise<void> {
  const cursor = await fixRound(database, stream.cursor);
  if (cursor === undefined || cursor === stream.cursor) return;
  stream.cursor = cursor;
  await rowsOf(database, 'UPDATE audit_stream SET cursor = $2 WHERE id = $1', [stream.id, cursor]);
}
