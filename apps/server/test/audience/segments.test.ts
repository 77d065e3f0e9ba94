import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { codeOf, dataOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const [corporate, user, stranger] = [
  await api.as('corporate'),
  await api.as('user'),
  await api.as('corporate@harbor.test'),
];
const one = async (text: string, values: unknown[] = []) => (await owner.query(text, values)).rows[0].id as number;
const acme = await one("SELECT id FROM corporation WHERE name = 'Acme Retail'");
await owner.query('DELETE FROM contact');

type Segment = { id: number; name: string; lacks: object[]; names: Record<string, Record<string, string>> };
type Counted = { contacts: number; all: number; lacks: object[]; names: Record<string, Record<string, string>> };

const addField = async (body: object) =>
  dataOf<{ id: number }>(await corporate('POST', '/api/v1/contact-fields', { corporation_id: acme, ...body })).id;
const born = await addField({ name: 'Day of birth', key: 'day_of_birth', type: 'date' });
const numberOf = (place: number) => String(639_175_560_000 + place);
const add = (place: number, tags: string[], fields: object = {}) =>
  corporate('POST', '/api/v1/contacts', { corporation_id: acme, number: numberOf(place), tags, fields });
for (const place of [1, 2, 3, 4])
  await add(place, place % 2 ? ['odd'] : [], place < 3 ? { day_of_birth: '1990-05-31' } : {});

const rule = (...rules: object[]) => ({ match: 'all', rules });
const odd = { on: 'tag', tag: 'odd' };
const count = async (by: typeof corporate, wanted: object) =>
  dataOf<Counted>(await by('POST', '/api/v1/segments/count', { corporation_id: acme, rule: wanted }));
const make = (name: string, wanted: object, by = corporate) =>
  by('POST', '/api/v1/segments', { corporation_id: acme, name, rule: wanted });

test('a segment is counted, sampled, changed and deleted', async () => {
  const made = dataOf<Segment>(await make('Odd', rule(odd)));
  const counted = await count(corporate, rule(odd));
  assert.deepEqual([counted.contacts, counted.all, counted.lacks], [2, 4, []]);
  assert.equal((await count(corporate, rule({ ...odd, not: true }))).contacts, 2);
  const sample = dataOf<{ number: string }[]>(
    await corporate('POST', '/api/v1/segments/sample', { corporation_id: acme, rule: rule(odd) }),
  );
  assert.deepEqual(
    sample.map(({ number }) => number),
    [numberOf(3), numberOf(1)],
  );
  assert.equal(codeOf(await make('ODD', rule(odd))), 'segment_already_exists');
  const path = `/api/v1/segments/${made.id}`;
  const use = { data: { drafts: 0, campaigns: 0 } };
  assert.deepEqual((await corporate('GET', `${path}/use`)).body, use);
  assert.equal(dataOf<Segment>(await corporate('PATCH', path, { name: 'Odd ones' })).name, 'Odd ones');
  assert.equal((await corporate('DELETE', path)).status, 200);
  assert.equal((await corporate('GET', path)).status, 404);
});

test('a segment whose field is gone says so and finds nobody, with “not” too', async () => {
  const birthday = { on: 'date', field_id: born, op: 'on', day: '1990-05-31' };
  const { id } = dataOf<Segment>(await make('Not born then', rule({ ...birthday, not: true })));
  assert.equal((await count(corporate, rule({ ...birthday, not: true }))).contacts, 2);
  const use = await corporate('GET', `/api/v1/contact-fields/${born}/use`);
  assert.deepEqual(use.body, { data: { contacts: 2, segments: ['Not born then'] } });
  assert.equal((await corporate('DELETE', `/api/v1/contact-fields/${born}`)).status, 200);
  const shown = dataOf<Segment>(await corporate('GET', `/api/v1/segments/${id}`));
  assert.deepEqual(shown.lacks, [{ kind: 'field', id: born }]);
  const after = await count(corporate, rule({ match: 'none', on: 'group', rules: [birthday] }));
  assert.deepEqual([after.contacts, after.lacks], [0, [{ kind: 'field', id: born }]]);
  assert.equal(codeOf(await make('Again', rule(birthday))), 'validation_failed');
});

test('a private list of another person is neither used nor found out', async () => {
  const list = await one(
    `INSERT INTO number_list (corporation_id, department_id, name, private, created_by)
     SELECT $1, d.id, 'Secret list', true, u.id FROM department d, user_account u
     WHERE d.corporation_id = $1 AND u.corporation_id = $1 AND u.email LIKE 'corporate@%' ORDER BY d.id LIMIT 1 RETURNING id`,
    [acme],
  );
  await owner.query('INSERT INTO number_list_number (number_list_id, number) VALUES ($1, $2)', [list, numberOf(2)]);
  const inList = { on: 'list', list_id: list };
  const seen = await count(corporate, rule(inList));
  assert.deepEqual([seen.contacts, seen.names['lists']], [1, { [list]: 'Secret list' }]);
  const { id } = dataOf<Segment>(await make('Of the list', rule(inList)));
  for (const wanted of [rule(inList), rule({ ...inList, not: true })]) {
    const hidden = await count(user, wanted);
    assert.deepEqual([hidden.contacts, hidden.lacks, hidden.names['lists']], [0, [{ kind: 'list', id: list }], {}]);
  }
  const gone = await count(user, rule({ ...inList, list_id: 999_999 }));
  assert.deepEqual([gone.contacts, gone.lacks], [0, [{ kind: 'list', id: 999_999 }]]);
  assert.deepEqual(dataOf<Segment>(await user('GET', `/api/v1/segments/${id}`)).names['lists'], {});
  assert.equal(codeOf(await make('Mine', rule(inList), user)), 'validation_failed');
});

test('the segments and contacts of another corporation do not exist', async () => {
  const { id } = dataOf<Segment>(await make('Ours', rule(odd)));
  assert.equal((await stranger('GET', `/api/v1/segments/${id}`)).status, 404);
  assert.equal((await stranger('DELETE', `/api/v1/segments/${id}`)).status, 404);
  const asked = await stranger('POST', '/api/v1/segments/count', { corporation_id: acme, rule: rule(odd) });
  assert.equal(codeOf(asked), 'validation_failed');
});

test('consents, times and events of the traffic choose contacts by their number', async () => {
  await owner.query(
    "INSERT INTO consent (corporation_id, number, sender, state, since) VALUES ($1, $2, 0, 'opt_in', now())",
    [acme, numberOf(1)],
  );
  const campaign = await one(
    "SELECT id FROM campaign WHERE corporation_id = $1 AND state = 'completed' ORDER BY id LIMIT 1",
    [acme],
  );
  await owner.query(
    `INSERT INTO short_link_target (corporation_id, campaign_id, url, place) VALUES ($1, $2, 'https://a.test', 1), ($1, $2, 'https://b.test', 2)`,
    [acme, campaign],
  );
  await owner.query(
    `INSERT INTO short_link (code, corporation_id, campaign_id, msisdn, target_id)
     SELECT 'seg' || row_number() OVER (ORDER BY id), $1, $2, $3, id FROM short_link_target WHERE campaign_id = $2`,
    [acme, campaign, numberOf(2)],
  );
  await owner.query(
    `INSERT INTO short_link_click (code, corporation_id, campaign_id, msisdn, place, last_at)
     VALUES ('seg2', $1, $2, $3, 2, now() - interval '10 days')`,
    [acme, campaign, numberOf(2)],
  );
  const many = async (condition: object) => (await count(corporate, rule(condition))).contacts;
  assert.equal(await many({ on: 'consent', consents: ['opt_in'] }), 1);
  assert.equal(await many({ on: 'consent', consents: ['opt_in', 'none'] }), 4);
  assert.equal(await many({ on: 'time', time: 'created', op: 'last_days', days: 1 }), 4);
  assert.equal(await many({ on: 'time', time: 'created', op: 'before', day: '2020-01-01' }), 0);
  const click = { on: 'event', event: 'clicked', campaign_id: campaign };
  assert.equal(await many(click), 1);
  assert.equal(await many({ ...click, days: 5 }), 0);
  assert.equal(await many({ ...click, link: 2, days: 20 }), 1);
  assert.equal(await many({ ...click, link: 1 }), 0);
  assert.equal(await many({ ...click, not: true }), 3);
  const receivers = await owner.query(
    `SELECT m.msisdn FROM message m JOIN chunk_state s ON s.chunk_id = m.id >> 10
     WHERE m.campaign_id = $1 AND end_of(flags_of(s.states, m.id & 1023)) = 'delivered' LIMIT 1`,
    [campaign],
  );
  await owner.query('UPDATE contact SET number = $1 WHERE number = $2', [receivers.rows[0].msisdn, numberOf(4)]);
  for (const event of ['sent', 'delivered']) {
    assert.equal(await many({ on: 'event', event, campaign_id: campaign }), 1);
    assert.equal(await many({ on: 'event', event, campaign_id: campaign, not: true }), 3);
  }
  await owner.query(
    `UPDATE inbox_message SET oa = $1, campaign_id = $2, received_at = now() WHERE id = (SELECT id FROM inbox_message WHERE corporation_id = $3 ORDER BY id LIMIT 1)`,
    [numberOf(3), campaign, acme],
  );
  assert.equal(await many({ on: 'event', event: 'replied', campaign_id: campaign, days: 2 }), 1);
});

test('a person who does not see numbers cannot find them out by a rule', async () => {
  await owner.query("UPDATE user_account SET numbers_visible = false WHERE email LIKE 'user@%'");
  const name = { on: 'text', field_id: null, op: 'contains', value: numberOf(1).slice(0, 8) };
  assert.equal((await count(corporate, rule({ ...name, not: true }))).contacts, 4);
  const masked = await count(user, rule({ ...name, not: true }));
  assert.deepEqual([masked.contacts, masked.lacks], [0, [{ kind: 'number', id: 0 }]]);
});
