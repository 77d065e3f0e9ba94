import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { saveQuote } from './count-quote.ts';
import { forgetRecipients } from './kept-segments.ts';
import { giveUp } from './prepare-campaign.ts';
import { forgetDraftTests } from './variants/test-clock.ts';

/** Job that ends campaigns and quotes that no job will ever prepare or count. */
export const endLostCampaignsJob = defineJob('end-lost-campaigns', z.object({}));

export const EVERY_FIVE_MINUTES = '*/5 * * * *';

// The transaction that needs a job puts it into the queue. A campaign or quote without a job does not need one, or has
// lost it.
const noJob = (name: string, field: string, id: string) => sql<boolean>`NOT EXISTS (
  SELECT FROM jobs.job j WHERE j.name = ${name} AND j.state IN ('created', 'retry', 'active')
    AND (j.data ->> ${field})::bigint = ${sql.ref(id)})`;

const isLost = noJob('prepare-campaign', 'campaign_id', 'campaign.id');

/**
 * Ends campaigns and quotes with a job that has used up its tries. Otherwise people would see them as being prepared or
 * counted for ever, and the reserve would stay. They end as failed, and the reserve is released. If some worker still
 * prepares one, it writes nothing. Recipients of segments that no campaign needs any more are removed with them.
 */
export async function endLostCampaigns(worker: Pick<WorkerContext, 'database' | 'clock'>): Promise<void> {
  const { database } = worker;
  const campaigns = await database
    .selectFrom('campaign')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('state', '=', 'preparing'),
        eb.exists(eb.selectFrom('campaign_part').select('part').whereRef('campaign_id', '=', 'campaign.id')),
      ]),
    )
    .where(isLost)
    .execute();
  // Checked again behind the lock, because an edit may have queued a new job meanwhile.
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
  await forgetRecipients(database, worker.clock.now());
  await forgetDraftTests(database, worker.clock.now());
}
