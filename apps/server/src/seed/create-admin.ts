import { email as emailSchema } from '@heliograph/contract/kernel/fields';
import { StartError } from '@heliograph/installation/start-error';
import { hashPassword, passwordFault, passwordPolicy } from '#modules/identity';
import { createClient, createDatabase, createPool } from '../platform/database/db.ts';
import { readSettings } from '../platform/operator/settings.ts';
import { translate } from '../platform/text/i18n.ts';
import { seedReference } from './reference.ts';

/**
 * Creates a super administrator: the first person of an installation without the demo, or one more. Throws a StartError
 * if the address or the password is invalid, or the address is taken.
 */
export async function createAdmin(admin: {
  url: string;
  email: string;
  name: string;
  password: string;
}): Promise<void> {
  const email = emailSchema.safeParse(admin.email);
  if (!email.success) throw new StartError(`The email address is not valid: ${translate('en', 'validation.email')}`);
  const name = admin.name.trim();
  if (name === '') throw new StartError('The name is empty.');
  const client = createClient({ DATABASE_URL: admin.url }, 'owner');
  await client.connect();
  try {
    await seedReference(client);
    const policy = await policyOf(admin.url);
    const fault = passwordFault(admin.password, policy);
    if (fault) throw new StartError(`The password is too weak: ${translate('en', `validation.${fault}`)}`);
    // Accounts of an address share a salt, so that signing in takes one derivation.
    const { rows } = await client.query<{ password_hash: string }>(
      'SELECT password_hash FROM user_account WHERE email = $1 ORDER BY id LIMIT 1',
      [email.data],
    );
    const { rowCount } = await client.query(
      `INSERT INTO user_account (name, email, password_hash, role_id, permission_template, scope_level, activated_at)
       SELECT $1, $2, $3, id, name, level, now() FROM role WHERE name = 'super_admin'
       ON CONFLICT ON CONSTRAINT user_account_email_key DO NOTHING`,
      [name, email.data, await hashPassword(admin.password, rows[0]?.password_hash)],
    );
    if (rowCount === 0) throw new StartError(`A user already has the email address ${email.data}.`);
  } finally {
    await client.end();
  }
}

async function policyOf(url: string) {
  const db = createDatabase(createPool({ DATABASE_URL: url }, 'auth', { max: 1 }));
  try {
    return passwordPolicy(await readSettings(db));
  } finally {
    await db.destroy();
  }
}
