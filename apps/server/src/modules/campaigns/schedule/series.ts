import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import type { Kysely, Selectable } from 'kysely';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { newFile } from '#platform/files/files';
import { enqueue } from '#platform/jobs/jobs';
import { SOON } from '#platform/jobs/work-watch';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type Campaign, changeState, reserveCost } from '../campaign-state.ts';
import { insertCampaign } from '../insert-campaign.ts';
import { prepareCampaignJob } from '../prepare-job.ts';
import { countQuoteJob } from '../quotes.ts';
import { askSupervisors } from '../tell-people.ts';
import { homeOfCampaign, isSwitchedOff, scheduleOf } from './plan-schedule.ts';
import { nextOccurrence, occurrenceOf } from './wall-time.ts';

type Series = Selectable<Database['campaign_series']>;
type Worker = Pick<WorkerContext, 'database' | 'clock'>;

/** Time before its start at which an occurrence is quoted and paid, so that it begins on time. */
const LEAD_MS = 10 * 60_000;
/** SQL condition that a series has an occurrence to make before the next look for work. */
export const SERIES_SOON = `EXISTS (SELECT FROM campaign_series WHERE state = 'active'
  AND next_at <= ${SOON} + interval '${LEAD_MS} ms')`;
/** Maximum delay of an occurrence. Those overdue by more are skipped. */
const LATE_MS = 60 * 60_000;

/** Begins a series with its first campaign. It is `waiting` until that campaign is approved. */
export async function beginSeries(
  db: Kysely<Database>,
  campaign: Campaign,
  { schedule, timezone, waiting }: { schedule: CampaignSchedule; timezone: string; waiting: boolean },
): Promise<void> {
  const next = occurrenceOf(schedule, timezone, 2);
  const series = await db
    .insertInto('campaign_series')
    .values({
      corporation_id: campaign.corporation_id,
      department_id: campaign.department_id,
      created_by: campaign.created_by,
      billing_account_id: campaign.billing_account_id,
      name: campaign.name,
      content: JSON.stringify(campaign.content),
      schedule: JSON.stringify(schedule),
      skip_blackout: campaign.skip_blackout,
      state: waiting ? 'waiting' : 'active',
      next_at: next?.starts_at.toISOString() ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.updateTable('campaign').set({ series_id: series.id, occurrence: 1 }).where('id', '=', campaign.id).execute();
}

/** Ends a series. No more occurrences are made; existing ones stay. */
export async function endSeries(db: Kysely<Database>, id: number): Promise<void> {
  await db.updateTable('campaign_series').set({ state: 'ended', next_at: null }).where('id', '=', id).execute();
}

/**
 * Makes the occurrences that are due soon: first the quote of each, then, after it is counted, its campaign. A series
 * is locked during a step, so any number of workers may do it. If a worker dies, the step is not done.
 */
export async function makeOccurrences(worker: Worker): Promise<void> {
  const now = worker.clock.now();
  const due = await worker.database
    .selectFrom('campaign_series')
    .select('id')
    .where('state', '=', 'active')
    .where('next_at', '<=', new Date(now.getTime() + LEAD_MS).toISOString())
    .execute();
  for (const { id } of due) {
    await worker.database.transaction().execute(async (db) => {
      const series = await db
        .selectFrom('campaign_series')
        .selectAll()
        .where('id', '=', id)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (series?.state !== 'active' || series.next_at === null) return;
      if (Date.parse(series.next_at) > now.getTime() + LEAD_MS) return;
      await makeNext(db, series, now);
    });
  }
}

async function makeNext(db: Kysely<Database>, series: Series, now: Date): Promise<void> {
  const { timezone } = await homeOfCampaign(db, series.corporation_id);
  if (Date.parse(series.next_at!) < now.getTime() - LATE_MS) {
    await moveOn(db, series, timezone, new Date(now.getTime() - LATE_MS));
    return;
  }
  // No one would be responsible for the occurrence, so it is skipped.
  if (await isSwitchedOff(db, series)) {
    await moveOn(db, series, timezone, new Date(0));
    return;
  }
  if (series.next_quote_id === null) {
    await askForQuote(db, series);
    return;
  }
  const quote = await db
    .selectFrom('quote')
    .selectAll()
    .where('id', '=', series.next_quote_id)
    .executeTakeFirstOrThrow();
  if (quote.state === 'counting') return;
  const schedule = scheduleOf(series);
  const occurrence = occurrenceOf(schedule, timezone, series.next_occurrence)!;
  const campaign = await insertCampaign(db, quote, {
    name: series.name,
    state: 'preparing',
    schedule: { ...schedule, start: occurrence.start, end: occurrence.end },
    starts_at: occurrence.starts_at,
    ends_at: occurrence.ends_at,
    skip_blackout: series.skip_blackout,
    asked_by: null,
    series: { id: series.id, occurrence: series.next_occurrence },
    now,
  });
  await pay(
    db,
    series,
    campaign,
    quote.state === 'ready' ? quote.refusal_code : (quote.error_code ?? 'internal_error'),
    now,
  );
  await moveOn(db, series, timezone, new Date(0));
}

/** Requests the quote of the next occurrence for its user. If the user was disabled, the series ends. */
async function askForQuote(db: Kysely<Database>, series: Series): Promise<void> {
  const person = await db
    .selectFrom('user_account')
    .select('id')
    .where('id', '=', series.created_by)
    .where('enabled', '=', true)
    .executeTakeFirst();
  if (!person) return endSeries(db, series.id);
  const quote = await db
    .insertInto('quote')
    .values({
      corporation_id: series.corporation_id,
      department_id: series.department_id,
      user_id: series.created_by,
      billing_account_id: series.billing_account_id,
      content: JSON.stringify(series.content),
      rejected_path: newFile('rejects', 'csv'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(db, countQuoteJob, { quote_id: quote.id }, { tenant: series.corporation_id });
  await db.updateTable('campaign_series').set({ next_quote_id: quote.id }).where('id', '=', series.id).execute();
}

/**
 * Reserves the cost of an occurrence and starts its preparation. An occurrence that cannot run fails, and its user is
 * notified.
 */
async function pay(
  db: Kysely<Database>,
  series: Series,
  campaign: Campaign,
  refusal: string | null,
  now: Date,
): Promise<void> {
  const by = { user_id: null };
  const fail = async (error_code: string) => {
    await changeState(db, campaign, 'failed', by, { error_code, finished_at: now.toISOString() });
  };
  if (refusal !== null) return fail(refusal);
  if (campaign.total_count === 0) return fail('audience_empty');
  if (series.max_cost !== null && campaign.estimated_cost > series.max_cost) {
    // More expensive than the approved cost: it waits for another approval.
    await changeState(db, campaign, 'pending', by, { asked_by: campaign.created_by, asked_at: now.toISOString() });
    const supervisors = await db
      .selectFrom('user_supervisor')
      .select('supervisor_id')
      .where('user_id', '=', campaign.created_by)
      .execute();
    await askSupervisors(
      db,
      campaign,
      supervisors.map(({ supervisor_id }) => supervisor_id),
    );
    return;
  }
  try {
    await reserveCost(db, campaign, campaign.created_by, now);
  } catch (error) {
    // The ledger refuses with a result, not with a database error, so the transaction can continue.
    if (error instanceof BusinessError) return fail(error.code);
    throw error;
  }
  await enqueue(db, prepareCampaignJob, { campaign_id: campaign.id }, { tenant: campaign.corporation_id });
}

/** Moves a series to its next occurrence that begins after a moment. If there is none, the series ends. */
export async function moveOn(db: Kysely<Database>, series: Series, timezone: string, after: Date): Promise<void> {
  const next = nextOccurrence(scheduleOf(series), timezone, series.next_occurrence + 1, after);
  await db
    .updateTable('campaign_series')
    .set({
      next_quote_id: null,
      next_occurrence: next?.n ?? series.next_occurrence + 1,
      next_at: next?.starts_at.toISOString() ?? null,
      ...(next ? {} : { state: 'ended' }),
    })
    .where('id', '=', series.id)
    .execute();
}
