import type { Kysely, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { newFile } from '#platform/files/files';
import { enqueue } from '#platform/jobs/jobs';
import { tellWork } from '#platform/jobs/work-watch';
import { emit, notify } from '#platform/realtime/realtime';
import { countQuoteJob } from '../quotes.ts';
import { tellTestJob } from './tell-test.ts';
import type { VariantFigures } from './test-figures.ts';

export type CampaignTest = Selectable<Database['campaign_test']>;
export type TestVariant = Selectable<Database['campaign_test_variant']>;

/** Locks a test until the transaction ends; undefined if it does not exist or the caller may not see it. */
export const lockTest = (db: Kysely<Database>, id: number): Promise<CampaignTest | undefined> =>
  db.selectFrom('campaign_test').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Returns the variants of a test in their order. */
export const variantsOf = (db: Kysely<Database>, testId: number): Promise<TestVariant[]> =>
  db.selectFrom('campaign_test_variant').selectAll().where('test_id', '=', testId).orderBy('place').execute();

/** Changes a locked test, and tells the workers and the people who watch it. */
export async function saveTest(
  db: Kysely<Database>,
  { id, corporation_id }: Pick<CampaignTest, 'id' | 'corporation_id'>,
  set: Partial<Omit<CampaignTest, 'result'>> & { result?: string },
): Promise<void> {
  await db.updateTable('campaign_test').set(set).where('id', '=', id).execute();
  await tellWork(db);
  await emit(db, `private-corporation.${corporation_id}`, 'campaign-test.changed', { id });
}

/** Lets a locked test wait for a person, who is told why. */
export async function waitForPerson(db: Kysely<Database>, test: CampaignTest, reason: string): Promise<void> {
  await saveTest(db, test, { state: 'waiting', waits_for: reason, looks_at: null });
  await tellPerson(db, test, 'waiting');
}

/** Ends a locked test after its rest was made, or if there is none. */
export async function finishTest(
  db: Kysely<Database>,
  test: CampaignTest,
  rest_campaign_id: number | null,
  now: Date,
): Promise<void> {
  const finished_at = now.toISOString();
  await saveTest(db, test, { state: 'finished', waits_for: null, looks_at: null, finished_at, rest_campaign_id });
  await tellPerson(db, test, 'decided');
}

/** Tells the maker of a test what happened: on open screens now, and by mail. */
async function tellPerson(db: Kysely<Database>, test: CampaignTest, what: 'waiting' | 'decided'): Promise<void> {
  await notify(db, test.created_by, `campaign-test.${what}`, { test_id: test.id, name: test.name });
  await enqueue(db, tellTestJob, { test_id: test.id, what });
}

/** Decision about the rest of a test. */
interface Decision {
  winner: number;
  by: 'certainty' | 'fallback' | 'person';
  figures: readonly VariantFigures[];
}

/**
 * Notes the decision about a locked test, and asks for the quote of its rest. The campaign is made after that count, by
 * the clock. A test without a rest ends.
 */
export async function decide(
  db: Kysely<Database>,
  test: CampaignTest,
  { winner, by, figures }: Decision,
  now: Date,
): Promise<void> {
  const decided = {
    winner,
    decided_by: by,
    decided_at: now.toISOString(),
    result: JSON.stringify(figures),
    waits_for: null,
  };
  const chosen = (await variantsOf(db, test.id)).find(({ place }) => place === winner)!;
  if (chosen.rest_quote_id === null) {
    await saveTest(db, test, decided);
    await finishTest(db, test, null, now);
    return;
  }
  // The quote from before the start is old: lists and opt-outs have changed since. Only its content is used.
  const { rows } = await sql<{ id: number }>`
    INSERT INTO quote (corporation_id, department_id, user_id, billing_account_id, content, rejected_path)
    SELECT corporation_id, department_id, user_id, billing_account_id, content, ${newFile('rejects', 'csv')}
    FROM quote WHERE id = ${chosen.rest_quote_id} RETURNING id`.execute(db);
  const rest_quote_id = rows[0]!.id;
  await enqueue(db, countQuoteJob, { quote_id: rest_quote_id }, { tenant: test.corporation_id });
  await saveTest(db, test, {
    ...decided,
    state: 'counting',
    rest_quote_id,
    rest_cost: null,
    looks_at: now.toISOString(),
  });
}
