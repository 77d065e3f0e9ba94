import { join } from 'node:path';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { readConfig } from '../src/platform/config/config.ts';
import { migrationsHash } from '../src/platform/database/migrate.ts';
import { createLogger } from '../src/platform/log.ts';
import { JOBS } from '../src/processes/jobs.ts';
import { prepareDatabase } from '../src/processes/prepare-database.ts';
import { seedDemo } from '../src/seed/index.ts';
import {
  asAdmin,
  DEMO_TEMPLATE,
  ROLE_PASSWORD,
  TEMPLATE,
  type TestCluster,
  testClusterHome,
  urlOf,
} from './template-database.ts';

/**
 * Starts a temporary cluster with one migrated template. It turns durability off, so that tests do not wait for disks.
 */
export async function startTestCluster(dataDir: string): Promise<TestCluster & { stop(): Promise<void> }> {
  const server = await startEmbeddedPostgres({
    dataDir,
    log: createLogger({ LOG_LEVEL: 'warn' }, 'test database', process.stderr),
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      io_method: 'sync',
      max_connections: 400,
      shared_buffers: '128MB',
      max_wal_size: '256MB',
      min_wal_size: '80MB',
    },
  });
  const cluster = { adminUrl: server.adminUrl, ownerUrl: server.url };
  await asAdmin(cluster, async (client) => {
    const present = await client.query('SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (present.rowCount === 0) await client.query(`CREATE DATABASE ${TEMPLATE} OWNER heliograph`);
  });
  await prepareDatabase(urlOf(server.url, TEMPLATE), ROLE_PASSWORD);
  return { ...cluster, stop: () => server.stop() };
}

/** Adds a template with the demo in it. The demo's files outside the database are then in `dataDir`. */
export async function addDemoTemplate(cluster: TestCluster, dataDir: string): Promise<void> {
  await asAdmin(cluster, (client) =>
    client.query(`CREATE DATABASE ${DEMO_TEMPLATE} TEMPLATE ${TEMPLATE} OWNER heliograph`),
  );
  const url = urlOf(cluster.ownerUrl, DEMO_TEMPLATE);
  const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0' });
  await seedDemo({ url, config, log: createLogger({ LOG_LEVEL: 'warn' }, 'demo', process.stderr) });
}

/**
 * Returns the folder of the cluster that test files share when they run alone. Other migrations or queues have another
 * folder.
 */
export function sharedClusterFolder(): string {
  return join(testClusterHome(), `heliograph-test-${process.getuid?.() ?? 'user'}-${migrationsHash()}-${JOBS.length}`);
}
