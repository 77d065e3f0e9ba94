import { readAnchors, verifyActivity } from '#modules/audit';
import { verifyInvoices } from '#modules/invoices';
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
    const invoices = await verifyInvoices(client);
    process.stdout.write(
      invoices.altered.length > 0
        ? `Issued documents that differ from the log, by id: ${invoices.altered.join(', ')}.\n`
        : `All ${invoices.checked} digests of issued documents agree with the log.\n`,
    );
    process.exitCode = fault || invoices.altered.length > 0 ? 1 : 0;
  } finally {
    await client.end();
  }
});
