import assert from 'node:assert/strict';
import { after } from 'node:test';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { codeOf } from '../answers.ts';
import { type Client, startTestApi } from '../test-api.ts';
import { testClock } from './people.ts';

export const clock = testClock(new Date().toISOString());
/** Server of a test file, and its people. */
export const api = await startTestApi({ after }, { clock });
export const owner = api.database.pool('owner');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const REASON = 'Reports look empty to her';

interface Person {
  id: number;
  corporation_id: number;
}
/** Returns a person of the demo. */
export const person = async (who: string): Promise<Person> =>
  (await owner.query('SELECT id, corporation_id FROM user_account WHERE email = $1', [`${who}@heliograph.test`]))
    .rows[0];
export const user = await person('user');

/** Signs a person in; returns their client. */
export async function enter(who: string): Promise<Client> {
  const answer = await api.anonymous()('POST', '/api/v1/oauth/token', {
    username: `${who}@heliograph.test`,
    password: DEMO_PASSWORD,
  });
  return api.anonymous((answer.body as { access_token: string }).access_token);
}

/** Gives the consent of a signed-in person. */
export const consent = async (client: Client, hours = 1) =>
  assert.equal((await client('PUT', '/api/v1/support-consent', { hours })).status, 200);
/** Asks for a support session. */
export const begin = (client: Client, id = user.id) =>
  client('POST', `/api/v1/users/${id}/support-sessions`, { reason: REASON });
/** Begins a support session; returns its client. */
export async function see(client: Client, id = user.id): Promise<Client> {
  const answer = await begin(client, id);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return api.anonymous((answer.body as { access_token: string }).access_token);
}
/** Returns the code with which a session is refused; undefined while it counts. */
export const use = async (client: Client) => codeOf(await client('GET', '/api/v1/profiles'));
export const OVER = 'support_session_over';

/** A support session of the administrator for the user, with a consent of its own. */
export async function supported(hours = 1): Promise<{ own: Client; admin: Client; seen: Client }> {
  const [own, admin] = [await enter('user'), await enter('admin')];
  await consent(own, hours);
  return { own, admin, seen: await see(admin) };
}
/** Removes all consents and policies. */
export const reset = () => owner.query('DELETE FROM support_consent; DELETE FROM sign_in_policy');
