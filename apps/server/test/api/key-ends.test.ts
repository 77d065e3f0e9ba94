import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mailKeyEnd, mailKeyEndJob, tellKeyEnds } from '../../src/modules/api/tell-key-ends.ts';
import { apiStage } from './stage.ts';

const stage = await apiStage({ after });
const { acme, api } = stage;
const owner = api.database.pool('owner');
const corporate = await api.as('corporate');
let today = new Date();
const worker = {
  database: api.database.db('worker'),
  config: api.config,
  log: api.log,
  clock: { now: () => today },
};
const DAY_MS = 86_400_000;
const start = Date.now();
const dayIn = (days: number) => new Date(start + days * DAY_MS).toISOString().slice(0, 10);
await owner.query("UPDATE corporation SET timezone = 'UTC' WHERE id = $1", [acme.corporation_id]);

interface Queued {
  id: string;
  data: { api_key_id: number; today: boolean };
}
/** Moves the clock, looks for keys as a worker does, and returns the mails that it enqueued. */
async function onDay(days: number): Promise<Queued['data'][]> {
  today = new Date(start + days * DAY_MS);
  await Promise.all([tellKeyEnds(worker), tellKeyEnds(worker)]);
  const { rows } = await owner.query<Queued>('DELETE FROM jobs.job WHERE name = $1 RETURNING data', [
    mailKeyEndJob.name,
  ]);
  return rows.map(({ data }) => data);
}
const made = async (path: string, body: object) => {
  const { status, body: answer } = await corporate('POST', path, body);
  assert.equal(status, 201, JSON.stringify(answer));
  return (answer as { data: { id: number } }).data.id;
};
const account = await made('/api/v1/service-accounts', {
  corporation_id: acme.corporation_id,
  name: 'Payroll',
  contact_email: 'payroll@heliograph.test',
});
const makeKey = (name: string, last_day: string | null) =>
  made('/api/v1/service-account-keys', { service_account_id: account, name, last_day });

test('mails are sent 14, 3 and 0 days before the last day, each once', async () => {
  const id = await makeKey('Yearly', dayIn(20));
  await makeKey('Endless', null);
  const told: [number, boolean][] = [];
  for (let day = 0; day <= 22; day++)
    for (const { api_key_id, today: last } of await onDay(day)) {
      assert.equal(api_key_id, id);
      told.push([day, last]);
    }
  assert.deepEqual(told, [
    [6, false],
    [17, false],
    [20, true],
  ]);
});

test('a worker that was away sends one mail, for the days that are left', async () => {
  const id = await makeKey('Monthly', dayIn(30));
  assert.deepEqual(await onDay(15), []);
  assert.deepEqual(await onDay(28), [{ api_key_id: id, today: false }]);
  assert.deepEqual(await onDay(29), []);
  assert.deepEqual(await onDay(30), [{ api_key_id: id, today: true }]);
  assert.deepEqual(await onDay(31), []);
});

test('a key that ends soon from the start causes no mail about days that are past', async () => {
  const id = await makeKey('Short', dayIn(10));
  assert.deepEqual(await onDay(0), []);
  assert.deepEqual(await onDay(7), [{ api_key_id: id, today: false }]);
  // A later last day begins again.
  today = new Date();
  const path = `/api/v1/service-account-keys/${id}`;
  assert.equal((await corporate('PATCH', path, { last_day: dayIn(40) })).status, 200);
  assert.deepEqual(await onDay(26), [{ api_key_id: id, today: false }]);
  await owner.query('UPDATE api_key SET revoked_at = now() WHERE id = $1', [id]);
});

test('revoked keys and keys of accounts that are off cause no mail', async () => {
  const revoked = await makeKey('Revoked', dayIn(14));
  assert.equal((await corporate('POST', `/api/v1/service-account-keys/${revoked}/revoke`)).status, 200);
  await makeKey('Off', dayIn(14));
  const path = `/api/v1/service-accounts/${account}`;
  assert.equal((await corporate('PATCH', path, { enabled: false })).status, 200);
  assert.deepEqual(await onDay(0), []);
  assert.equal((await corporate('PATCH', path, { enabled: true })).status, 200);
  assert.equal((await onDay(0)).length, 1);
});

test('the contact of an account, or the user of a personal key, gets the mail', async () => {
  const ofAccount = await makeKey('Mailed', dayIn(14));
  const { id: personal } = await stage.makeKey({ name: 'Personal' });
  await owner.query('UPDATE api_key SET last_day = $1 WHERE id = $2', [dayIn(0), personal]);
  await mailKeyEnd(worker, { api_key_id: ofAccount, today: false });
  await mailKeyEnd(worker, { api_key_id: personal, today: true });
  const folder = join(api.config.DATA_DIR, 'mail');
  // Quoted-printable breaks long lines.
  const mails = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('=\r\n', ''));
  const about = (name: string) => mails.find((mail) => mail.includes(`the key ${name}`)) ?? '';
  assert.match(about('Mailed'), /^To: payroll@heliograph\.test/m);
  assert.match(about('Mailed'), new RegExp(`service-account-keys\\?service_account_id=3D${account}`));
  assert.match(about('Personal'), /^To: corporate@heliograph\.test/m);
  assert.match(about('Personal'), /Subject: .*ends today/);
});
