import { type CampaignSchedule, campaignSchedule } from '@heliograph/contract/campaigns/schedule';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { oneOfSeveral } from '#platform/database/one-of-several';
import { BusinessError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import { enqueue } from '#platform/jobs/jobs';
import { reserveCost } from '../campaign-state.ts';
import { insertCampaign } from '../insert-campaign.ts';
import { prepareCampaignJob } from '../prepare-job.ts';
import type { Quote } from '../quotes.ts';
import { homeOfCampaign, planTimes } from '../schedule/plan-schedule.ts';
import { wallTimeOf } from '../schedule/wall-time.ts';
import { askSupervisors } from '../tell-people.ts';
import { type CampaignTest, finishTest, saveTest, variantsOf, waitForPerson } from './test-state.ts';

/** Interval of looks at a quote that is being counted. */
const COUNT_MS = 1_000;
const DAY_MS = 86_400_000;

/**
 * Makes the campaign of a test's rest once its quote is counted, behind the test's lock: the same transaction ends the
 * test, so the rest is made once. If it costs more than was confirmed, or is refused, the test waits for a person.
 */
export async function makeRest(db: Kysely<Database>, test: CampaignTest, now: Date): Promise<void> {
  const quote = await db
    .selectFrom('quote')
    .selectAll()
    .where('id', '=', test.rest_quote_id!)
    .executeTakeFirstOrThrow();
  if (quote.state === 'counting') {
    return saveTest(db, test, { looks_at: new Date(now.getTime() + COUNT_MS).toISOString() });
  }
  if (quote.state === 'failed') return waitForPerson(db, test, quote.error_code ?? 'internal_error');
  if (quote.total_count === 0) return finishTest(db, test, null, now);
  await saveTest(db, test, { rest_cost: quote.cost });
  if (quote.refusal_code !== null) return waitForPerson(db, test, quote.refusal_code);
  if (test.max_rest_cost === null || quote.cost > test.max_rest_cost) return waitForPerson(db, test, 'rest_dearer');
  // Without the person, no one would be responsible for it.
  if (!(await isEnabled(db, test.created_by))) return waitForPerson(db, test, 'person_left');
  let campaign_id = 0;
  const refusal = await oneOfSeveral(db, async () => {
    campaign_id = await insertRest(db, test, quote, now);
  });
  if (refusal) return waitForPerson(db, test, refusal.code);
  failpoint('campaign-test.rest-made');
  await finishTest(db, test, campaign_id, now);
}

async function insertRest(db: Kysely<Database>, test: CampaignTest, quote: Quote, now: Date): Promise<number> {
  const supervisors = test.asks_approval ? await supervisorsOf(db, test.created_by) : null;
  if (supervisors?.length === 0) throw new BusinessError('supervisor_required');
  const chosen = (await variantsOf(db, test.id)).find(({ place }) => place === test.winner)!;
  const { schedule, starts_at } = await nextStart(db, test, chosen.start, now);
  const campaign = await insertCampaign(db, quote, {
    name: test.name,
    state: supervisors ? 'pending' : 'preparing',
    schedule,
    starts_at,
    ends_at: null,
    skip_blackout: test.skip_blackout,
    asked_by: supervisors ? test.created_by : null,
    now,
  });
  if (supervisors) {
    await askSupervisors(db, campaign, supervisors);
    return campaign.id;
  }
  const account = await db
    .selectFrom('billing_account')
    .select(['suspended', 'enabled'])
    .where('id', '=', campaign.billing_account_id)
    .executeTakeFirstOrThrow();
  if (account.suspended || !account.enabled) throw new BusinessError('billing_account_suspended');
  await reserveCost(db, campaign, test.created_by, now);
  await enqueue(db, prepareCampaignJob, { campaign_id: campaign.id }, { tenant: campaign.corporation_id });
  return campaign.id;
}

async function isEnabled(db: Kysely<Database>, userId: number): Promise<boolean> {
  const person = await db
    .selectFrom('user_account')
    .select('id')
    .where('id', '=', userId)
    .where('enabled', '=', true)
    .executeTakeFirst();
  return person !== undefined;
}

async function supervisorsOf(db: Kysely<Database>, userId: number): Promise<number[]> {
  const rows = await db.selectFrom('user_supervisor').select('supervisor_id').where('user_id', '=', userId).execute();
  return rows.map(({ supervisor_id }) => supervisor_id);
}

/** Returns the start of the rest: now, or the next time of day at which the sample of its variant started. */
async function nextStart(
  db: Kysely<Database>,
  test: CampaignTest,
  start: string | null,
  now: Date,
): Promise<{ schedule: CampaignSchedule; starts_at: Date | null }> {
  const brakes = test.schedule as object;
  const whenever = { schedule: campaignSchedule.parse(brakes), starts_at: null };
  if (start === null) return whenever;
  const { timezone } = await homeOfCampaign(db, test.corporation_id);
  for (let days = 0; days < 3; days++) {
    const day = wallTimeOf(new Date(now.getTime() + days * DAY_MS), timezone).slice(0, 10);
    const schedule = campaignSchedule.parse({ ...brakes, start: `${day}T${start.slice(11)}` });
    try {
      const { starts_at } = planTimes({ ...schedule, spread_minutes: null }, { zone: timezone, now, validity: 1 });
      if (starts_at && starts_at > now) return { schedule, starts_at };
    } catch (error) {
      // The time is past, or the clock skips it on this day.
      if (!(error instanceof BusinessError)) throw error;
    }
  }
  return whenever;
}
