import { hashOfNothing, hashPassword } from './password-hash.ts';
import type { Identity } from './session-tokens.ts';

/**
 * Makes the hash of a new password for an address. All accounts of an address share a salt, so that signing in takes
 * one derivation even if many tenants know the address. Without a password nobody can sign in with it.
 */
export async function hashFor(
  { authDb }: Pick<Identity, 'authDb'>,
  email: string,
  password: string | null,
): Promise<string> {
  const account = await authDb
    .selectFrom('user_account')
    .select('password_hash')
    .where('email', '=', email)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return password === null ? hashOfNothing(account?.password_hash) : hashPassword(password, account?.password_hash);
}
