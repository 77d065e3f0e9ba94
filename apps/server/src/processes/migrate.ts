import { migrate } from '../platform/migrate.ts';
import { runCommand } from '../platform/shutdown.ts';

await runCommand('migrate', async ({ config }) => {
  const applied = await migrate({ url: config.DATABASE_URL });
  process.stdout.write(applied.length > 0 ? `Applied: ${applied.join(', ')}\n` : 'The database is up to date.\n');
});
