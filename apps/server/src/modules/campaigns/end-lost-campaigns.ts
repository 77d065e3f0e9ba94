import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/db';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';
import { saveQuote } from './count-quote.ts';
import { giveUp } from './prepare-campaign.ts';

/** Ends as failed what no job will ever prepare or count. */
export const endLostCampaignsJob = defineJob('end-lost-campaigns', z.object({}));

export const EVERY_FIVE_MINUTES = '*/5 * * * *';

// A job is put into the queue by the transaction that makes it wanted, so without one it is not wanted, or lost.
const noJob = (name: string, field: string, id: string) => sql<boolean>`NOT EXISTS (
  SELECT FROM jobs.job j WHERE j.name = ${name} AND j.state IN ('created', 'retry', 'active')
    AND (j.data ->> ${field})::bigint = ${sql.ref(id)})`;

const isLost = noJob('prepare-campaign', 'campaign_id', 'campaign.id');

/**
 * Campaigns and quotes whose job has used up its tries would be prepared and counted for ever in the eyes of people, and keep
 * their reserve. They are ended as failed, and the reserve is released; preparing that still goes on somewhere writes nothing.
 */
export async function endLostCampaigns(worker: Pick<WorkerContext, 'database' | 'clock'>): Promise<void> {
  const { database } = worker;
  const campaigns = await database
    .selectFrom('campaign')
    .select('id')
    .where('state', '=', 'preparing')
    .where(isLost)
    .execute();
  // Looked at once more behind its lock: it may have been edited, and wanted again, meanwhile.
  const stillLost = async (db: Kysely<Database>, id: number) =>
    (await db.selectFrom('campaign').select('id').where('id', '=', id).where(isLost).executeTakeFirst()) !== undefined;
  for (const { id } of campaigns) await giveUp(worker, id, 'failed', 'campaign_prepare_failed', stillLost);
  const quotes = await database
    .selectFrom('quote')
    .select('id')
    .where('state', '=', 'counting')
    .where(noJob('count-quote', 'quote_id', 'quote.id'))
    .execute();
  for (const { id } of quotes) await saveQuote(worker, id, { state: 'failed', error_code: 'internal_error' });
}
