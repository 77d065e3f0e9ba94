import { randomBytes } from 'node:crypto';
import { StartError } from '@heliograph/installation/start-error';
import type pg from 'pg';
import { createPool } from '../platform/database/db.ts';
import { runDatabaseCommand } from '../platform/process/database-command.ts';
import { replaceFingerprint, tryKey } from '../platform/process/key-fingerprint.ts';
import { seal, secretKey } from '../platform/process/seal.ts';
import { textKeyContext } from '../platform/text/text-keys.ts';

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
  text_key: 'keys of message texts (these texts cannot be read again)',
};

/** Counts contexts by the kind of their secrets. */
function summary(contexts: readonly string[]): string {
  const counts = Map.groupBy(contexts, (context) => context.split('.', 1)[0]!);
  return [...counts].map(([table, each]) => `${each.length} ${NAMES[table] ?? table}`).join(', ');
}

/**
 * Notes as destroyed the keys of message texts that the lost key sealed: their texts cannot be read again. A corporation
 * whose texts were encrypted gets another key, so that new ones still are.
 */
async function destroyLostKeys(pool: pg.Pool, key: Buffer, closed: readonly string[]): Promise<void> {
  for (const context of closed) {
    const [, corporation, number] = /^text_key\.key\.(\d+)\.(\d+)$/.exec(context) ?? [];
    if (corporation === undefined) continue;
    const { rows } = await pool.query<{ current: boolean; next: number }>(
      `WITH before AS (SELECT state FROM text_key WHERE corporation_id = $1 AND number = $2)
       UPDATE text_key k SET state = 'destroyed', key_sealed = NULL, destroyed_at = now(),
         reason = 'The key of the installation was lost'
       FROM before WHERE k.corporation_id = $1 AND k.number = $2
       RETURNING before.state = 'current' AS current,
         (SELECT max(o.number) + 1 FROM text_key o WHERE o.corporation_id = $1) AS next`,
      [corporation, number],
    );
    const [lost] = rows;
    if (!lost?.current) continue;
    const sealed = seal(key, randomBytes(32).toString('base64'), textKeyContext(Number(corporation), lost.next));
    await pool.query(
      "INSERT INTO text_key (corporation_id, number, state, key_sealed) VALUES ($1, $2, 'current', $3)",
      [corporation, lost.next, sealed],
    );
  }
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
    await destroyLostKeys(pool, key, closed);
    process.stdout.write(
      closed.length === 0
        ? 'The key of this machine is the key of the installation.\n'
        : `The key of this machine is now the key of the installation. Enter these again: ${summary(closed)}.\n`,
    );
  } finally {
    await pool.end();
  }
});
