import { startWorker } from '../../src/processes/worker.ts';
import type { Scope } from '../template-database.ts';
import { type Client, startTestApi } from '../test-api.ts';

/** Starts the API with a worker, and signs in people of several levels. `acme` is the corporation of most of them. */
export async function settingsStage(t: Scope) {
  const api = await startTestApi(t);
  const worker = await startWorker({ config: api.config, log: api.log });
  t.after(() => worker.stop());
  const owner = api.database.pool('owner');
  const [superadmin, corporate, department, user, harbor] = (await Promise.all(
    ['superadmin', 'corporate', 'department', 'user', 'corporate@harbor.test'].map((login) => api.as(login)),
  )) as [Client, Client, Client, Client, Client];

  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    (await owner.query<{ id: number }>(text, values)).rows[0]!.id;
  const acme = await one(`SELECT id FROM corporation WHERE name = 'Acme Retail'`);
  return { api, owner, superadmin, corporate, department, user, harbor, one, acme };
}
