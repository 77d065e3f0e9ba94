import { type Kysely, sql } from 'kysely';
import { cancelRest } from '#modules/delivery';
import type { Database } from '#platform/database/db';
import { type Campaign, transfersOf } from './campaign-state.ts';

/** Sums of the parts of a campaign that are committed while others are still written. */
export interface WrittenParts {
  messages: number;
  parts: number;
  amount: number;
  reseller_amount: number;
}

/** Tells if some parts of a campaign are committed, and others may not be written yet. */
export async function isHalfWritten(db: Kysely<Database>, campaignId: number): Promise<boolean> {
  const row = await db
    .selectFrom('campaign_part')
    .select('part')
    .where('campaign_id', '=', campaignId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Sums the committed parts of a campaign; all sums are 0 without any. */
export async function sumParts(db: Kysely<Database>, campaignId: number): Promise<WrittenParts> {
  const { rows } = await sql<WrittenParts>`
    SELECT coalesce(sum(messages), 0)::bigint AS messages, coalesce(sum(parts), 0)::bigint AS parts,
      coalesce(sum(amount), 0)::bigint AS amount, coalesce(sum(reseller_amount), 0)::bigint AS reseller_amount
    FROM campaign_part WHERE campaign_id = ${campaignId}`.execute(db);
  return rows[0]!;
}

/** Forgets the parts of a campaign of which nothing remains to be written. */
export async function forgetParts(db: Kysely<Database>, campaignId: number): Promise<void> {
  await db.deleteFrom('campaign_part').where('campaign_id', '=', campaignId).execute();
}

/**
 * Cancels what a locked campaign has not handed over, in the transaction that ends it, and releases its reserve. That
 * includes messages that no part contains yet: behind the lock no further part is committed.
 */
export async function cancelAll(db: Kysely<Database>, campaign: Campaign): Promise<void> {
  if (!(await isHalfWritten(db, campaign.id))) return void (await cancelRest(db, campaign.id));
  const written = await sumParts(db, campaign.id);
  await forgetParts(db, campaign.id);
  const amount = campaign.estimated_cost - written.amount;
  const reseller_amount = campaign.reseller_cost - written.reseller_amount;
  const transfers = transfersOf(campaign, 'unwritten', null, { amount, reseller_amount });
  await cancelRest(db, campaign.id, {
    messages: campaign.total_count - written.messages,
    amount,
    transfers: transfers.flatMap((each) => (each && each.amount !== 0 ? [{ ...each, kind: 'release' as const }] : [])),
  });
}
