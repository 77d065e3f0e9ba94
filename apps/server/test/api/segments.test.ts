import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { apiStage, codeOf } from './stage.ts';

const stage = await apiStage({ after });
const SCOPES: ('contacts:read' | 'contacts:write')[] = ['contacts:read', 'contacts:write'];
const call = stage.by((await stage.makeKey({ scopes: SCOPES })).key);

interface Segment {
  id: string;
  name: string;
  rule: { match: string; rules: object[] };
  explanation: string;
  lacks: object[];
}
const tagged = (tag: string, not = false) => ({ match: 'all', rules: [{ on: 'tag', tag, not }] });
for (const [number, tags] of [
  ['639170000301', ['pilot']],
  ['639170000302', []],
] as const)
  await call('POST', '/v1/contacts', { number, tags });
const count = async (id: string) =>
  ((await call('GET', `/v1/segments/${id}/count`)).body as { contacts: number }).contacts;

test('a program adds a segment, counts its contacts, changes and deletes it', async () => {
  const made = await call('POST', '/v1/segments', { name: 'Important', rule: tagged('pilot') });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { id, explanation, lacks } = made.body as Segment;
  assert.deepEqual([explanation, lacks], ['Contacts that fit: the tag is “pilot”.', []]);
  assert.equal(await count(id), 1);
  const changed = (await call('POST', `/v1/segments/${id}`, { rule: tagged('pilot', true) })).body as Segment;
  assert.deepEqual(
    [changed.name, changed.explanation],
    ['Important', 'Contacts that fit: it is not true that the tag is “pilot”.'],
  );
  const all = (await call('GET', '/v1/contacts?limit=200')).body as { data: object[] };
  assert.equal(await count(id), all.data.length - 1);
  const { data } = (await call('GET', '/v1/segments')).body as { data: Segment[] };
  assert.deepEqual([data[0]!.id, data[0]!.rule.match], [id, 'all']);
  assert.equal(codeOf(await call('GET', '/v1/segments?cursor=0')), '422 cursor_invalid');
  assert.equal((await call('DELETE', `/v1/segments/${id}`)).status, 200);
  assert.equal(codeOf(await call('GET', `/v1/segments/${id}`)), '404 not_found');
});

test('a rule that cannot be is refused with the place of its fault', async () => {
  const refused = async (rule: object) => codeOf(await call('POST', '/v1/segments', { name: 'Wrong', rule }));
  assert.match(await refused({ match: 'all', rules: [] }), /^422 validation_failed rule\.rules/);
  assert.match(await refused({ match: 'all', rules: [{ on: 'tag' }] }), /^422 validation_failed rule\.rules\.0\.tag/);
  assert.match(await refused({ match: 'some', rules: [{ on: 'tag', tag: 'a' }] }), /rule\.match/);
  const foreign = { match: 'none', rules: [{ on: 'yes_no', field_id: 987_654, op: 'yes' }] };
  assert.match(await refused(foreign), /^422 /);
});

test('segments need the scope, and a test key has none', async () => {
  const body = { name: 'Mine', rule: tagged('pilot') };
  const reader = stage.by((await stage.makeKey({ scopes: ['contacts:read'] })).key);
  assert.equal(codeOf(await reader('POST', '/v1/segments', body)), '403 scope_missing');
  const tests = stage.by((await stage.makeKey({ mode: 'test', scopes: SCOPES })).key);
  assert.deepEqual((await tests('GET', '/v1/segments')).body, { data: [], next_cursor: null, has_more: false });
  assert.equal(codeOf(await tests('POST', '/v1/segments', body)), '404 not_found');
});
