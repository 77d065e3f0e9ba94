import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { analyze } from '#platform/database/analyze';
import { lastingFailure } from '#platform/jobs/failure';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { tellCard } from './card-upload.ts';
import { rowsOf } from './sql.ts';

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
export async function applyCard(
  { database, clock, log }: Pick<WorkerContext, 'database' | 'clock' | 'log'>,
  uploadId: number,
  signal: AbortSignal,
): Promise<void> {
  const end = (state: 'applied' | 'failed', error_code: ErrorCode | null) => ({
    state,
    error_code,
    finished_at: clock.now().toISOString(),
  });
  const asked = await database.selectFrom('card_upload').select('state').where('id', '=', uploadId).executeTakeFirst();
  if (asked?.state !== 'applying') return;
  try {
    // Another card may have been applied since this one was checked.
    await analyze(database, 'card_upload_row', 'rate', 'rate_history');
    await database.transaction().execute(async (db) => {
      const upload = await db
        .selectFrom('card_upload')
        .select(['id', 'price_plan_id', 'mode'])
        .where('id', '=', uploadId)
        .where('state', '=', 'applying')
        .forUpdate()
        .executeTakeFirst();
      if (!upload) return;
      const values = [upload.id, upload.price_plan_id];
      await rowsOf(db, LOCK_PLAN, [upload.price_plan_id]);
      if (upload.mode === 'replace') await rowsOf(db, REMOVE_MISSING, values);
      await rowsOf(db, END_EARLIER, values);
      await rowsOf(db, PUT, values);
      await db.deleteFrom('card_upload_row').where('card_upload_id', '=', upload.id).execute();
      await db.updateTable('card_upload').set(end('applied', null)).where('id', '=', upload.id).execute();
    });
    await analyze(database, 'rate', 'rate_history');
  } catch (error) {
    const failure = lastingFailure(error, signal);
    if (!failure) throw error;
    const overlap = (error as { constraint?: string }).constraint === 'rate_overlap';
    if (!overlap) log.error({ err: error, card_upload_id: uploadId }, 'could not apply rate card');
    await database
      .updateTable('card_upload')
      .set(end('failed', overlap ? 'changed_meanwhile' : failure))
      .where('id', '=', uploadId)
      .where('state', '=', 'applying')
      .execute();
  }
  await tellCard(database, uploadId);
}
