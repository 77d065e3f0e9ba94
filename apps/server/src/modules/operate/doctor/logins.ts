import type pg from 'pg';
import type { DatabasePlace } from '#platform/database/db';
import { LOGIN_ROLES, loginRefusal } from '#platform/database/logins';
import { bad, type Found, ok, warn } from './finding.ts';

const GUIDE = 'docs/operate/database.md, "Logins of the processes"';

/** Lists the processes that sign in as the owner, with the number of sessions of each. */
async function ownerSessions(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; count: number }>(
    `SELECT substring(application_name FROM '^heliograph (api|auth|intake|sender|worker)') AS name, count(*)::int AS count
     FROM pg_stat_activity WHERE usename = current_user AND datname = current_database()
       AND application_name ~ '^heliograph (api|auth|intake|sender|worker)' GROUP BY 1 ORDER BY 1`,
  );
  return rows.map(({ name, count }) => `${count} of ${name}`);
}

/** Checks whether processes sign in under their own logins, or as the owner of the tables. */
export async function logins(pool: pg.Pool, place: DatabasePlace): Promise<Found | Found[]> {
  if (place.DATABASE_ROLE_PASSWORD === undefined) {
    return warn(
      'Processes sign in as the owner of the tables: injected SQL could use all its rights.',
      `Set DATABASE_ROLE_PASSWORD on all machines, run \`npm run migrate\`, and restart the processes (${GUIDE}).`,
    );
  }
  const found: Found[] = [];
  for (const role of LOGIN_ROLES) {
    const refusal = await loginRefusal(place, role);
    if (refusal !== undefined) {
      found.push(
        bad(
          `The login heliograph_${role} is refused: ${refusal}.`,
          `Run \`npm run migrate\` with this DATABASE_ROLE_PASSWORD, and allow the login in pg_hba.conf (${GUIDE}).`,
        ),
      );
    }
  }
  const sessions = await ownerSessions(pool);
  if (sessions.length > 0) {
    found.push(
      warn(
        `Sessions still sign in as the owner: ${sessions.join(', ')}.`,
        'Set DATABASE_ROLE_PASSWORD where these processes run, and restart them.',
      ),
    );
  }
  return found.length > 0 ? found : ok('Each process signs in with its own login.');
}
