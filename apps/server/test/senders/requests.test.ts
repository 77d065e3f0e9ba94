import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, dataOf } from '../answers.ts';
import { apiStage } from '../api/stage.ts';
import type { Client } from '../test-api.ts';
import { formOf } from '../uploads.ts';

// Acme, a customer of Northwind, and Blue Harbor, a customer of the platform, request sender IDs.

const { api, acme, one } = await apiStage({ after });
const [superadmin, corporate, harbor, reseller] = (await Promise.all(
  ['superadmin', 'corporate', 'corporate@harbor.test', 'reseller'].map((login) => api.as(login)),
)) as [Client, Client, Client, Client];
const owner = api.database.pool('owner');
const setting = (key: string, value: string) =>
  owner.query(
    `INSERT INTO global_configuration (key, name, value, description) VALUES ($1, $1, $2, '')
     ON CONFLICT (key) DO UPDATE SET value = $2`,
    [key, value],
  );
await setting('senders_need_approval', 'true');
const { id: bank } = await one<{ id: number }>("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'");

interface Request {
  id: number;
  sender_id: string;
  protected_name: string | null;
  is_protected_name: boolean;
  same_at: string[];
  documents: number;
  checks: string[];
  needs_other: boolean;
}
const request = async (client: Client, corporation_id: number, sender_id: string, more: object = {}) => {
  const answer = await client('POST', '/api/v1/sender-ids', { corporation_id, sender_id, ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return dataOf(answer).id;
};
const queue = async (client: Client, query = '') =>
  dataOf<Request[]>(await client('GET', `/api/v1/sender-requests${query}`));
const names = async (client: Client, query = '') => (await queue(client, query)).map(({ sender_id }) => sender_id);
const countOf = async (client: Client) =>
  ((await client('GET', '/api/v1/sender-requests/count')).body as { count: number }).count;

test('the queue shows the oldest request first, with what was found about it', async () => {
  const first = await request(corporate, acme.corporation_id, 'Lantern', { purpose: 'Orders' });
  await request(harbor, bank, 'BDO Loans');
  await request(corporate, acme.corporation_id, 'Candles');
  const form = formOf('%PDF-1.7\n', 'letter.pdf');
  assert.equal((await corporate('POST', `/api/v1/sender-ids/${first}/documents`, form)).status, 201);
  // The platform gave the bank a name that looks like the one that was asked for.
  await owner.query(`INSERT INTO sender_id (corporation_id, sender_id, state) VALUES ($1, 'L4ntern', 'approved')`, [
    bank,
  ]);
  assert.deepEqual(await names(superadmin), ['Lantern', 'BDO Loans', 'Candles']);
  const [lantern, loans, candles] = (await queue(superadmin)) as [Request, Request, Request];
  assert.deepEqual([lantern.documents, lantern.same_at, lantern.protected_name], [1, ['Blue Harbor Bank'], null]);
  assert.deepEqual([loans.documents, loans.protected_name, loans.is_protected_name], [0, 'BDO', false]);
  assert.deepEqual([candles.same_at, candles.needs_other], [[], false]);
  // The name can be tried before anybody asks for it, by the platform only.
  const tried = (client: Client, sender: string) => client('GET', `/api/v1/protected-names/explain?sender=${sender}`);
  assert.deepEqual(dataOf(await tried(superadmin, 'BD0%20Loans')), { name: 'BDO', action: 'hold' });
  assert.equal(dataOf(await tried(superadmin, 'Candles')), null);
  assert.equal((await tried(corporate, 'BDO')).status, 403);
  assert.deepEqual([lantern.checks, loans.checks], [['same_name'], ['protected_name', 'no_documents', 'no_purpose']]);
  assert.equal(await countOf(superadmin), 3);
  const page = await superadmin('GET', '/api/v1/sender-requests?limit=2');
  const { next_cursor } = page.body as { next_cursor: string };
  assert.deepEqual(await names(superadmin, `?limit=2&cursor=${next_cursor}`), ['Candles']);
  assert.deepEqual(await names(superadmin, '?search=harbor'), ['BDO Loans']);
  await owner.query("DELETE FROM sender_id WHERE sender_id = 'L4ntern'");
  // A request that was rejected and submitted again waits at the end.
  await superadmin('POST', '/api/v1/sender-ids/decisions', { ids: [first], decision: 'reject', reason: 'Whose?' });
  assert.equal((await corporate('POST', `/api/v1/sender-ids/${first}/submit`)).status, 200);
  assert.deepEqual(await names(superadmin), ['BDO Loans', 'Candles', 'Lantern']);
  assert.equal(await countOf(superadmin), 3);
});

test('a reseller sees only requests that it may decide, and nobody else sees any', async () => {
  assert.equal(codeOf(await corporate('GET', '/api/v1/sender-requests')), 'forbidden');
  assert.equal(codeOf(await corporate('GET', '/api/v1/sender-requests/count')), 'forbidden');
  const letReseller = (decides: boolean) => owner.query('UPDATE reseller SET decides_senders = $1', [decides]);
  await letReseller(false);
  assert.deepEqual([await names(reseller), await countOf(reseller)], [[], 0]);
  await letReseller(true);
  await request(corporate, acme.corporation_id, 'GCash Deals');
  await owner.query(`INSERT INTO sender_id (corporation_id, sender_id, state) VALUES ($1, '7711', 'submitted')`, [
    acme.corporation_id,
  ]);
  // Protected names, numbers and the customers of others are for the platform. The name at Blue Harbor stays unseen.
  const rows = await queue(reseller);
  assert.deepEqual(
    rows.map(({ sender_id, same_at }) => [sender_id, same_at]),
    [
      ['Candles', []],
      ['Lantern', []],
    ],
  );
  assert.equal(await countOf(reseller), 2);
  assert.deepEqual((await names(superadmin)).sort(), ['7711', 'BDO Loans', 'Candles', 'GCash Deals', 'Lantern']);
});

test('who made a request sees that a second person must decide', async () => {
  await setting('senders_four_eyes', 'true');
  const id = await request(superadmin, acme.corporation_id, 'Torches');
  const needs = async (client: Client) => (await queue(client)).find((row) => row.id === id)?.needs_other;
  assert.equal(await needs(superadmin), true);
  assert.equal(await needs(await api.as('admin')), false);
});
