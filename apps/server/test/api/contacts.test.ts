import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { apiStage, codeOf } from './stage.ts';

const stage = await apiStage({ after });
const corporate = await stage.api.as('corporate');
const { corporation_id } = stage.acme;
await corporate('POST', '/api/v1/contact-fields', { corporation_id, name: 'Birthday', key: 'birthday', type: 'date' });

type Contact = { id: string; number: string; name: string | null; tags: string[]; fields: object; consent: string };

test('a program adds a contact, changes it by its number, reads and deletes it', async () => {
  const { key } = await stage.makeKey({ scopes: ['contacts:read', 'contacts:write'] });
  const call = stage.by(key);
  const first = await call('POST', '/v1/contacts', {
    number: '+639170000201',
    tags: ['regular'],
    fields: { birthday: '1990-05-31' },
  });
  assert.equal(first.status, 200);
  const { id } = first.body as Contact;
  const again = (await call('POST', '/v1/contacts', { number: '639170000201', name: 'Desk 1' })).body as Contact;
  assert.deepEqual(
    [again.id, again.name, again.tags, again.fields],
    [id, 'Desk 1', ['regular'], { birthday: '1990-05-31' }],
  );
  const wrong = await call('POST', '/v1/contacts', { number: '639170000201', fields: { birthday: 'May' } });
  assert.equal(codeOf(wrong), '422 validation_failed fields.birthday');
  await call('POST', '/v1/contacts', { number: '639170000202' });
  const page = (await call('GET', '/v1/contacts?limit=1')).body as { data: Contact[]; next_cursor: string };
  const rest = (await call('GET', `/v1/contacts?limit=1&cursor=${page.next_cursor}`)).body as { data: Contact[] };
  assert.deepEqual(
    [...page.data, ...rest.data].map(({ number }) => number),
    ['639170000202', '639170000201'],
  );
  const tagged = (await call('GET', '/v1/contacts?tag=regular')).body as { data: Contact[] };
  assert.deepEqual(
    tagged.data.map((each) => each.id),
    [id],
  );
  const { data: fields } = (await call('GET', '/v1/contact-fields')).body as { data: { id: string }[] };
  assert.deepEqual(fields.at(-1), {
    id: fields.at(-1)?.id,
    key: 'birthday',
    name: 'Birthday',
    type: 'date',
    choices: [],
  });
  assert.equal((await call('DELETE', `/v1/contacts/${id}`)).status, 200);
  assert.equal(codeOf(await call('GET', `/v1/contacts/${id}`)), '404 not_found');
});

test('a key needs the scope, and a test key has no contacts', async () => {
  const reader = stage.by((await stage.makeKey({ scopes: ['contacts:read'] })).key);
  assert.equal(codeOf(await reader('POST', '/v1/contacts', { number: '639170000203' })), '403 scope_missing');
  const tests = stage.by((await stage.makeKey({ mode: 'test', scopes: ['contacts:read', 'contacts:write'] })).key);
  assert.deepEqual((await tests('GET', '/v1/contacts')).body, { data: [], next_cursor: null, has_more: false });
  assert.equal(codeOf(await tests('POST', '/v1/contacts', { number: '639170000203' })), '404 not_found');
});

test('another corporation’s contact does not exist for a program', async () => {
  const made = (await corporate('POST', '/api/v1/contacts', { corporation_id, number: '639170000204' })).body as {
    data: { id: number };
  };
  const { key } = await stage.makeKey({
    as: 'corporate@harbor.test'.replace('@harbor.test', ''),
    scopes: ['contacts:read'],
  });
  assert.equal((await stage.by(key)('GET', `/v1/contacts/${made.data.id}`)).status, 200);
  const { body } = await (await stage.api.as('corporate@harbor.test'))('POST', '/api/v1/api-keys', {
    name: 'Harbor',
    user_id: (await stage.one<{ id: number }>("SELECT id FROM user_account WHERE email = 'corporate@harbor.test'")).id,
    scopes: ['contacts:read', 'contacts:write'],
  });
  const foreign = stage.by((body as { data: { key: string } }).data.key);
  assert.equal(codeOf(await foreign('GET', `/v1/contacts/${made.data.id}`)), '404 not_found');
  assert.equal(codeOf(await foreign('DELETE', `/v1/contacts/${made.data.id}`)), '404 not_found');
});

test('many contacts are saved in one call, each by itself, and again without a change', async () => {
  const call = stage.by((await stage.makeKey({ scopes: ['contacts:read', 'contacts:write'] })).key);
  const contacts = [
    { number: '639170000231', name: 'First' },
    { number: 'none' },
    { number: '+63 917 000 0232', fields: { birthday: '1990-05-31' } },
    { number: '639170000233', fields: { birthday: 'May' } },
    { number: '639170000231', name: 'Last' },
  ];
  interface Answer {
    saved: { index: number; id: string }[];
    rejected: { index: number; code: string; field: string }[];
  }
  const { status, body } = await call('POST', '/v1/contacts/batch', { contacts });
  assert.equal(status, 200, JSON.stringify(body));
  const { saved, rejected } = body as Answer;
  assert.deepEqual(
    [saved.map(({ index }) => index), rejected.map(({ index, field }) => [index, field])],
    [
      [0, 2, 4],
      [
        [1, 'number'],
        [3, 'fields.birthday'],
      ],
    ],
  );
  assert.equal(saved[0]!.id, saved[2]!.id);
  assert.equal(((await call('GET', `/v1/contacts/${saved[0]!.id}`)).body as Contact).name, 'Last');
  assert.deepEqual(((await call('POST', '/v1/contacts/batch', { contacts })).body as Answer).saved, saved);
  const many = Array.from({ length: 201 }, () => ({ number: '639170000231' }));
  assert.equal(codeOf(await call('POST', '/v1/contacts/batch', { contacts: many })), '422 validation_failed contacts');
  const hostile = await call('POST', '/v1/contacts/batch', {
    contacts: [{ number: '639170000231', name: 'a\u0000b' }],
  });
  assert.equal(hostile.status, 422);
});
