import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { pushTo } from '#platform/person/push';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';

/** Job that mails one person the new state of a campaign. */
export const mailCampaignNewsJob = defineJob(
  'mail-campaign-news',
  z.object({ campaign_transition_id: z.int(), user_id: z.int() }),
);

const AT_ONCE = 100;

/** States of a campaign that people are notified of: it waits for an approval, was decided, or ended. */
type What = 'pending' | 'approved' | 'discarded' | 'rejected' | 'completed' | 'stopped' | 'failed' | 'paused';

interface Step {
  id: number;
  from_state: string | null;
  to_state: string;
  /** Reason, if no person did it. */
  reason: string | null;
  /** Person who did it; null for the program itself. */
  user_id: number | null;
  campaign_id: number;
  name: string;
  created_by: number;
}

const ENDS: ReadonlySet<string> = new Set(['discarded', 'rejected', 'completed', 'stopped', 'failed']);

/** Answers the news of a line of the timeline; undefined if it is no news. */
function newsOf({ from_state, to_state, reason }: Pick<Step, 'from_state' | 'to_state' | 'reason'>): What | undefined {
  if (to_state === 'pending') return 'pending';
  // Pauses by blackout hours begin and end by themselves; a canary that failed and too many opt-outs wait for a person.
  if (to_state === 'paused') return reason === 'canary' || reason === 'opt_outs' ? 'paused' : undefined;
  if (from_state === 'pending' && !ENDS.has(to_state)) return 'approved';
  return ENDS.has(to_state) ? (to_state as What) : undefined;
}

/** Notifies people of new lines of timelines: each person's bell now, and the mail by a job that can retry. */
export async function tellCampaignNews({ database }: Pick<WorkerContext, 'database'>): Promise<void> {
  for (;;) {
    const taken = await database.transaction().execute(async (db) => {
      const { rows } = await sql<Step>`
        WITH untold AS (
          SELECT id FROM campaign_transition WHERE told_at IS NULL ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED
        )
        UPDATE campaign_transition t SET told_at = now() FROM untold, campaign c
        WHERE t.id = untold.id AND c.id = t.campaign_id
        RETURNING t.id, t.from_state, t.to_state, t.reason, t.user_id, c.id AS campaign_id, c.name, c.created_by`.execute(
        db,
      );
      for (const step of rows) await tell(db, step);
      return rows.length;
    });
    if (taken < AT_ONCE) return;
  }
}

async function tell(db: Kysely<Database>, step: Step): Promise<void> {
  const what = newsOf(step);
  if (!what) return;
  const concerned =
    what === 'pending'
      ? db.selectFrom('user_supervisor').select('supervisor_id as id').where('user_id', '=', step.created_by)
      : db.selectFrom('user_account').select('id').where('id', '=', step.created_by);
  for (const { id } of await concerned.execute()) {
    // The person who did it gets no notice of it.
    if (id === step.user_id) continue;
    // Supervisors learn of waiting campaigns by the request for approval itself.
    if (what !== 'pending')
      await notify(db, id, `campaign.${what}`, { campaign_id: step.campaign_id, name: step.name });
    await enqueue(db, mailCampaignNewsJob, { campaign_transition_id: step.id, user_id: id });
    await pushTo(db, [id], what === 'pending' ? 'approval' : 'finished', { what, id: step.campaign_id });
  }
}

/** Mails one person the new state of a campaign, in their language, if their preferences allow such mails. */
export async function mailCampaignNews(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { campaign_transition_id, user_id }: z.output<(typeof mailCampaignNewsJob)['data']>,
): Promise<void> {
  const step = await database
    .selectFrom('campaign_transition as t')
    .innerJoin('campaign as c', 'c.id', 't.campaign_id')
    .innerJoin('corporation as o', 'o.id', 'c.corporation_id')
    .innerJoin('user_account as m', 'm.id', 'c.created_by')
    .select([
      't.from_state',
      't.to_state',
      't.reason',
      't.note',
      'c.id',
      'c.name',
      'c.state',
      'c.total_count',
      'c.estimated_cost',
    ])
    .select(['o.currency', 'm.name as made_by'])
    .where('t.id', '=', campaign_transition_id)
    .executeTakeFirst();
  const what = step && newsOf(step);
  if (!what) return;
  // If the campaign was decided meanwhile, no approval is waiting any more.
  if (what === 'pending' && step.state !== 'pending') return;
  const person = await personToMail(database, user_id, what === 'pending' ? 'approval' : 'finished');
  if (!person) return;
  const brand = await brandOf(database, config, person.corporation_id);
  const { locale } = person;
  const params = {
    app: brand.app,
    person: person.name,
    name: step.name,
    by: step.made_by,
    messages: step.total_count,
    cost: fromThousandths(step.estimated_cost),
    currency: step.currency,
    url: what === 'pending' ? `${brand.url}/pending-campaigns` : `${brand.url}/campaign-history/${step.id}`,
    profile: `${brand.url}/profile`,
  };
  const say = (part: string) => translate(locale, keyIn('campaign_news', part), params);
  const note = step.note ? `${step.note}\n\n` : '';
  const text = `${say(`${what}.text`)}\n\n${note}${say('footer')}`;
  await sendMail(config, { to: person.email, subject: say(`${what}.subject`), text }, log, brand.mail());
}
