import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { apiStage, codeOf } from './stage.ts';

const stage = await apiStage({ after });
const owner = stage.api.database.pool('owner');
const SCOPES: ('contacts:read' | 'contacts:write')[] = ['contacts:read', 'contacts:write'];
const call = stage.by((await stage.makeKey({ scopes: SCOPES })).key);
const corporation = stage.acme.corporation_id;

/** Adds a journey that runs, or a draft. */
async function journey(name: string, state: 'draft' | 'running', trigger: object = { on: 'event' }): Promise<number> {
  const definition = { form: 1, trigger, again_days: null, steps: [{ id: 1, do: 'wait', count: 1, unit: 'days' }] };
  const { rows } = await owner.query(
    `WITH j AS (INSERT INTO journey (corporation_id, name, definition, state) VALUES ($1, $2, $3, $4) RETURNING id)
     INSERT INTO journey_version (journey_id, corporation_id, number, definition, rules)
     SELECT id, $1, 1, $3, '{}' FROM j RETURNING id, journey_id`,
    [corporation, name, definition, state],
  );
  await owner.query('UPDATE journey SET version_id = $2 WHERE id = $1', [rows[0].journey_id, rows[0].id]);
  return rows[0].journey_id;
}
const person = { number: '639175559999', name: 'Zoe', tags: ['new'] };

test('a program lets a person enter a journey once, with their values', async () => {
  const id = await journey('Orders', 'running');
  const enter = () => call('POST', `/v1/journeys/${id}/people`, person);
  assert.deepEqual((await enter()).body, { entered: true });
  assert.deepEqual((await enter()).body, { entered: false });
  const { rows } = await owner.query(
    `SELECT c.name, c.tags FROM journey_person p JOIN contact c ON c.number = p.number AND c.corporation_id = p.corporation_id
     WHERE p.journey_id = $1`,
    [id],
  );
  assert.deepEqual(rows, [{ name: 'Zoe', tags: ['new'] }]);
  const listed = (await call('GET', '/v1/journeys')).body as { data: { id: string; trigger: string }[] };
  assert.equal(listed.data.find((each) => each.id === String(id))?.trigger, 'People enter when a program says so.');
  assert.equal(((await call('GET', `/v1/journeys/${id}`)).body as { name: string }).name, 'Orders');
});

test('nobody enters a journey that does not run, or whose people enter otherwise', async () => {
  const date = { on: 'date', field_id: 1, yearly: true, days: 0, at: '09:00' };
  for (const id of [await journey('Draft', 'draft'), await journey('Birthday', 'running', date)])
    assert.equal(codeOf(await call('POST', `/v1/journeys/${id}/people`, person)), '409 journey_closed');
  assert.equal(codeOf(await call('POST', '/v1/journeys/999999/people', person)), '404 not_found');
});

test('journeys need the scope, and a test key has none', async () => {
  const id = await journey('Scoped', 'running');
  const reader = stage.by((await stage.makeKey({ scopes: ['contacts:read'] })).key);
  assert.equal(codeOf(await reader('POST', `/v1/journeys/${id}/people`, person)), '403 scope_missing');
  const tests = stage.by((await stage.makeKey({ mode: 'test', scopes: SCOPES })).key);
  assert.equal(codeOf(await tests('GET', `/v1/journeys/${id}`)), '404 not_found');
  assert.deepEqual((await tests('GET', '/v1/journeys')).body, { data: [], next_cursor: null, has_more: false });
});

test('the feed tells a step; only keys that may read contacts get the contact', async () => {
  const id = await journey('Told', 'running');
  const { rows } = await owner.query(
    `INSERT INTO contact (corporation_id, number, name) VALUES ($1, '639175550001', 'Mia') RETURNING id`,
    [corporation],
  );
  const data = { journey_id: id, step: 1, name: 'welcomed', contact_id: rows[0].id };
  await owner.query(`INSERT INTO event (corporation_id, type, data) VALUES ($1, 'journey.step', $2)`, [
    corporation,
    data,
  ]);
  const read = async (...scopes: ('events:read' | 'contacts:read')[]) => {
    const { body } = await stage.by((await stage.makeKey({ scopes })).key)('GET', '/v1/events?types=journey.step');
    return (body as { data: { data: object }[] }).data.map((event) => event.data);
  };
  const step = { journey_id: String(id), journey: 'Told', step: 1, name: 'welcomed', to: '639175550001' };
  const contact = { id: String(rows[0].id), name: 'Mia', fields: {} };
  assert.deepEqual(await read('events:read'), [{ ...step, contact: null }]);
  assert.deepEqual(await read('events:read', 'contacts:read'), [{ ...step, contact }]);
});
