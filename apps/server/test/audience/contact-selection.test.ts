import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { startWorker } from '../../src/processes/worker.ts';
import { dataOf } from '../answers.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const owner = api.database.pool('owner');
const [corporate, stranger, readonly] = [
  await api.as('corporate'),
  await api.as('corporate@harbor.test'),
  await api.as('readonly'),
];
const acme = (await owner.query("SELECT id FROM corporation WHERE name = 'Acme Retail'")).rows[0].id as number;

type Contact = { id: number };
const add = async (number: string, body: object = {}) =>
  dataOf<Contact>(await corporate('POST', '/api/v1/contacts', { corporation_id: acme, number, ...body })).id;
const tagsOf = async (id: number) => (await owner.query('SELECT tags FROM contact WHERE id = $1', [id])).rows[0]?.tags;
const count = (answer: Awaited<ReturnType<typeof corporate>>) => dataOf<{ contacts: number }>(answer).contacts;

const ids = [
  await add('639176100001', { tags: ['lot', 'old'] }),
  await add('639176100002', { tags: ['lot'] }),
  await add('639176100003', { tags: ['rest'] }),
];

test('tags of chosen contacts, or of all that a filter shows, are changed together', async () => {
  const change = (body: object) => corporate('POST', '/api/v1/contacts/tags', body);
  const first = { selection: { tag: 'lot' }, add: ['new'], remove: ['old'] };
  assert.equal(count(await change(first)), 2);
  assert.deepEqual(await Promise.all(ids.map(tagsOf)), [['lot', 'new'], ['lot', 'new'], ['rest']]);
  assert.equal(count(await change(first)), 0);
  assert.equal(count(await change({ selection: { ids: [ids[2]] }, add: ['new'] })), 1);
  assert.equal((await change({ selection: {} })).status, 422);
});

test('nobody reaches contacts of others, or changes them without the right', async () => {
  const body = { selection: { ids }, add: ['stolen'] };
  assert.equal(count(await stranger('POST', '/api/v1/contacts/tags', body)), 0);
  assert.equal(count(await stranger('POST', '/api/v1/contacts/deletions', { selection: { ids } })), 0);
  assert.equal((await readonly('POST', '/api/v1/contacts/tags', body)).status, 403);
  assert.equal((await readonly('POST', '/api/v1/contacts/deletions', { selection: { ids } })).status, 403);
});

test('a file has the chosen contacts with the chosen fields', async () => {
  const field = await corporate('POST', '/api/v1/contact-fields', {
    corporation_id: acme,
    name: 'Shoe size',
    key: 'shoe_size',
    type: 'number',
  });
  const { id } = dataOf<Contact>(field);
  dataOf(await corporate('PATCH', `/api/v1/contacts/${ids[0]}`, { name: '=1+1', fields: { shoe_size: 42.5 } }));
  const asked = await corporate('POST', '/api/v1/contacts/exports', {
    selection: { tag: 'new' },
    contact_field_ids: [id],
  });
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  const file = dataOf<{ id: number }>(asked).id;
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    assert.ok(Date.now() < deadline);
    const opened = (await corporate('GET', `/api/v1/queue-download-unread-file/${file}`)).body as {
      success: boolean;
      data: { path: string };
    };
    if (!opened.success) continue;
    const rows = parse(String((await corporate('GET', opened.data.path)).body), { bom: true }) as string[][];
    assert.deepEqual(rows[0], ['Number', 'Name', 'Tags', 'Consent', 'Shoe size']);
    assert.deepEqual(
      rows.slice(1).map(([number]) => number),
      ['639176100003', '639176100002', '639176100001'],
    );
    assert.deepEqual(rows[3], ['639176100001', "'=1+1", 'lot, new', 'Nothing recorded', '42.5']);
    break;
  }
});

test('contacts of a selection are deleted, and no others', async () => {
  const before = (await owner.query('SELECT count(*)::int AS n FROM contact')).rows[0].n;
  assert.equal(count(await corporate('POST', '/api/v1/contacts/deletions', { selection: { tag: 'lot' } })), 2);
  assert.equal((await owner.query('SELECT count(*)::int AS n FROM contact')).rows[0].n, before - 2);
  assert.deepEqual(await tagsOf(ids[2]!), ['rest', 'new']);
  assert.equal(await tagsOf(ids[0]!), undefined);
});

test('merging keeps one number and all conversions, and fills what is empty', async () => {
  const kept = await add('639176100011', { name: 'Ana Cruz', tags: ['a'], fields: {} });
  const other = await add('639176100012', { name: 'ana cruz', tags: ['a', 'b'], fields: { shoe_size: 39 } });
  const merge = (body: object, as = corporate) => as('POST', `/api/v1/contacts/${kept}/merge`, body);
  const same = dataOf<Contact[]>(await corporate('GET', '/api/v1/contacts?same_name=true&search=Ana Cruz'));
  assert.deepEqual(same.map(({ id }) => id).toSorted(), [kept, other].toSorted());
  assert.equal((await merge({ contact_id: kept })).status, 422);
  assert.equal((await merge({ contact_id: other, take: ['nothing'] })).status, 422);
  assert.equal((await merge({ contact_id: other }, stranger)).status, 404);
  assert.equal((await merge({ contact_id: other }, readonly)).status, 403);
  const theirs = (await owner.query('SELECT id FROM contact n WHERE n.corporation_id <> $1 LIMIT 1', [acme])).rows[0];
  if (theirs) assert.equal((await merge({ contact_id: theirs.id })).status, 422);
  await owner.query(
    `INSERT INTO conversion (corporation_id, reference_hash, name, happened_at, contact_id)
     VALUES ($1, 'merged', 'order', now(), $2)`,
    [acme, other],
  );
  const merged = dataOf<{ number: string; name: string; tags: string[]; fields: object }>(
    await merge({ contact_id: other, take: ['name'] }),
  );
  assert.deepEqual(
    [merged.number, merged.name, merged.tags, merged.fields],
    ['639176100011', 'ana cruz', ['a', 'b'], { shoe_size: 39 }],
  );
  assert.equal(await tagsOf(other), undefined);
  const converted = await owner.query("SELECT contact_id FROM conversion WHERE reference_hash = 'merged'");
  assert.equal(converted.rows[0].contact_id, kept, 'conversions go to the contact that stays');
  assert.equal((await merge({ contact_id: other })).status, 422);
  const [entry] = (
    await owner.query('SELECT description FROM activity_log WHERE subject_id = $1 ORDER BY id DESC LIMIT 1', [kept])
  ).rows;
  assert.equal(entry.description, 'merged');
});
