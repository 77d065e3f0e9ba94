import { parseArgs } from 'node:util';
import { StartError } from '@heliograph/installation/start-error';
import { rebuildTraffic } from '#modules/reports';
import { createClient } from '../platform/database/db.ts';
import { runDatabaseCommand } from '../platform/process/database-command.ts';

// `npm run rebuild-traffic -- --from 2026-01-01 --to 2026-01-31`: counts the statistics of those UTC days again.

const DATE = /^\d{4}-\d{2}-\d{2}$/;

await runDatabaseCommand('rebuild-traffic', async ({ config }) => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } });
  const { from = '', to = '' } = values;
  if (!DATE.test(from) || !DATE.test(to) || to < from)
    throw new StartError('Name the days to count again: --from 2026-01-01 --to 2026-01-31 (both included).');
  const client = createClient(config, 'owner');
  await client.connect();
  try {
    const days = await rebuildTraffic(client, { from, to });
    process.stdout.write(`The statistics of ${days} days were counted again from the recorded messages.\n`);
  } finally {
    await client.end();
  }
});
