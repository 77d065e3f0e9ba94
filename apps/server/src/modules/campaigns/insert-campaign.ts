import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { constraintError } from '#platform/errors';
import { type Campaign, recordTransition } from './campaign-state.ts';
import { fingerprintOf } from './fingerprint.ts';
import type { Quote } from './quotes.ts';

/** Data that makes a campaign from a quote. */
interface NewCampaign {
  name: string;
  state: 'pending' | 'preparing';
  schedule: CampaignSchedule;
  starts_at: Date | null;
  ends_at: Date | null;
  skip_blackout: boolean;
  /** User who asks for an approval; null if none is needed. */
  asked_by: number | null;
  /** Series and number of a campaign that was made by repetition. */
  series?: { id: number; occurrence: number };
  /** User who makes the campaign; left out if the clock makes it. */
  user_id?: number;
  now: Date;
}

/** Returns the columns of a campaign about its messages, recipients and prices, as a quote found them. */
export async function quotedColumns(db: Kysely<Database>, quote: Quote) {
  const sender = await db
    .selectFrom('sender_id')
    .select('sender_id')
    .where('id', '=', (quote.content as { sender_id: number }).sender_id)
    .executeTakeFirst();
  return {
    billing_account_id: quote.billing_account_id,
    quote_id: quote.id,
    content: JSON.stringify(quote.content),
    // A sender that was deleted: an occurrence of a series has failed because of it.
    sender_id: sender?.sender_id ?? '',
    total_count: quote.total_count,
    total_sms: quote.total_sms,
    gsm_count: quote.gsm_count,
    unicode_count: quote.unicode_count,
    rejected_count: quote.rejected_count,
    rejected_path: quote.rejected_path,
    estimated_cost: quote.cost,
    reseller_cost: quote.reseller_cost,
    pricing: JSON.stringify(quote.pricing),
    // Counted when the messages are written.
    languages: null,
  };
}

/**
 * Writes a campaign with its counters and the first line of its timeline. Throws `changed_meanwhile` if the quote is
 * used already.
 */
export async function insertCampaign(db: Kysely<Database>, quote: Quote, made: NewCampaign): Promise<Campaign> {
  const campaign = await db
    .insertInto('campaign')
    .values({
      corporation_id: quote.corporation_id,
      department_id: quote.department_id,
      created_by: quote.user_id,
      ...(await quotedColumns(db, quote)),
      name: made.name,
      state: made.state,
      schedule: JSON.stringify(made.schedule),
      starts_at: made.starts_at?.toISOString() ?? null,
      ends_at: made.ends_at?.toISOString() ?? null,
      skip_blackout: made.skip_blackout,
      asked_by: made.asked_by,
      asked_at: made.asked_by === null ? null : made.now.toISOString(),
      series_id: made.series?.id ?? null,
      occurrence: made.series?.occurrence ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      // The quote became a campaign before, by a double click or another tab.
      throw constraintError(error, { campaign_quote_id_key: 'changed_meanwhile' }) ?? error;
    });
  await keepFingerprint(db, campaign);
  await db
    .insertInto('campaign_counter')
    .values({ campaign_id: campaign.id, corporation_id: campaign.corporation_id })
    .execute();
  await recordTransition(db, campaign, null, made.state, { user_id: made.user_id ?? null });
  return campaign;
}

/** Stores the fingerprint of a campaign, to which an approval will refer, and returns it. */
export async function keepFingerprint(db: Kysely<Database>, campaign: Campaign): Promise<string> {
  const fingerprint = fingerprintOf(campaign);
  await db.updateTable('campaign').set({ fingerprint }).where('id', '=', campaign.id).execute();
  campaign.fingerprint = fingerprint;
  return fingerprint;
}
