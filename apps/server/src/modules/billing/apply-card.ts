import { analyze } from '#platform/database/analyze';
import { BusinessError } from '#platform/errors';
import { runTask, type TaskRun, type TaskWorker } from '#platform/tasks/run-task';
import { cardTask } from './card-upload.ts';
import { costsMayDiffer } from './follow-costs.ts';
import { requireOwnPrices } from './own-prices.ts';
import { rowsOf } from './sql.ts';

/** Lock on the card's task: two attempts at it wait for each other. */
const LOCK_CARD = "SELECT FROM task WHERE type = 'card_upload' AND id = $1 FOR UPDATE";

/**
 * Lock on the plan's row, which is the lock of its card. Two uploads, or an upload and a person, wait for each other.
 */
const LOCK_PLAN = 'SELECT id FROM price_plan WHERE id = $1 FOR NO KEY UPDATE';

const REMOVE_MISSING = `
DELETE FROM rate r WHERE r.price_plan_id = $2 AND NOT EXISTS (SELECT FROM card_upload_row s
  WHERE s.card_upload_id = $1 AND s.rate_zone_id = r.rate_zone_id AND s.prefix = r.prefix AND s.starts_on = r.starts_on)`;

/**
 * Ends a rate on the day before, if it would reach into a row's days. Rates that the file names get their end from the
 * file.
 */
const END_EARLIER = `
UPDATE rate r SET ends_on = n.starts_on - 1
FROM (
  SELECT DISTINCT ON (e.id) e.id, s.starts_on FROM card_upload_row s
  JOIN rate e ON e.price_plan_id = $2 AND e.rate_zone_id = s.rate_zone_id AND e.prefix = s.prefix
    AND e.starts_on < s.starts_on AND (e.ends_on IS NULL OR e.ends_on >= s.starts_on)
  WHERE s.card_upload_id = $1 ORDER BY e.id, s.starts_on
) n WHERE r.id = n.id`;

const PUT = `
INSERT INTO rate AS r (price_plan_id, rate_zone_id, prefix, charge, enabled, starts_on, ends_on)
SELECT $2, s.rate_zone_id, s.prefix, s.charge, s.enabled, s.starts_on, coalesce(s.ends_on, (
  SELECT min(l.starts_on) - 1 FROM rate l WHERE l.price_plan_id = $2 AND l.rate_zone_id = s.rate_zone_id
    AND l.prefix = s.prefix AND l.starts_on > s.starts_on))
FROM card_upload_row s WHERE s.card_upload_id = $1 ORDER BY s.line
ON CONFLICT (price_plan_id, rate_zone_id, prefix, starts_on) DO UPDATE SET
  charge = EXCLUDED.charge, enabled = EXCLUDED.enabled, ends_on = EXCLUDED.ends_on
WHERE (r.charge, r.enabled, r.ends_on) IS DISTINCT FROM (EXCLUDED.charge, EXCLUDED.enabled, EXCLUDED.ends_on)`;

/** Applies a checked card in one transaction. If a worker dies, the card is unchanged. */
export const applyCard = (worker: TaskWorker, uploadId: number, signal: AbortSignal): Promise<void> =>
  runTask(worker, cardTask, uploadId, signal, (run) => apply(worker, run), ['applying']);

async function apply({ database }: TaskWorker, { task, end }: TaskRun): Promise<void> {
  // Another card may have been applied since this one was checked.
  await analyze(database, 'card_upload_row', 'rate', 'rate_history');
  await database
    .transaction()
    .execute(async (db) => {
      const values = [task.id, task.price_plan_id];
      await rowsOf(db, LOCK_CARD, [task.id]);
      await rowsOf(db, LOCK_PLAN, [task.price_plan_id]);
      await requireOwnPrices({ db }, [task.price_plan_id!]);
      if (task.mode === 'replace') await rowsOf(db, REMOVE_MISSING, values);
      await rowsOf(db, END_EARLIER, values);
      await rowsOf(db, PUT, values);
      await db.deleteFrom('card_upload_row').where('card_upload_id', '=', task.id).execute();
      await costsMayDiffer({ db });
      await end('applied', {}, db);
    })
    .catch((error: unknown) => {
      const overlap = (error as { constraint?: string }).constraint === 'rate_overlap';
      throw overlap ? new BusinessError('changed_meanwhile', { cause: error }) : error;
    });
  await analyze(database, 'rate', 'rate_history');
}
