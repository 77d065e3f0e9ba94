import { statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StartError } from '@heliograph/installation/start-error';
import { poolerConfig } from '../platform/database/pooler-config.ts';
import { runCommand } from '../platform/process/run-process.ts';

await runCommand('pooler-config', async ({ config }) => {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new StartError('Name the folder: npm run pooler-config -- /etc/pgbouncer', 2);
  const home = resolve(folder);
  if (!statSync(home, { throwIfNoEntry: false })?.isDirectory())
    throw new StartError(
      `The folder ${home} does not exist. Create it, readable only by the account of PgBouncer, and run this again.`,
    );
  const { ini, users } = poolerConfig(config, { port: 6432, folder: home });
  writeFileSync(join(home, 'pgbouncer.ini'), ini, { mode: 0o640 });
  // The file contains the password: only PgBouncer's account may read it.
  writeFileSync(join(home, 'userlist.txt'), users, { mode: 0o600 });
  process.stdout.write(`Written: ${join(home, 'pgbouncer.ini')}, ${join(home, 'userlist.txt')}\n`);
});
