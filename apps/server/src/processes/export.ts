import { parseArgs } from 'node:util';
import { StartError } from '@heliograph/installation/start-error';
import { writeInstallation } from '#modules/moving';
import { runDatabaseCommand } from '../platform/process/database-command.ts';
import { asAdministrator } from './as-administrator.ts';

// `npm run export --silent -- --as EMAIL > config.yaml`: writes the running installation as a declared one.

const USAGE = 'Usage: export --as EMAIL';

function readArguments(): string | undefined {
  try {
    return parseArgs({ options: { as: { type: 'string' } } }).values.as;
  } catch (error) {
    throw new StartError(`${(error as Error).message} ${USAGE}`, 2);
  }
}

await runDatabaseCommand('export', async (context) => {
  const as = readArguments();
  if (as === undefined) throw new StartError(`Name with --as the administrator whose records are written. ${USAGE}`, 2);
  const text = await asAdministrator(context, as, writeInstallation);
  process.stdout.write(text, () => process.exit(0));
});
