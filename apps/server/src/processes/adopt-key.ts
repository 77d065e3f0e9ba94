import { StartError } from '@heliograph/installation/start-error';
import { createPool } from '../platform/database/db.ts';
import { runDatabaseCommand } from '../platform/process/database-command.ts';
import { replaceFingerprint, tryKey } from '../platform/process/key-fingerprint.ts';
import { secretKey } from '../platform/process/seal.ts';

// `npm run adopt-key [-- --yes]`: records the key of this machine as that of the installation, if the previous key is
// lost.

/** Tables with sealed secrets, and the names of those secrets for people. */
const NAMES: Readonly<Record<string, string>> = {
  link: 'passwords of carrier links',
  routing: 'passwords of inbound routes',
  reseller: 'mail passwords of resellers',
  callback_secret: 'secrets of callbacks',
  user_totp: 'authenticator apps of people',
  merchant_account: 'keys of payment methods',
  audit_stream: 'secrets of audit streams',
  person_request: 'numbers of people in searches',
  scheduled_file: 'logins of destinations of files',
  identity_provider: 'secrets of identity providers',
  push_key: 'notifications on devices',
};

/** Counts contexts by the kind of their secrets. */
function summary(contexts: readonly string[]): string {
  const counts = Map.groupBy(contexts, (context) => context.split('.', 1)[0]!);
  return [...counts].map(([table, each]) => `${each.length} ${NAMES[table] ?? table}`).join(', ');
}

await runDatabaseCommand('adopt-key', async ({ config }) => {
  const agreed = process.argv.slice(2).includes('--yes');
  const pool = createPool(config, 'owner', { max: 1 });
  try {
    const key = secretKey(config);
    const { opened, closed } = await tryKey(pool, key);
    if (closed.length > 0 && !agreed) {
      throw new StartError(
        `The key of this machine opens ${opened} of ${opened + closed.length} encrypted secrets. You would have to enter these again: ${summary(closed)}. Nothing was changed. If the correct key is lost: npm run adopt-key -- --yes`,
      );
    }
    await replaceFingerprint(pool, key);
    // A worker makes another key for push services; people turn on notifications on their devices again.
    if (closed.includes('push_key.private_key_sealed')) await pool.query('DELETE FROM push_key');
    process.stdout.write(
      closed.length === 0
        ? 'The key of this machine is the key of the installation.\n'
        : `The key of this machine is now the key of the installation. Enter these again: ${summary(closed)}.\n`,
    );
  } finally {
    await pool.end();
  }
});
