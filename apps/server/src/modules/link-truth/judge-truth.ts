import { LATENCY_BOUNDS } from '@heliograph/contract/carrier-quality/carrier-quality';
import { ACCUSED_SCORE } from '@heliograph/contract/links/link-truth';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { repeat } from '#platform/jobs/repeat';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { ENOUGH_TIMES, type Evidence, truthOf } from './truth.ts';

const EVERY_MS = 60_000;

// Loops count only if their phone has answered lately over any link: a broken phone accuses nobody.
const TESTS = `
  SELECT k.id AS link_id,
    count(*) FILTER (WHERE t.kind = 'dead' AND t.state IS NOT NULL)::float8 AS dead,
    count(*) FILTER (WHERE t.kind = 'dead' AND t.state = 'delivered')::float8 AS dead_delivered,
    count(*) FILTER (WHERE t.kind = 'own' AND t.state IS NOT NULL)::float8 AS own,
    count(*) FILTER (WHERE t.kind = 'own' AND t.state = 'delivered')::float8 AS own_delivered,
    count(*) FILTER (WHERE t.kind = 'loop' AND t.state = 'delivered' AND (t.answered_at IS NOT NULL
      OR (t.reported_at < now() - interval '30 minutes' AND n.answered_at > t.sent_at - interval '1 day')))::float8 AS loop,
    count(*) FILTER (WHERE t.kind = 'loop' AND t.state = 'delivered' AND t.answered_at IS NULL
      AND t.reported_at < now() - interval '30 minutes' AND n.answered_at > t.sent_at - interval '1 day')::float8 AS loop_missing
  FROM link k LEFT JOIN link_test t ON t.link_id = k.id AND t.sent_at > now() - interval '7 days'
  LEFT JOIN test_number n ON n.number = t.number
  WHERE k.test_rate > 0 GROUP BY k.id`;
const TIMES = `
  SELECT latencies::float8[] AS latencies FROM carrier_quality
  WHERE link_id = $1 AND slot > now() - interval '7 days' ORDER BY slot DESC LIMIT 500`;
const WRITE = `
  INSERT INTO link_truth (link_id, score, evidence, accused_at, judged_at)
  SELECT link_id, score, evidence, CASE WHEN score >= $2 THEN now() END, now()
  FROM jsonb_to_recordset($1) AS r(link_id bigint, score integer, evidence jsonb)
  ON CONFLICT (link_id) DO UPDATE SET score = excluded.score, evidence = excluded.evidence, judged_at = excluded.judged_at,
    accused_at = CASE WHEN excluded.score >= $2 THEN coalesce(link_truth.accused_at, now()) END`;

interface TestsRow {
  link_id: number;
  dead: number;
  dead_delivered: number;
  own: number;
  own_delivered: number;
  loop: number;
  loop_missing: number;
}

/** Reads the newest receipts of a link by their time, at least as many as a judgment needs. */
async function newestTimes(db: Kysely<Database>, linkId: number): Promise<number[]> {
  const sums = new Array<number>(LATENCY_BOUNDS.length + 1).fill(0);
  let all = 0;
  for (const { latencies } of await rowsOf<{ latencies: number[] }>(db, TIMES, [linkId])) {
    for (const [place, count] of latencies.entries()) {
      sums[place]! += count;
      all += count;
    }
    if (all >= 2 * ENOUGH_TIMES) break;
  }
  return sums;
}

/** Judges the receipts of all links with test messages once. Of several workers one does it. */
export async function judgeTruth({ database, log }: Pick<WorkerContext, 'database' | 'log'>): Promise<void> {
  await database.transaction().execute(async (db) => {
    const [lock] = await rowsOf<{ taken: boolean }>(
      db,
      `SELECT pg_try_advisory_xact_lock(hashtext('judge_truth')) AS taken`,
      [],
    );
    if (!lock?.taken) return;
    const judged = [];
    for (const row of await rowsOf<TestsRow>(db, TESTS, [])) {
      const evidence: Evidence = {
        dead: { ended: row.dead, delivered: row.dead_delivered },
        own: { ended: row.own, delivered: row.own_delivered },
        loop: { delivered: row.loop, missing: row.loop_missing },
        latencies: await newestTimes(db, row.link_id),
      };
      const truth = truthOf(evidence);
      judged.push({ link_id: row.link_id, score: truth.score, evidence: truth });
      if (truth.score >= ACCUSED_SCORE)
        log.warn({ link_id: row.link_id, score: truth.score }, 'receipts of link look false');
    }
    if (judged.length > 0) await rowsOf(db, WRITE, [JSON.stringify(judged), ACCUSED_SCORE]);
  });
}

/** Starts the judge of the receipts of links. Returns a handle that stops it. */
export function judgeReceipts(worker: Pick<WorkerContext, 'database' | 'log'>): { stop(): Promise<void> } {
  return repeat(
    EVERY_MS,
    () => judgeTruth(worker),
    (error) => worker.log.warn({ err: error }, 'could not judge receipts of links; retrying'),
  );
}
