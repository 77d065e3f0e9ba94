import { sql } from 'kysely';
import { z } from 'zod';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { erasePersonJob } from './erase-person.ts';
import { findPersonJob } from './find-person.ts';

/** Job that starts searches and erasures again whose job gave up, such as while the storage of files was away. */
export const resumePeopleJob = defineJob('resume-people', z.object({}), { retryLimit: 0 });

/** Age from which a request without a job is taken up again. */
const LEFT_AFTER = '10 minutes';

/** Queues the work of requests that are open and have no job. */
export async function resumePeople({ database }: Pick<WorkerContext, 'database'>): Promise<void> {
  const { rows } = await sql<{ id: number; corporation_id: number | null; state: string }>`
    SELECT p.id, p.corporation_id, p.state FROM person_request p
    WHERE p.state IN ('searching', 'erasing') AND coalesce(p.asked_at, p.created_at) < now() - ${LEFT_AFTER}::interval
      AND NOT EXISTS (SELECT FROM jobs.job j WHERE j.state < 'completed' AND j.data ->> 'person_request_id' = p.id::text
        AND j.name = CASE p.state WHEN 'erasing' THEN ${erasePersonJob.name} ELSE ${findPersonJob.name} END)
    ORDER BY p.id`.execute(database);
  for (const { id, corporation_id, state } of rows)
    await enqueue(
      database,
      state === 'erasing' ? erasePersonJob : findPersonJob,
      { person_request_id: id },
      { tenant: corporation_id },
    );
}
