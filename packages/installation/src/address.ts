import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN, type Credentials } from './cluster.ts';

/** The database of an embedded cluster, and the role that owns it. */
export const DATABASE = 'heliograph';
export const OWNER = 'heliograph';

/**
 * Finds the address at which other processes of this machine reach the running embedded PostgreSQL of a data folder.
 * Answers a URL for the owner, one for the superuser, and the password of the processes' logins; undefined if the
 * folder has no database.
 */
export function embeddedAddress(
  dataDir: string,
): { url: string; adminUrl: string; rolePassword: string | undefined } | undefined {
  const path = join(dataDir, 'database.json');
  if (!existsSync(path) || !existsSync(join(dataDir, 'postgres'))) return undefined;
  const { port, owner_password, admin_password, role_password } = JSON.parse(readFileSync(path, 'utf8')) as Omit<
    Credentials,
    'role_password'
  > &
    Partial<Credentials>;
  const urlOf = (user: string, password: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${DATABASE}`;
  return { url: urlOf(OWNER, owner_password), adminUrl: urlOf(ADMIN, admin_password), rolePassword: role_password };
}
