import { runCommand } from '../platform/process/run-process.ts';
import { prepareDatabase } from './prepare-database.ts';

await runCommand('migrate', async ({ config }) => {
  const applied = await prepareDatabase(config.DATABASE_URL, config.DATABASE_ROLE_PASSWORD);
  process.stdout.write(applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The database is up to date.\n');
});
