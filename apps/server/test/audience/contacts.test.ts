import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { emptyContactField } from '../../src/modules/audience/contact-fields.ts';
import { codeOf, dataOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const [corporate, user, stranger] = [
  await api.as('corporate'),
  await api.as('user'),
  await api.as('corporate@harbor.test'),
];
const acme = (await owner.query("SELECT id FROM corporation WHERE name = 'Acme Retail'")).rows[0].id as number;

type Contact = { id: number; number: string; tags: string[]; fields: Record<string, unknown>; consent: string };
type Page = { data: Contact[]; meta: { total: number } };

const addField = async (body: object) =>
  dataOf<{ id: number }>(await corporate('POST', '/api/v1/contact-fields', { corporation_id: acme, ...body })).id;
const field = {
  level: await addField({
    name: 'Level of loyalty',
    key: 'loyalty_level',
    type: 'choice',
    choices: ['Gold', 'Silver'],
  }),
  visits: await addField({ name: 'Visits', key: 'visits', type: 'number' }),
  born: await addField({ name: 'Day of birth', key: 'day_of_birth', type: 'date' }),
  member: await addField({ name: 'Is member', key: 'is_member', type: 'yes_no' }),
  town: await addField({ name: 'Home town', key: 'home_town' }),
};
const add = (number: string, body: object = {}) =>
  corporate('POST', '/api/v1/contacts', { corporation_id: acme, number, ...body });
const found = async (query: string) => {
  const { data, meta } = (await corporate('GET', `/api/v1/contacts?${query}`)).body as Page;
  assert.equal(meta.total, data.length);
  return data.map(({ number }) => number).sort();
};

test('a contact keeps typed values, and a change keeps those that it does not name', async () => {
  const fields = {
    loyalty_level: 'Gold',
    visits: '12.5',
    day_of_birth: '1990-05-31',
    is_member: 'yes',
    home_town: ' Cebu ',
  };
  const made = dataOf<Contact>(await add('+63 917 555 0001', { tags: ['vip', 'vip', 'new'], fields }));
  assert.deepEqual(
    [made.number, made.tags, made.fields],
    [
      '639175550001',
      ['vip', 'new'],
      { loyalty_level: 'Gold', visits: 12.5, day_of_birth: '1990-05-31', is_member: true, home_town: 'Cebu' },
    ],
  );
  const path = `/api/v1/contacts/${made.id}`;
  const changed = dataOf<Contact>(await corporate('PATCH', path, { fields: { visits: 13, home_town: null } }));
  assert.deepEqual(changed.fields, { loyalty_level: 'Gold', visits: 13, day_of_birth: '1990-05-31', is_member: true });
  assert.deepEqual(dataOf<Contact>(await user('GET', path)).fields, changed.fields);
});

test('each value that does not fit is named with its field', async () => {
  const fields = { loyalty_level: 'Bronze', visits: 'many', day_of_birth: '31.05.1990', is_member: 'perhaps', shoe: 1 };
  const { status, body } = await add('639175550002', { fields });
  const errors = (body as { errors: Record<string, string[]> }).errors;
  assert.deepEqual(
    [status, Object.keys(errors).sort()],
    [
      422,
      Object.keys(fields)
        .map((key) => `fields.${key}`)
        .sort(),
    ],
  );
  assert.match(errors['fields.loyalty_level']![0]!, /Level of loyalty: choose one of Gold, Silver/);
  assert.equal(codeOf(await add('12')), 'validation_failed');
});

test('one person has one contact in a corporation', async () => {
  assert.equal((await add('639175550003')).status, 201);
  assert.equal(codeOf(await add('+63 917-555-0003')), 'contact_already_exists');
});

test('filters find contacts by tag, value, consent and list', async () => {
  dataOf(
    await add('639175550010', { tags: ['autumn'], fields: { loyalty_level: 'Silver', visits: 3, is_member: false } }),
  );
  dataOf(await add('639175550011', { tags: ['autumn'], fields: { visits: 4 } }));
  dataOf(await add('639175550012', { name: 'Walk-in desk' }));
  await corporate('POST', '/api/v1/opt-outs', { corporation_id: acme, number: '639175550010' });
  const opted = { corporation_id: acme, number: '639175550011', kind: 'opt_in', proof: 'Form on paper' };
  assert.equal((await corporate('POST', '/api/v1/consents', opted)).status, 201);
  assert.deepEqual(await found('tag=autumn'), ['639175550010', '639175550011']);
  assert.deepEqual(await found('tag=autumn&consent=opt_in'), ['639175550011']);
  assert.deepEqual(await found('tag=autumn&consent=opt_out'), ['639175550010']);
  assert.deepEqual(await found('consent=none&search=6391755500'), ['639175550001', '639175550003', '639175550012']);
  assert.deepEqual(await found(`contact_field_id=${field.visits}&value=4`), ['639175550011']);
  assert.deepEqual(await found(`contact_field_id=${field.visits}&value=four`), []);
  assert.deepEqual(await found(`contact_field_id=${field.member}`), ['639175550001', '639175550010']);
  assert.deepEqual(await found(`contact_field_id=${field.member}&value=no`), ['639175550010']);
  assert.deepEqual(await found('search=walk'), ['639175550012']);
  const list = (await owner.query('SELECT id FROM number_list WHERE corporation_id = $1 LIMIT 1', [acme])).rows[0].id;
  await owner.query(`INSERT INTO number_list_number (number_list_id, number) VALUES ($1, '639175550012')`, [list]);
  assert.deepEqual(await found(`number_list_id=${list}&search=63917555`), ['639175550012']);
});

test('another corporation sees no contact, and its own number is free', async () => {
  const mine = dataOf<Contact>(await add('639175550020'));
  assert.equal((await stranger('GET', `/api/v1/contacts/${mine.id}`)).status, 404);
  assert.equal((await stranger('GET', `/api/v1/contacts/${mine.id}/history`)).status, 404);
  assert.equal((await stranger('GET', `/api/v1/contact-fields/${field.visits}/use`)).status, 404);
  const harbor = (await owner.query("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'")).rows[0].id;
  const own = await stranger('POST', '/api/v1/contacts', { corporation_id: harbor, number: '639175550020' });
  assert.equal(own.status, 201);
  const foreign = { corporation_id: harbor, number: '639175550021', fields: { visits: 1 } };
  assert.equal(codeOf(await stranger('POST', '/api/v1/contacts', foreign)), 'validation_failed');
});

test('the history has consents, opt-outs and changes of the contact, newest first', async () => {
  const { id } = dataOf<Contact>(await add('639175550030'));
  await corporate('PATCH', `/api/v1/contacts/${id}`, { name: 'Front desk' });
  await corporate('POST', '/api/v1/consents', { corporation_id: acme, number: '639175550030', proof: 'Paper form' });
  await corporate('POST', '/api/v1/opt-outs', { corporation_id: acme, number: '639175550030', note: 'By phone' });
  const { events } = dataOf<{ events: { kind: string; text: string | null }[] }>(
    await corporate('GET', `/api/v1/contacts/${id}/history`),
  );
  assert.deepEqual(
    events.map(({ kind, text }) => [kind, text]),
    [
      ['opt_out', 'By phone'],
      ['opt_in', 'Paper form'],
      ['updated', null],
      ['created', null],
    ],
  );
});

test('the history has the texts of messages to the phone, with their outcome', async () => {
  const { rows } = await owner.query(
    `SELECT c.id FROM contact c WHERE c.corporation_id = $1
    AND EXISTS (SELECT FROM message m WHERE m.msisdn = c.number) ORDER BY c.id LIMIT 1`,
    [acme],
  );
  const { events, last_sent_at } = dataOf<{
    events: { kind: string; text: string; state: string }[];
    last_sent_at: string;
  }>(await corporate('GET', `/api/v1/contacts/${rows[0].id}/history`));
  const sent = events.filter(({ kind }) => kind === 'sent');
  assert.ok(sent.length > 0 && Date.parse(last_sent_at) > 0);
  for (const { text, state } of sent) assert.ok(/\w{3}/.test(text) && state.length > 0, text);
});

test('a renamed field keeps its values', async () => {
  const { id } = dataOf<Contact>(await add('639175550040', { fields: { home_town: 'Iloilo' } }));
  const renamed = await corporate('PATCH', `/api/v1/contact-fields/${field.town}`, { name: 'Town', key: 'town' });
  assert.equal(renamed.status, 200);
  assert.deepEqual(dataOf<Contact>(await corporate('GET', `/api/v1/contacts/${id}`)).fields, { town: 'Iloilo' });
});

test('a deleted field says what is lost, and its column is emptied before it is used', async () => {
  const shop = await addField({ name: 'Shop', key: 'shop' });
  const { id } = dataOf<Contact>(await add('639175550050', { fields: { shop: 'North' } }));
  const use = await corporate('GET', `/api/v1/contact-fields/${shop}/use`);
  assert.deepEqual(dataOf(use), { contacts: 1, segments: [] });
  assert.equal((await corporate('DELETE', `/api/v1/contact-fields/${shop}`)).status, 200);
  assert.equal((await corporate('GET', `/api/v1/contact-fields/${shop}`)).status, 404);
  const next = await addField({ name: 'Shop', key: 'shop' });
  const fieldsOf = async () => dataOf<Contact>(await corporate('GET', `/api/v1/contacts/${id}`)).fields;
  assert.deepEqual(await fieldsOf(), {});
  await emptyContactField({ database: api.database.db('worker') }, shop, new AbortController().signal);
  const slots = await owner.query(
    'SELECT count(*)::int AS n FROM contact WHERE text_4 IS NOT NULL OR text_5 IS NOT NULL',
  );
  assert.equal(slots.rows[0].n, 0);
  await corporate('PATCH', `/api/v1/contacts/${id}`, { fields: { shop: 'South' } });
  assert.deepEqual(await fieldsOf(), { shop: 'South' });
  assert.equal((await corporate('DELETE', `/api/v1/contact-fields/${next}`)).status, 200);
});

test('fields have choices only where they fit, and keys that mean nothing else', async () => {
  const tried = async (body: object) =>
    codeOf(await corporate('POST', '/api/v1/contact-fields', { corporation_id: acme, name: 'Tried', ...body }));
  assert.equal(await tried({ key: 'tried', type: 'choice' }), 'validation_failed');
  assert.equal(await tried({ key: 'tried', type: 'date', choices: ['One'] }), 'validation_failed');
  assert.equal(await tried({ key: 'param1' }), 'validation_failed');
  assert.equal(await tried({ key: 'Tried' }), 'validation_failed');
  assert.equal(await tried({ key: 'visits' }), 'contact_field_already_exists');
  for (let place = 3; place <= 10; place++)
    await addField({ name: `Number ${place}`, key: `n${place}`, type: 'number' });
  assert.equal(await tried({ key: 'n11', type: 'number' }), 'contact_fields_full');
  assert.equal(
    codeOf(await user('POST', '/api/v1/contact-fields', { corporation_id: acme, name: 'Mine', key: 'mine' })),
    'forbidden',
  );
});
