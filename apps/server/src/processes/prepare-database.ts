import { createClient } from '../platform/db.ts';
import { installJobs } from '../platform/jobs.ts';
import { migrate } from '../platform/migrate.ts';
import { seedReference } from '../seed/reference.ts';
import { JOBS } from './jobs.ts';

/**
 * Brings a database to this release: migrations, queues, and the reference data every installation has. Answers the
 * migrations applied.
 */
export async function prepareDatabase(url: string): Promise<string[]> {
  const applied = await migrate({ url });
  await installJobs(url, JOBS);
  const client = createClient({ DATABASE_URL: url }, 'owner');
  await client.connect();
  try {
    await seedReference(client);
  } finally {
    await client.end();
  }
  return applied;
}
