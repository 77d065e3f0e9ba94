import { sql } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import { rowsOf } from '#platform/database/queryable';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { forgetWhoConverted, namelessRules } from './forget-clicks.ts';
import { firstKept, type OwnRule, readOwnRules, readPlatformDays } from './kept-days.ts';
import { removeOldFiles } from './old-files.ts';
import { forgetLinks } from './old-links.ts';
import { OLD_RECORDS } from './old-records.ts';

/** Job that removes what is older than the rules of corporations allow. */
export const followRulesJob = defineJob('follow-retention-rules', z.object({}), { statementSeconds: 900 });

type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock' | 'log'>;

/** Chunks whose messages are changed in one transaction. */
const CHUNKS = 20;
/** Records that are changed in one transaction. */
const RECORDS = 500;
const LOG_ENTRIES = 500;

/** Parts of a day that are done separately, with the field of the rule and the function that changes chunks. */
const PARTS = [
  { kind: 'otp', field: 'otp_days', change: 'remove_texts' },
  { kind: 'transactional', field: 'transactional_days', change: 'remove_texts' },
  { kind: 'bulk', field: 'bulk_days', change: 'remove_texts' },
  { kind: 'number', field: 'number_days', change: 'cut_numbers' },
] as const;
type Part = (typeof PARTS)[number];

/**
 * Removes what is too old by the rule of each corporation. Work is done in short transactions, and a repetition changes
 * nothing that was changed: a job that dies has lost nothing.
 */
export async function followRules(worker: Worker, signal: AbortSignal): Promise<void> {
  const rules = await readOwnRules(worker.database);
  await followByDay(worker, rules, signal);
  for (const rule of rules) await followByRecord(worker, rule, signal);
  const nameless = await namelessRules(worker.database);
  await forgetLinks(worker, [...rules, ...nameless], signal);
  await forgetWhoConverted(
    worker.database,
    nameless.map(({ corporation_id }) => corporation_id),
  );
  await forgetLog(worker, rules, signal);
}

/** Removes texts and numbers of messages, a day of a corporation after the other. */
async function followByDay(worker: Worker, rules: readonly OwnRule[], signal: AbortSignal): Promise<void> {
  const { database, clock } = worker;
  const now = clock.now();
  const byCorporation = new Map(rules.map((rule) => [rule.corporation_id, rule]));
  const ids = [...byCorporation.keys()];
  const days = await rowsOf<{ day: string }>(database, 'SELECT d::text AS day FROM partitioned_days() AS d');
  for (const { day } of days) {
    signal.throwIfAborted();
    const present = await rowsOf<{ corporation_id: number; class: string; settled: boolean }>(
      database,
      `SELECT corporation_id, class, bool_and(settled) AS settled FROM chunk
       WHERE id >= ($1::date - date '1970-01-01')::bigint << 28 AND id < ($1::date - date '1970-01-01' + 1)::bigint << 28
         AND corporation_id = ANY ($2::bigint[]) GROUP BY 1, 2 ORDER BY 1, 2`,
      [day, ids],
    );
    const runs = await rowsOf<{ run: string }>(
      database,
      "SELECT corporation_id || ' ' || kind AS run FROM retention_run WHERE day = $1",
      [day],
    );
    const done = new Set(runs.map(({ run }) => run));
    for (const corporation_id of new Set(present.map((each) => each.corporation_id)))
      for (const part of PARTS) {
        const days = byCorporation.get(corporation_id)![part.field];
        const chunks = present.filter(
          (each) => each.corporation_id === corporation_id && (part.kind === 'number' || each.class === part.kind),
        );
        if (days === null || day >= firstKept(now, days) || chunks.length === 0) continue;
        if (done.has(`${corporation_id} ${part.kind}`)) continue;
        const settled = chunks.every((each) => each.settled);
        await followPart(worker, { day, corporation_id, days, part, settled }, signal);
      }
  }
  // Runs of days whose messages are gone tell nothing any more.
  await sql`DELETE FROM retention_run WHERE day < coalesce((SELECT min(d) FROM partitioned_days() AS d), current_date)`.execute(
    database,
  );
}

interface Run {
  day: string;
  corporation_id: number;
  days: number;
  part: Part;
  /** False while messages of the day have not ended: those that have are changed, and the day is done another night. */
  settled: boolean;
}

async function followPart({ database, clock, log }: Worker, run: Run, signal: AbortSignal): Promise<void> {
  const { day, corporation_id, days, part, settled } = run;
  for (let last = 0, some = true; some; ) {
    signal.throwIfAborted();
    const [batch] = await rowsOf<{ last: number | null }>(
      database,
      `WITH picked AS (SELECT array_agg(id) AS ids, max(id) AS last FROM (SELECT id FROM chunk
         WHERE corporation_id = $1 AND settled AND id > greatest($3, (($2::date - date '1970-01-01')::bigint << 28) - 1)
           AND id < ($2::date - date '1970-01-01' + 1)::bigint << 28
           ${part.kind === 'number' ? '' : `AND class = '${part.kind}'`} ORDER BY id LIMIT ${CHUNKS}) k)
       SELECT last, ${part.change}(ids) FROM picked WHERE last IS NOT NULL`,
      [corporation_id, day, last],
    );
    some = batch?.last != null;
    if (some) last = batch!.last!;
  }
  if (!settled) {
    log.warn(
      { day, corporation_id, kind: part.kind },
      'messages of the day still in progress; removing the rest later',
    );
    return;
  }
  await rowsOf(
    database,
    'INSERT INTO retention_run (day, corporation_id, kind, days, done_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
    [day, corporation_id, part.kind, days, clock.now().toISOString()],
  );
  log.info({ day, corporation_id, kind: part.kind }, 'data of the day removed by the rule of a corporation');
}

/** Removes what campaigns, replies and files hold, some records in each transaction. */
async function followByRecord(worker: Worker, rule: OwnRule, signal: AbortSignal): Promise<void> {
  const { database, clock } = worker;
  for (const { field, change, told } of OLD_RECORDS) {
    const days = rule[field];
    if (days === null) continue;
    for (let count = RECORDS; count > 0; ) {
      signal.throwIfAborted();
      const [batch] = await rowsOf<{ count: number }>(database, change, [
        rule.corporation_id,
        firstKept(clock.now(), days),
        RECORDS,
        ...(told ? [clock.now().toISOString(), days] : []),
      ]);
      count = batch!.count;
    }
  }
  if (rule.file_days !== null)
    await removeOldFiles(worker, rule.corporation_id, firstKept(clock.now(), rule.file_days), signal);
}

/**
 * Takes the details of old entries of the activity log. A new entry lists which they were with the hash of what is left,
 * as for an erasure, so the check of the chain finds them whole.
 */
async function forgetLog(worker: Worker, rules: readonly OwnRule[], signal: AbortSignal): Promise<void> {
  const { database, clock } = worker;
  const now = clock.now();
  const own = rules.filter(({ log_days }) => log_days !== null);
  const all = (await readPlatformDays(database)).log_days;
  if (own.length === 0 && all === null) return;
  const values = [
    own.map(({ corporation_id }) => corporation_id),
    own.map(({ log_days }) => firstKept(now, log_days!)),
    all === null ? null : firstKept(now, all),
  ];
  for (let last = 0, some = true; some; ) {
    signal.throwIfAborted();
    const entries = await database.transaction().execute(async (db) => {
      const changed = await rowsOf<{ place: number; content: string }>(
        db,
        'SELECT place, content FROM forget_log($1::bigint[], $2::timestamptz[], $3::timestamptz, $4, $5) ORDER BY place',
        [...values, last, LOG_ENTRIES],
      );
      if (changed.length > 0)
        await audit(
          { db, clock, caller: { user_id: null, corporation_id: null } },
          {
            name: 'privacy',
            description: 'log entries erased',
            subject_type: 'retention-rules',
            subject_id: null,
            after: { entries: changed.map(({ place, content }) => [place, content]) },
          },
        );
      return changed;
    });
    some = entries.length > 0;
    last = entries.at(-1)?.place ?? last;
  }
}
