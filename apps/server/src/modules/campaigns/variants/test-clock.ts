import type { CampaignState } from '@heliograph/contract/kernel/states';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { SOON } from '#platform/jobs/work-watch';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { makeRest } from './make-rest.ts';
import { figuresOf } from './test-figures.ts';
import { type CampaignTest, decide, lockTest, saveTest, waitForPerson } from './test-state.ts';

type Worker = Pick<WorkerContext, 'database' | 'clock'>;

const HOUR_MS = 3_600_000;
/** Interval of looks at a test whose samples have not all started, or not all ended. */
const LOOK_MS = 60_000;

/** SQL condition that a test has a step before the next look for work. */
export const TESTS_SOON = `EXISTS (SELECT FROM campaign_test WHERE looks_at <= ${SOON})`;

/** Takes the steps of tests that are due. Each is one transaction behind the test's lock, so any worker may take it. */
export async function takeTestSteps({ database, clock }: Worker): Promise<void> {
  const now = clock.now();
  const due = await database
    .selectFrom('campaign_test')
    .select('id')
    .where('looks_at', '<=', now.toISOString())
    .orderBy('id')
    .execute();
  for (const { id } of due) {
    await database.transaction().execute(async (db) => {
      const test = await lockTest(db, id);
      if (!test?.looks_at || Date.parse(test.looks_at) > now.getTime()) return;
      if (test.state === 'running') await judge(db, test, now);
      else if (test.state === 'counting') await makeRest(db, test, now);
    });
  }
}

const BEFORE_START: ReadonlySet<CampaignState> = new Set(['pending', 'preparing', 'scheduled']);
const UNDER_WAY: ReadonlySet<CampaignState> = new Set(['running', 'paused']);

/** Samples of a test as the clock sees them. */
export interface Samples {
  /** Campaigns in the order of the variants. */
  campaigns: number[];
  /** True if a sample ended without a start, so that the variants cannot be compared fairly. */
  failed: boolean;
  /** Start of the last sample; null while one waits. */
  started_at: Date | null;
  /** True if a sample is still being sent, or paused. */
  under_way: boolean;
}

/** Reads the samples of a test that was started. */
export async function samplesOf(db: Kysely<Database>, testId: number): Promise<Samples> {
  const { rows } = await sql<{ id: number; state: CampaignState; started_at: string | null }>`
    SELECT c.id, c.state, c.started_at FROM campaign_test_variant v JOIN campaign c ON c.id = v.campaign_id
    WHERE v.test_id = ${testId} ORDER BY v.place`.execute(db);
  const waits = rows.some(({ state }) => BEFORE_START.has(state));
  const starts = rows.flatMap(({ started_at }) => (started_at === null ? [] : [Date.parse(started_at)]));
  return {
    campaigns: rows.map(({ id }) => id),
    failed: rows.some(({ state, started_at }) => started_at === null && !BEFORE_START.has(state)),
    started_at: waits || starts.length < rows.length || rows.length === 0 ? null : new Date(Math.max(...starts)),
    under_way: rows.some(({ state }) => UNDER_WAY.has(state)),
  };
}

/** Returns the time at which a test is decided; null before every sample has started. */
export const decidesAt = (test: Pick<CampaignTest, 'decide_after_hours'>, { started_at }: Samples): Date | null =>
  started_at && new Date(started_at.getTime() + test.decide_after_hours * HOUR_MS);

/** Decides a running test if its time has come, by the rule that its maker chose. */
async function judge(db: Kysely<Database>, test: CampaignTest, now: Date): Promise<void> {
  const samples = await samplesOf(db, test.id);
  if (samples.failed) return waitForPerson(db, test, 'sample_failed');
  const at = decidesAt(test, samples);
  if (at === null || samples.under_way || at > now) {
    const next = at !== null && at > now && !samples.under_way ? at : new Date(now.getTime() + LOOK_MS);
    return saveTest(db, test, { looks_at: next.toISOString() });
  }
  const figures = await figuresOf(db, test, samples.campaigns);
  const ahead = figures.reduce((best, each, place) => (each.best > figures[best]!.best ? place : best), 0);
  const certain = figures[ahead]!.best * 100 >= test.certainty_percent;
  if (test.decides === 'by_hand') return keepAndWait(db, test, figures, 'decision');
  if (certain) return decide(db, test, { winner: ahead + 1, by: 'certainty', figures }, now);
  if (test.fallback === 'by_hand') return keepAndWait(db, test, figures, 'uncertain');
  return decide(db, test, { winner: test.fallback === 'first' ? 1 : ahead + 1, by: 'fallback', figures }, now);
}

async function keepAndWait(
  db: Kysely<Database>,
  test: CampaignTest,
  figures: Awaited<ReturnType<typeof figuresOf>>,
  reason: 'decision' | 'uncertain',
): Promise<void> {
  await saveTest(db, test, { result: JSON.stringify(figures) });
  await waitForPerson(db, test, reason);
}

/** Days for which a priced test that nobody started is kept. */
const DRAFT_DAYS = 3;

/** Removes tests that nobody started. */
export async function forgetDraftTests(db: Kysely<Database>, now: Date): Promise<void> {
  const old = new Date(now.getTime() - DRAFT_DAYS * 24 * HOUR_MS).toISOString();
  await db.deleteFrom('campaign_test').where('state', '=', 'draft').where('created_at', '<', old).execute();
}
