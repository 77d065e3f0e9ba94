import { createClient } from '../platform/database/db.ts';
import { prepareLogins } from '../platform/database/logins.ts';
import { migrate } from '../platform/database/migrate.ts';
import { installJobs } from '../platform/jobs/jobs.ts';
import { seedReference } from '../seed/reference.ts';
import { JOBS } from './jobs.ts';

/**
 * Brings a database to this release: migrations, queues, the reference data every installation has, and the logins of
 * the roles if there is a password for them. Answers the names of the applied migrations.
 */
export async function prepareDatabase(url: string, rolePassword?: string | undefined): Promise<string[]> {
  const applied = await migrate({ url });
  await installJobs(url, JOBS);
  const client = createClient({ DATABASE_URL: url }, 'owner');
  await client.connect();
  try {
    await seedReference(client);
    await prepareLogins(client, { DATABASE_URL: url, DATABASE_ROLE_PASSWORD: rolePassword });
  } finally {
    await client.end();
  }
  return applied;
}
