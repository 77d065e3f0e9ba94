import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { StartError } from '@heliograph/installation/start-error';
import type pg from 'pg';
import { createClient, type DatabasePlace, type DatabaseRole } from './db.ts';

/** Roles that processes sign in under, once they have a password. */
export const LOGIN_ROLES = ['api', 'auth', 'intake', 'sender', 'worker'] as const satisfies readonly DatabaseRole[];

const ITERATIONS = 4_096;
const KEY_BYTES = 32;

/**
 * Answers the form in which PostgreSQL stores a password (RFC 5802). The password itself then appears in no statement
 * and no log.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ITERATIONS, KEY_BYTES, 'sha256');
  const keyOf = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${keyOf('Server Key').toString('base64')}`;
}

/** Tries to sign in under a role's own login; answers the reason of a refusal, or undefined if it works. */
export async function loginRefusal(place: DatabasePlace, role: DatabaseRole): Promise<string | undefined> {
  const client = createClient(place, role);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return (error as Error).message || 'no answer';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Lets each role sign in with the password of DATABASE_ROLE_PASSWORD; `owner` is a session of the owner, who may alter
 * the roles. A login that works already is not changed. Throws a StartError that names the missing right.
 */
export async function prepareLogins(owner: Pick<pg.Client, 'query'>, place: DatabasePlace): Promise<void> {
  const password = place.DATABASE_ROLE_PASSWORD;
  if (password === undefined) return;
  const changed: DatabaseRole[] = [];
  try {
    for (const role of LOGIN_ROLES) {
      if ((await loginRefusal(place, role)) === undefined) continue;
      await owner.query(`ALTER ROLE heliograph_${role} LOGIN PASSWORD '${scramVerifier(password)}'`);
      changed.push(role);
    }
    // Exports and lists of a job read with the rights of the person who asked for them.
    await owner.query('GRANT heliograph_api TO heliograph_worker WITH INHERIT FALSE, SET TRUE');
    await owner.query(`DO $$ BEGIN
      IF pg_has_role('pg_monitor', 'USAGE WITH ADMIN OPTION') THEN GRANT pg_monitor TO heliograph_worker; END IF;
    END $$`);
  } catch (error) {
    throw new StartError(
      `The roles of the processes could not get logins: ${(error as Error).message}. The user of DATABASE_URL must have CREATEROLE and be an administrator of the roles heliograph_*; or unset DATABASE_ROLE_PASSWORD.`,
    );
  }
  for (const role of changed) {
    const refusal = await loginRefusal(place, role);
    if (refusal !== undefined)
      throw new StartError(
        `The login heliograph_${role} is refused: ${refusal}. Allow the users heliograph_* in pg_hba.conf, as you allow the owner (docs/operate/database.md, "Settings of PostgreSQL"), or unset DATABASE_ROLE_PASSWORD.`,
      );
  }
}
