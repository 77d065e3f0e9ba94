import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const [acme, harbor] = [
  await api.database.idOf('corporation', 'Acme Retail'),
  await api.database.idOf('corporation', 'Blue Harbor Bank'),
];

test('each side sets its own rule, and only those above change it', async () => {
  const [platform, reseller, corporate] = [await api.as('admin'), await api.as('reseller'), await api.as('corporate')];
  const create = (client: typeof platform, corporation_id: number, body: object) =>
    client('POST', '/api/v1/retention-rules', { corporation_id, ...body });
  const dataOf = (answer: { body: unknown }) =>
    (answer.body as { data: { id: number; set_by: string; abilities: object } }).data;
  const own = dataOf(await create(corporate, acme, { otp_days: 7 }));
  assert.equal(own.set_by, 'corporation');
  const above = dataOf(await create(platform, acme, { otp_days: 30 }));
  assert.equal(above.set_by, 'platform');
  assert.equal((await create(corporate, acme, {})).status, 409);
  assert.equal((await create(corporate, harbor, {})).status, 422);
  assert.equal(dataOf(await create(reseller, acme, { log_days: 31 })).set_by, 'reseller');
  const path = (id: number) => `/api/v1/retention-rules/${id}`;
  assert.deepEqual(dataOf(await corporate('GET', path(above.id))).abilities, { edit: false, delete: false });
  assert.equal((await corporate('PATCH', path(above.id), { otp_days: 60 })).status, 403);
  assert.equal((await corporate('DELETE', path(above.id))).status, 403);
  assert.equal((await corporate('PATCH', path(own.id), { otp_days: 14 })).status, 200);
  assert.equal((await corporate('PATCH', path(own.id), { otp_days: 6 })).status, 422);
  assert.equal((await platform('PATCH', path(own.id), { otp_days: 10 })).status, 200);
});
