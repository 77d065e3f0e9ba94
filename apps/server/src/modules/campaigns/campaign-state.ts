import type { TransitionReason } from '@heliograph/contract/campaigns/campaign-row';
import { type CampaignState, mayBecome } from '@heliograph/contract/kernel/states';
import type { Kysely, Selectable, Updateable } from 'kysely';
import { isUnpaid, type Pricing, release, reserve, type Transfer } from '#modules/billing';
import { type Counted, countCampaign, giveBackCampaign } from '#modules/policy';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { tellWork } from '#platform/jobs/work-watch';
import { emit } from '#platform/realtime/realtime';

export type Campaign = Selectable<Database['campaign']>;

/** User who changes a campaign, or the reason if no user does. */
export interface ChangedBy {
  user_id: number | null;
  note?: string | undefined;
  reason?: TransitionReason | undefined;
}

/**
 * Locks a campaign's row until the transaction ends, and returns it. Writing of messages can continue, since it needs
 * only that the campaign is not deleted. Returns undefined if it does not exist or the caller may not see it.
 */
export function lockCampaign(db: Kysely<Database>, id: number): Promise<Campaign | undefined> {
  return db.selectFrom('campaign').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Moves a locked campaign to another state and adds a line to its timeline. Throws `invalid_transition`. */
export async function changeState(
  db: Kysely<Database>,
  campaign: Pick<Campaign, 'id' | 'corporation_id' | 'state'>,
  to: CampaignState,
  by: ChangedBy,
  set: Updateable<Database['campaign']> = {},
): Promise<void> {
  if (!mayBecome(campaign.state, to)) throw new BusinessError('invalid_transition');
  await db
    .updateTable('campaign')
    .set({ ...set, state: to })
    .where('id', '=', campaign.id)
    .execute();
  await recordTransition(db, campaign, campaign.state, to, by);
}

/** Adds a line to a campaign's timeline, and notifies the people who watch it and the workers. */
export async function recordTransition(
  db: Kysely<Database>,
  campaign: Pick<Campaign, 'id' | 'corporation_id'>,
  from_state: CampaignState | null,
  to_state: CampaignState,
  by: ChangedBy,
): Promise<void> {
  await db
    .insertInto('campaign_transition')
    .values({
      campaign_id: campaign.id,
      corporation_id: campaign.corporation_id,
      from_state,
      to_state,
      user_id: by.user_id,
      note: by.note || null,
      reason: by.reason ?? null,
    })
    .execute();
  await tellWork(db);
  await emit(db, `private-campaign.${campaign.id}`, 'campaign.progress', { id: campaign.id, state: to_state });
  await emit(db, `private-corporation.${campaign.corporation_id}`, 'campaign.progress', {
    id: campaign.id,
    state: to_state,
  });
}

/** Returns a campaign, or the quote of one, as sending limits count it. */
export const countedOf = (of: {
  corporation_id: number;
  user_id: number;
  content: unknown;
  total_count: number;
  cost: number;
}): Counted => ({
  corporation_id: of.corporation_id,
  user_id: of.user_id,
  api_key_id: null,
  sender_id_id: (of.content as { sender_id: number }).sender_id,
  class: 'bulk',
  msisdn: null,
  messages: of.total_count,
  cost: of.cost,
});

/**
 * Reserves the cost of a campaign and counts it for the sending limits. If a limit or the ledger refuses, it throws and
 * moves nothing.
 */
export async function reserveCost(db: Kysely<Database>, campaign: Campaign, userId: number, now: Date): Promise<void> {
  const counted = countedOf({ ...campaign, user_id: campaign.created_by, cost: campaign.estimated_cost });
  await countCampaign(db, campaign.id, counted, now);
  await reserve(db, ...transfersOf(campaign, 'reserve', userId));
  // The reserve has locked the accounts, so a hold that begins now waits for the end of this transaction.
  if (await isUnpaid(db, campaign)) throw new BusinessError('billing_account_held');
}

/** Releases the whole reserve of a campaign that never queued a message, and gives back what limits counted for it. */
export async function releaseCost(db: Kysely<Database>, campaign: Campaign, userId: number | null): Promise<void> {
  await giveBackCampaign(db, campaign.id);
  if (!(await release(db, ...transfersOf(campaign, 'release', userId)))) return;
  await db
    .updateTable('campaign_counter')
    .set((eb) => ({ released: eb('released', '+', campaign.estimated_cost) }))
    .where('campaign_id', '=', campaign.id)
    .execute();
}

/** Returns the transfers of the campaign's account and of its reseller's: of its whole cost, or of the given amounts. */
export function transfersOf(
  campaign: Campaign,
  what: 'reserve' | 'release' | 'unwritten',
  user_id: number | null,
  of = { amount: campaign.estimated_cost, reseller_amount: campaign.reseller_cost },
): [own: Transfer, reseller: Transfer | null] {
  const pricing = campaign.pricing as Pricing | null;
  // The reserve of an earlier version was released together with that version.
  const version = campaign.revision === 0 ? '' : `:${campaign.revision}`;
  const own = {
    key: `campaign:${campaign.id}${version}:${what}`,
    billing_account_id: campaign.billing_account_id,
    corporation_id: campaign.corporation_id,
    amount: of.amount,
    campaign_id: campaign.id,
    user_id,
    pricing: what === 'reserve' ? pricing : null,
  };
  if (!pricing?.reseller) return [own, null];
  const { billing_account_id, corporation_id } = pricing.reseller;
  const reseller = { ...own, key: `${own.key}:reseller`, billing_account_id, corporation_id };
  // The user at the customer is not recorded in the reseller's books, which collect such reservations by the hour.
  return [own, { ...reseller, amount: of.reseller_amount, user_id: null, pricing: null }];
}
