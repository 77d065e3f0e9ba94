import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { OwnRule } from './kept-days.ts';
import { forgetLinks } from './old-links.ts';

/** Job that takes the numbers from the clicks of corporations that do not name them. */
export const forgetClicksJob = defineJob('forget-clicks', z.object({}), { statementSeconds: 900 });

/** Takes the contacts from the conversions of corporations. */
export const forgetWhoConverted = (db: Kysely<Database>, corporations: readonly number[]) =>
  sql`UPDATE conversion SET contact_id = NULL
    WHERE corporation_id = ANY (${corporations}::bigint[]) AND contact_id IS NOT NULL`.execute(db);

/** Links written until tomorrow are old enough. */
const ALL_DAYS = -1;

/**
 * Returns rules by which no link of a corporation that does not name clicks keeps its number. They also find links that a
 * campaign wrote while the choice was made.
 */
export async function namelessRules(
  db: Kysely<Database>,
  onlyNew = false,
): Promise<Pick<OwnRule, 'corporation_id' | 'number_days'>[]> {
  const { rows } = await sql<{ id: number }>`SELECT id FROM corporation
    WHERE NOT names_clicks AND (clicks_forgotten_at IS NULL OR NOT ${onlyNew})`.execute(db);
  return rows.map(({ id }) => ({ corporation_id: id, number_days: ALL_DAYS }));
}

/**
 * Takes the numbers from the links and clicks of corporations that have just chosen not to name who clicks. Later ones are
 * written without numbers. A job that dies has lost nothing: the next one does the rest.
 */
export async function forgetClicks(
  worker: Pick<WorkerContext, 'database' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock } = worker;
  const rules = await namelessRules(database, true);
  if (rules.length === 0) return;
  const corporations = rules.map(({ corporation_id }) => corporation_id);
  await forgetLinks(worker, rules, signal);
  await forgetWhoConverted(database, corporations);
  await sql`UPDATE corporation SET clicks_forgotten_at = ${clock.now().toISOString()}
    WHERE id = ANY (${corporations}::bigint[]) AND NOT names_clicks`.execute(database);
}
