import { MOST_DECLINES } from '@heliograph/contract/top-ups/automatic-top-up';
import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { Seen } from './drivers/driver.ts';
import { hasArrived, type TopUp } from './settle.ts';
import { tellAutomatic } from './tell-top-ups.ts';

// Facts about the card of an automatic top-up, recorded in the transaction that changes the state of its payment.

export type AutomaticTopUp = Selectable<Database['automatic_top_up']>;

/** Job that removes the card of an ended automatic top-up at its provider. */
export const forgetCardJob = defineJob('forget-card', z.object({ automatic_top_up_id: z.int() }));

/** Job that charges the kept card for one top-up. */
export const chargeCardJob = defineJob('charge-card', z.object({ top_up_id: z.int() }));

/** Minimum minutes from a declined charge to the next. */
const AFTER_DECLINE_MINUTES = 60;

/** Follows a look at the first payment or a charge of an automatic top-up: `before` and `after` are its locked row. */
export async function followCard(
  db: Kysely<Database>,
  before: TopUp,
  after: TopUp,
  seen: Seen,
  now: Date,
): Promise<void> {
  if (before.automatic_top_up_id === null) return;
  const arrived = hasArrived(after) && !hasArrived(before);
  if (before.save_method && arrived && seen.saved) await keepCard(db, after, seen.saved, now);
  if (!before.automatic) return;
  if (arrived)
    await db
      .updateTable('automatic_top_up')
      .set({ declines: 0 })
      .where('id', '=', before.automatic_top_up_id)
      .execute();
  if (after.state === 'failed' && before.state !== 'failed') await countDecline(db, before, now);
}

/** Keeps the card of the first payment. If the person has ended the automatic top-up meanwhile, the card is removed. */
async function keepCard(db: Kysely<Database>, topUp: TopUp, card: NonNullable<Seen['saved']>, now: Date) {
  const { rows } = await sql<{ id: number; state: string }>`
    UPDATE automatic_top_up SET card_customer = ${card.customer}, card_method = ${card.method}, card_label = ${topUp.method_label},
      state = CASE state WHEN 'waiting' THEN 'on' ELSE state END,
      next_at = ${now.toISOString()}::timestamptz + minutes_between * interval '1 minute'
    WHERE id = ${topUp.automatic_top_up_id} AND card_method IS NULL RETURNING id, state`.execute(db);
  const kept = rows[0];
  if (kept?.state === 'ended') await enqueue(db, forgetCardJob, { automatic_top_up_id: kept.id });
}

/** Counts a declined charge. After the last one that is allowed, the automatic top-up stops and its people are told. */
export async function countDecline(db: Kysely<Database>, topUp: TopUp, now: Date): Promise<void> {
  const { rows } = await sql<AutomaticTopUp>`
    UPDATE automatic_top_up SET declines = declines + 1,
      state = CASE WHEN declines + 1 >= ${MOST_DECLINES} THEN 'stopped' ELSE state END,
      stop_reason = CASE WHEN declines + 1 >= ${MOST_DECLINES} THEN 'declined' ELSE stop_reason END,
      next_at = greatest(next_at, ${now.toISOString()}::timestamptz + ${AFTER_DECLINE_MINUTES} * interval '1 minute')
    WHERE id = ${topUp.automatic_top_up_id} AND state = 'on' RETURNING *`.execute(db);
  const counted = rows[0];
  if (counted?.state === 'stopped') await tellAutomatic(db, counted, 'stopped');
}
