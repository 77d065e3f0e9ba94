import { randomBytes } from 'node:crypto';
import { StartError } from '@heliograph/installation/start-error';
import { loadCaller } from '#modules/identity';
import { type Calls, callsThrough } from '#modules/moving';
import type { ConnectedConfig } from '../platform/config/config.ts';
import { createDatabase, createPool } from '../platform/database/db.ts';
import type { ProcessContext } from '../platform/process/run-process.ts';
import { buildApi } from './api.ts';

/** Maximum calls a minute that the API takes from a command, which makes one for each record. */
const NO_LIMIT = 1_000_000_000;

/**
 * Runs `work` with calls of the API in the name of a platform administrator: with that person's rights, in the same
 * transactions and with the same entries of the activity log as in the console. No port is opened. Who runs a command
 * has the database's own login, so no password is asked for.
 */
export async function asAdministrator<Result>(
  { config, log }: ProcessContext,
  email: string,
  work: (calls: Calls) => Promise<Result>,
): Promise<Result> {
  const auth = createPool(config, 'auth', { max: 2 });
  const authDb = createDatabase(auth);
  const bearer = randomBytes(32).toString('base64url');
  const own: ConnectedConfig = { ...config, CALLS_PER_MINUTE: NO_LIMIT };
  try {
    const person = await authDb
      .selectFrom('user_account')
      .select('id')
      .where('email', '=', email.trim().toLowerCase())
      .executeTakeFirst();
    const first = person && (await loadCaller(authDb, person.id));
    if (!first || first.scope_level > 1)
      throw new StartError(`No administrator of the platform who may sign in has the email address ${email}.`);
    const { server, stop } = await buildApi({
      config: own,
      log,
      sessions: 2,
      // The rights are read again for each call, as for people.
      authenticate: async (given) => {
        const caller = given === bearer ? await loadCaller(authDb, first.user_id) : null;
        return caller && { ...caller, proved_at: new Date().toISOString() };
      },
    });
    try {
      await server.ready();
      return await work(callsThrough((request) => server.inject(request), bearer));
    } finally {
      await stop();
    }
  } finally {
    await auth.end();
  }
}
