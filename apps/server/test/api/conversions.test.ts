import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { forgetClicks } from '../../src/modules/privacy/forget-clicks.ts';
import { apiStage, codeOf } from './stage.ts';

const stage = await apiStage({ after });
const corporate = await stage.api.as('corporate');
const owner = stage.api.database.pool('owner');
const { corporation_id } = stage.acme;
const { key } = await stage.makeKey({ scopes: ['contacts:write'] });
const call = stage.by(key);
const NUMBER = '639170000301';

const { one } = stage.api.database;
const campaign = await one(
  "SELECT id FROM campaign WHERE corporation_id = $1 AND state = 'completed' ORDER BY id LIMIT 1",
  [corporation_id],
);
const target = await one(
  "INSERT INTO short_link_target (corporation_id, campaign_id, url, place) VALUES ($1, $2, 'https://a.test/', 2) RETURNING id",
  [corporation_id, campaign],
);
await owner.query(
  'INSERT INTO short_link (code, corporation_id, campaign_id, msisdn, target_id) VALUES ($1, $2, $3, $4, $5)',
  ['Conversion', corporation_id, campaign, NUMBER, target],
);
const clickAt = (days: number) =>
  owner.query(
    `INSERT INTO short_link_click (code, corporation_id, campaign_id, msisdn, place, first_at, last_at)
     VALUES ('Conversion', $1, $2, $3, 2, now() - $4 * interval '1 day', now() - $4 * interval '1 day')
     ON CONFLICT (code) DO UPDATE SET first_at = EXCLUDED.first_at, last_at = EXCLUDED.last_at`,
    [corporation_id, campaign, NUMBER, days],
  );
const stored = async (id: string) =>
  (await owner.query('SELECT counted_by, campaign_id, place, value FROM conversion WHERE id = $1', [id])).rows[0];
const add = async (body: object) =>
  (await call('POST', '/v1/conversions', { name: 'purchase', ...body })).body as { id: string };

test('a conversion is counted for the last click of its person within seven days', async () => {
  await clickAt(6);
  const { id } = await add({ reference: 'order-1', number: `+${NUMBER}`, value: '499.5', currency: 'PHP' });
  assert.deepEqual(await stored(id), { counted_by: 'click', campaign_id: campaign, place: 2, value: 499_500 });
  await clickAt(8);
  const late = await add({ reference: 'order-2', number: NUMBER });
  assert.deepEqual(await stored(late.id), { counted_by: null, campaign_id: null, place: null, value: null });
  const coded = await add({ reference: 'order-3', code: 'Conversion' });
  assert.deepEqual(await stored(coded.id), { counted_by: 'code', campaign_id: campaign, place: 2, value: null });
});

test('without a click it is counted for the campaign that reached the person last', async () => {
  const { rows } = await owner.query(
    `SELECT m.msisdn, m.campaign_id, k.created_at::text AS at FROM message m JOIN chunk k ON k.id = m.id >> 10
       JOIN chunk_state s ON s.chunk_id = k.id AND end_of(flags_of(s.states, m.id & 1023)) = 'delivered'
     WHERE m.corporation_id = $1 AND m.campaign_id IS NOT NULL ORDER BY m.id DESC LIMIT 1`,
    [corporation_id],
  );
  const reached = rows[0] as { msisdn: string; campaign_id: number; at: string };
  const at = new Date(Math.min(Date.now(), Date.parse(reached.at) + 60_000)).toISOString();
  const { id } = await add({ reference: 'reached', number: reached.msisdn, at });
  assert.deepEqual(await stored(id), {
    counted_by: 'message',
    campaign_id: reached.campaign_id,
    place: null,
    value: null,
  });
});

test('a repeated reference changes nothing, also when two calls come together', async () => {
  const body = { reference: 'twice', number: NUMBER, value: '1', currency: 'PHP' };
  const both = await Promise.all(Array.from({ length: 4 }, () => add(body)));
  const again = await add({ ...body, value: '2', name: 'other' });
  assert.deepEqual(new Set([...both, again].map(({ id }) => id)).size, 1);
  assert.equal((await stored(again.id))!.value, 1_000);
});

test('nobody’s number or reference is stored, and bad input names its field', async () => {
  const { rows } = await owner.query('SELECT to_jsonb(c)::text AS row FROM conversion c');
  for (const { row } of rows as { row: string }[]) assert.ok(!row.includes(NUMBER) && !row.includes('order-'), row);
  const faults = async (body: object) =>
    codeOf(await call('POST', '/v1/conversions', { name: 'x', reference: 'r', ...body }));
  assert.equal(await faults({}), '422 validation_failed number');
  assert.equal(await faults({ number: NUMBER, code: 'Conversion' }), '422 validation_failed code');
  assert.equal(await faults({ code: 'Unknown123' }), '422 validation_failed code');
  assert.equal(await faults({ number: NUMBER, value: '1' }), '422 validation_failed currency');
  assert.equal(await faults({ number: NUMBER, name: '639170000301' }), '422 validation_failed name');
  assert.equal(await faults({ number: NUMBER, at: '2999-01-01T00:00:00Z' }), '422 validation_failed at');
  const testing = stage.by((await stage.makeKey({ scopes: ['contacts:write'], mode: 'test' })).key);
  assert.equal((await testing('POST', '/v1/conversions', { reference: 't', name: 'x', number: NUMBER })).status, 404);
});

test('the campaign’s page has its conversions by event and link', async () => {
  const { body } = await corporate('GET', `/api/v1/campaigns/${campaign}/links`);
  const { conversions } = (body as { data: { conversions: object[] } }).data;
  assert.deepEqual(conversions, [
    { name: 'purchase', link: 2, count: 1, value: '499.500', currency: 'PHP' },
    { name: 'purchase', link: 2, count: 1, value: null, currency: null },
  ]);
});

test('a conversion names the contact only while the corporation keeps who clicked', async () => {
  const person = '639170000377';
  const contact = await one('INSERT INTO contact (corporation_id, number) VALUES ($1, $2) RETURNING id', [
    corporation_id,
    person,
  ]);
  const contactOf = async (id: string) =>
    (await owner.query('SELECT contact_id FROM conversion WHERE id = $1', [id])).rows[0].contact_id;
  const named = await add({ reference: 'contact-1', number: person });
  assert.equal(await contactOf(named.id), contact);
  await owner.query('UPDATE corporation SET names_clicks = false WHERE id = $1', [corporation_id]);
  const unnamed = await add({ reference: 'contact-2', number: person });
  assert.equal(await contactOf(unnamed.id), null);
  const worker = { database: stage.api.database.db('worker'), clock: { now: () => new Date() } };
  await forgetClicks(worker as never, new AbortController().signal);
  assert.equal(await contactOf(named.id), null);
  await owner.query('UPDATE corporation SET names_clicks = true WHERE id = $1', [corporation_id]);
  const again = await add({ reference: 'contact-3', number: person });
  assert.equal(await contactOf(again.id), contact);
  await owner.query('DELETE FROM contact WHERE id = $1', [contact]);
  assert.equal(await contactOf(again.id), null);
});
