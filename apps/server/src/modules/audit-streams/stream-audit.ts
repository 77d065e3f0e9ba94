import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { faultOf } from '#modules/scheduled-files';
import { rowsOf } from '#platform/database/queryable';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { Entry } from './ocsf.ts';
import { type Receiver, sendEntries, storeObject } from './send-entries.ts';

/** Job that sends new entries of the log to all streams for a minute; the next minute starts it again. */
export const streamAuditJob = defineJob('stream-audit', z.object({}), { retryLimit: 0 });

type Worker = Pick<WorkerContext, 'pool' | 'database' | 'config' | 'clock' | 'log'>;

/** Time in ms for which one job looks for new entries, and the interval of its looks. */
const JOB_MS = 55_000;
const LOOK_MS = 2_000;
/** Entries of one request, and of one object. */
const AT_ONCE = 200;
const IN_OBJECT = 50_000;
const HOUR_MS = 3_600_000;
/** Seconds until the next try, by the number of tries. */
const LADDER = [5, 15, 60, 300, 600] as const;
/** Key of the locks that let one worker at a time work on a stream. */
const LOCKS = 0x5a0d1;

interface Stream extends Receiver {
  corporation_id: number | null;
  position: number;
  object_to: number | null;
  covered_until: string;
  tries: number;
}

const DUE = `
  SELECT s.*, (SELECT max(position) FROM activity_log) AS top FROM audit_stream s
  WHERE s.enabled AND s.next_at <= $1
    AND CASE s.destination WHEN 's3' THEN s.covered_until <= $1::timestamptz - interval '1 hour'
      ELSE s.position < (SELECT max(position) FROM activity_log) END ORDER BY s.id`;

// Entries are committed in the order of their positions, so none below `top` is missing.
const ENTRIES = `
  SELECT a.position, a.id, a.corporation_id, a.name, a.description, a.subject_type, a.subject_id, a.causer_id,
    u.name AS causer_name, a.properties,
    to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at,
    jsonb_build_array(a.position, a.id, a.corporation_id, a.name, a.description, a.subject_type, a.subject_id, a.causer_type,
      a.causer_id, a.properties, to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text AS text,
    encode(a.hash, 'hex') AS hash, encode(a.previous_hash, 'hex') AS previous_hash
  FROM activity_log a LEFT JOIN user_account u ON u.id = a.causer_id
  WHERE a.position > $1 AND a.position <= $2 AND ($3::bigint IS NULL OR a.corporation_id IN (
    SELECT c.id FROM corporation c JOIN corporation own ON own.id = $3
    WHERE c.id = own.id OR (own.is_reseller AND c.reseller_id = own.id)))
  ORDER BY a.position LIMIT $4`;

/** Sends new entries to all streams until a minute is over, or to `looks` rounds only. */
export async function streamAudit(
  worker: Worker,
  signal: AbortSignal,
  looks = Number.POSITIVE_INFINITY,
): Promise<void> {
  const end = performance.now() + JOB_MS;
  for (let look = 1; ; look++) {
    const due = await rowsOf<Stream & { top: number }>(worker.database, DUE, [worker.clock.now().toISOString()]);
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

/** Sends the next entries of a stream; false if there are none, or if they did not arrive. */
async function sendNext({ database, config, clock, log }: Worker, id: number): Promise<boolean> {
  const now = clock.now();
  const [found] = await rowsOf<Stream & { top: number }>(
    database,
    `${DUE.replace('ORDER BY s.id', '')} AND s.id = $2`,
    [now.toISOString(), id],
  );
  if (!found) return false;
  const isObject = found.destination === 's3';
  const limit = isObject ? IN_OBJECT : AT_ONCE;
  const entries = await rowsOf<Entry>(database, ENTRIES, [
    found.position,
    found.object_to ?? found.top,
    found.corporation_id,
    limit,
  ]);
  const position = entries.length === limit ? entries.at(-1)!.position : (found.object_to ?? found.top);
  try {
    if (isObject) await storeHour(database, config, found, entries, { position, now });
    else if (entries.length > 0) await sendEntries(config, found, entries, now);
  } catch (error) {
    const fault = faultOf(error);
    log.warn({ err: error, fault, audit_stream_id: id }, 'could not send audit entries; retrying');
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
  await rowsOf(
    database,
    `UPDATE audit_stream SET position = $2, object_to = NULL, tries = 0, error = NULL, failing_since = NULL,
       sent_at = CASE WHEN $3 THEN $4::timestamptz ELSE sent_at END,
       covered_until = CASE WHEN $5 THEN covered_until ELSE $6::timestamptz END WHERE id = $1`,
    [id, position, entries.length > 0, now.toISOString(), entries.length === limit, hour],
  );
  return entries.length === limit;
}

/** Stores an object of the entries. Its last position is recorded first, so that a second try stores the same object. */
async function storeHour(
  database: Worker['database'],
  config: Worker['config'],
  stream: Stream,
  entries: readonly Entry[],
  { position, now }: { position: number; now: Date },
): Promise<void> {
  if (entries.length === 0) return;
  await rowsOf(database, 'UPDATE audit_stream SET object_to = $2 WHERE id = $1', [stream.id, position]);
  const hour = stream.object_to === null ? new Date(now.getTime() - HOUR_MS) : new Date(stream.covered_until);
  await storeObject(config, stream, entries, hour);
}
