import { readAnchors, verifyActivity } from '#modules/audit';
import { createClient } from '../platform/database/db.ts';
import { runDatabaseCommand } from '../platform/process/database-command.ts';

// `npm run verify-log`: checks that no entry of the activity log was altered, removed or moved.

await runDatabaseCommand('verify-log', async ({ config }) => {
  const client = createClient(config, 'owner');
  await client.connect();
  try {
    const anchors = await readAnchors(config);
    const { checked, fault } = await verifyActivity(client, anchors);
    process.stdout.write(
      fault
        ? `Entry ${fault.position} of the activity log is ${fault.what}; the ${checked} before it are whole.\n`
        : `All ${checked} entries of the activity log are whole; ${anchors.length} anchors agree.\n`,
    );
    process.exitCode = fault ? 1 : 0;
  } finally {
    await client.end();
  }
});
