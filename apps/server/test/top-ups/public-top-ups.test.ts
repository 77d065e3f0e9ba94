import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Heliograph } from '../../../../packages/client/src/index.ts';
import { apiStage, codeOf } from '../api/stage.ts';
import { done } from '../invoices/stage.ts';

const stage = await apiStage({ after });
const { api, acme } = stage;
const owner = api.database.pool('owner');
const { key } = await stage.makeKey({ name: 'treasury' });
const client = new Heliograph({ url: api.url, key });

/** Adds a top-up to an account of a corporation. Returns its id. */
async function add(corporation: number, state: string, at: string): Promise<string> {
  const { id } = await stage.one<{ id: number }>(
    `INSERT INTO top_up (corporation_id, billing_account_id, driver, method_name, state, amount, fee, total, currency, reference, created_at)
     SELECT corporation_id, min(id), 'voucher', 'Spring', $2, 500000, 0, 500000, 'PHP', 'TU' || gen_random_uuid(), $3
     FROM billing_account WHERE corporation_id = $1 GROUP BY corporation_id RETURNING id`,
    [corporation, state, at],
  );
  return String(id);
}

const idsOf = async (filter: Parameters<typeof client.topUps>[0] = {}) => {
  const found = [];
  for await (const { id } of client.topUps(filter, { limit: 1 })) found.push(id);
  return found;
};

test('a program reads the top-ups of its corporation, with what went back', async () => {
  const first = await add(acme.corporation_id, 'paid', '2026-02-01T03:00:00Z');
  const second = await add(acme.corporation_id, 'partly_refunded', '2026-02-02T03:00:00Z');
  await owner.query(
    `INSERT INTO top_up_return (corporation_id, top_up_id, kind, state, amount, reason) VALUES ($1, $2, 'refund', 'done', 1500, 'Twice')`,
    [acme.corporation_id, second],
  );
  assert.deepEqual(await idsOf(), [second, first]);
  assert.deepEqual(await idsOf({ state: 'paid' }), [first]);
  assert.deepEqual(await idsOf({ from: '2026-02-02', to: '2026-02-02' }), [second]);
  const { returns, amount, method, automatic } = await client.topUp(second);
  assert.deepEqual([amount, method, automatic], ['500.000', 'Spring', false]);
  assert.deepEqual(
    returns.map(({ kind, state, amount: part, reason }) => [kind, state, part, reason]),
    [['refund', 'done', '1.500', 'Twice']],
  );
});

test('a key reads no top-up of others, and none without its rights', async () => {
  const mine = await add(acme.corporation_id, 'paid', '2026-03-01T03:00:00Z');
  const { id: other } = await stage.one<{ id: number }>(
    'SELECT corporation_id AS id FROM billing_account WHERE corporation_id <> $1 ORDER BY corporation_id LIMIT 1',
    [acme.corporation_id],
  );
  const foreign = await add(other, 'paid', '2026-03-01T03:00:00Z');
  const call = stage.by(key);
  for (const id of [foreign, '999999']) assert.equal(codeOf(await call('GET', `/v1/top-ups/${id}`)), '404 not_found');
  assert.ok(!(await idsOf()).includes(foreign));
  assert.equal(codeOf(await call('GET', '/v1/top-ups?cursor=x')), '422 cursor_invalid');
  const narrow = stage.by((await stage.makeKey({ name: 'sends', scopes: ['messages:send'] })).key);
  const tests = stage.by((await stage.makeKey({ name: 'tests', mode: 'test' })).key);
  const { user_id } = await stage.one<{ user_id: number }>(
    "SELECT id AS user_id FROM user_account WHERE email = 'user@heliograph.test'",
  );
  const corporate = await api.as('corporate');
  const user = stage.by((await done<{ key: string }>(corporate, 'POST', 'api-keys', { name: 'user', user_id })).key);
  for (const path of ['/v1/top-ups', `/v1/top-ups/${mine}`]) {
    assert.equal(codeOf(await narrow('GET', path)), '403 scope_missing', path);
    assert.equal(codeOf(await user('GET', path)), '403 forbidden', path);
  }
  assert.deepEqual(((await tests('GET', '/v1/top-ups')).body as { data: unknown[] }).data, []);
  assert.equal(codeOf(await tests('GET', `/v1/top-ups/${mine}`)), '404 not_found');
});
