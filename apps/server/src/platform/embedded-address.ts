import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN, type Credentials } from './postgres-cluster.ts';

/** The database of an embedded cluster, and the role that owns it. */
export const DATABASE = 'heliograph';
export const OWNER = 'heliograph';

/**
 * How other processes of this machine reach the embedded PostgreSQL of a data folder while it runs: as the owner, and as the
 * superuser; and the password of the processes' logins. Undefined where the folder has none.
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
