import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { Locale } from '@heliograph/contract/kernel/scope';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';
import type { Campaign } from './campaign-state.ts';

const HOUR_MS = 3_600_000;
/** Validity of texts to supervisors. They are no sign-in codes: they may wait, but not for long. */
const TEXT_VALIDITY_HOURS = 12;

/** Job that tells a supervisor by a text to their phone that a campaign waits for approval. */
export const textSupervisorJob = defineJob('text-supervisor', z.object({ campaign_id: z.int(), user_id: z.int() }));

/** Sends a text of the platform itself, within a transaction. */
export type SendOwnText = (
  db: Kysely<Database>,
  text: { msisdn: string; text: string; sender_id: string; user_id: number; expires_at: string },
) => Promise<void>;

/**
 * Notifies supervisors of a waiting campaign, by the bell and by a text to their phone. Mails follow from the timeline.
 */
export async function askSupervisors(
  db: Kysely<Database>,
  campaign: Pick<Campaign, 'id' | 'name'>,
  supervisors: readonly number[],
): Promise<void> {
  for (const user_id of supervisors) {
    await notify(db, user_id, 'campaign.pending', { campaign_id: campaign.id, name: campaign.name });
    await enqueue(db, textSupervisorJob, { campaign_id: campaign.id, user_id });
  }
}

type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock'>;

/** Texts a supervisor who has a phone that a campaign waits, unless it was decided meanwhile. */
export async function textSupervisor(
  { database, config, clock }: Worker,
  sendOwnText: SendOwnText,
  { campaign_id, user_id }: z.output<(typeof textSupervisorJob)['data']>,
): Promise<void> {
  const campaign = await database
    .selectFrom('campaign as c')
    .innerJoin('corporation as o', 'o.id', 'c.corporation_id')
    .innerJoin('user_account as u', 'u.id', 'c.created_by')
    .select(['c.name', 'c.state', 'c.total_count', 'c.estimated_cost', 'c.corporation_id'])
    .select(['o.currency', 'u.name as user_name'])
    .where('c.id', '=', campaign_id)
    .executeTakeFirst();
  const person = await database
    .selectFrom('user_account')
    .select(['phone', 'preferred_language'])
    .where('id', '=', user_id)
    .where('enabled', '=', true)
    .executeTakeFirst();
  if (campaign?.state !== 'pending' || !person?.phone) return;
  const brand = await brandOf(database, config, campaign.corporation_id);
  const text = translate(person.preferred_language as Locale, 'approval_wanted.text', {
    app: brand.app,
    name: campaign.name,
    user: campaign.user_name,
    count: campaign.total_count,
    cost: fromThousandths(campaign.estimated_cost),
    currency: campaign.currency,
    url: `${brand.url}/pending-campaigns`,
  });
  const msisdn = person.phone;
  const sender_id = brand.app.replace(/[^A-Za-z0-9]/g, '').slice(0, 11) || 'Heliograph';
  const expires_at = new Date(clock.now().getTime() + TEXT_VALIDITY_HOURS * HOUR_MS).toISOString();
  await database.transaction().execute((db) => sendOwnText(db, { msisdn, text, sender_id, user_id, expires_at }));
}
