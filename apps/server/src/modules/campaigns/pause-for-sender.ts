import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { notify } from '#platform/realtime/realtime';
import { type Campaign, changeState, lockCampaign, recordTransition } from './campaign-state.ts';

const BY_SENDER = { user_id: null, reason: 'sender' } as const;
/** Reasons of pauses that end by themselves. */
const BY_CLOCK: ReadonlySet<string> = new Set(['blackout', 'switched_off', 'unpaid']);
const PAUSED = { pause_reason: 'sender', resumes_at: null } as const;

/**
 * Returns whether the sender ID of a campaign may be used, under the name that its messages have. A decision about the
 * sender ID waits until the caller's transaction ends, so that a campaign cannot start beside a suspension.
 */
export async function senderMayBeUsed(
  db: Kysely<Database>,
  { content, corporation_id, sender_id }: Pick<Campaign, 'content' | 'corporation_id' | 'sender_id'>,
): Promise<boolean> {
  const { sender_id: id } = content as { sender_id: number };
  const { rows } = await sql<{ usable: boolean }>`SELECT usable AND sender_id = ${sender_id} AS usable FROM sender_id
    WHERE id = ${id} AND corporation_id = ${corporation_id} FOR SHARE`.execute(db);
  return rows[0]?.usable ?? false;
}

/** Pauses a running campaign because its sender ID may not be used, and notifies its author. */
export async function pauseForSender(db: Kysely<Database>, campaign: Campaign): Promise<void> {
  await changeState(db, campaign, 'paused', BY_SENDER, PAUSED);
  await notify(db, campaign.created_by, 'campaign.paused', { campaign_id: campaign.id, name: campaign.name });
}

/**
 * Pauses the running campaigns of a sender ID, in the transaction that takes it out of use. Campaigns that would resume
 * by the clock wait for a person instead.
 */
export async function pauseCampaignsOf(
  db: Kysely<Database>,
  sender: { id: number; corporation_id: number },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM campaign
    WHERE (state = 'running' OR state = 'paused' AND pause_reason IN ('blackout', 'switched_off', 'unpaid')) AND corporation_id = ${sender.corporation_id}
      AND content->>'sender_id' = ${String(sender.id)} ORDER BY id`.execute(db);
  for (const { id } of rows) {
    const campaign = await lockCampaign(db, id);
    if (campaign?.state === 'running') await pauseForSender(db, campaign);
    else if (campaign?.state === 'paused' && BY_CLOCK.has(campaign.pause_reason ?? '')) {
      await db.updateTable('campaign').set(PAUSED).where('id', '=', id).execute();
      await recordTransition(db, campaign, 'paused', 'paused', BY_SENDER);
    }
  }
}
