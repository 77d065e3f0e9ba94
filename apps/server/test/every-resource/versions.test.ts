import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { kindOf, referenceOf } from '@heliograph/contract/kernel/fields';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { RESOURCES } from '@heliograph/contract/registry';
import type { z } from 'zod';
import { dataOf } from '../answers.ts';
import { type Answer, startTestApi } from '../test-api.ts';
import { bodiesOf } from './new-body.ts';
import { listAll, pathOf, type Record_, resourceNamed } from './records.ts';
import { shapeOf } from './sample.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const everything = await api.as('superadmin');
const { newBody, recordsOf } = bodiesOf(owner, everything);
const etagOf = ({ body }: Answer) => String((body as { data: Record_ }).data['etag']);

interface Conflict {
  code: string;
  conflict: { etag: string; fields: Record<string, { yours: unknown; theirs: unknown }>; current: Record_ };
}
const conflictOf = ({ body }: Answer) => body as Conflict;

const change = (r: AnyResource, id: number, body: object, etag?: string) =>
  everything('PATCH', pathOf(r.updateOne, id), body, etag === undefined ? {} : { 'if-match': `"${etag}"` });

/** Yields values that a field may have instead of the present one. */
function* others(schema: z.ZodType, present: unknown): Generator<unknown> {
  const tries: unknown[] = [
    kindOf(schema) === 'money' && typeof present === 'string' ? '9.750' : undefined,
    typeof present === 'boolean' ? !present : undefined,
    'Other one',
    'other-one',
    '639170009877',
    'OTHER',
    '22:15',
    'https://example.com/other',
    'other@heliograph.test',
    '1.2.3',
    3,
    5,
    ['1.2.3.4'],
    [],
  ];
  for (const value of tries)
    if (value !== undefined && value !== present && schema.safeParse(value).success) yield value;
}

/** Finds a change that a record takes, as the field and two other values for it. */
async function changeOf(r: AnyResource, record: Record_): Promise<[field: string, first: unknown, second: unknown]> {
  for (const [field, schema] of Object.entries(shapeOf(r.update))) {
    if (!Object.hasOwn(record, field)) continue;
    const before = record[field];
    const to = referenceOf(schema);
    const ids = to ? (await recordsOf(to)).map(({ id }) => id).filter((id) => id !== before) : [];
    for (const value of [...ids, ...others(schema, before)]) {
      if ((await change(r, record.id, { [field]: value })).status !== 200) continue;
      const back = await change(r, record.id, { [field]: before });
      if (back.status === 200) return [field, value, before];
    }
  }
  throw new Error(`${r.name}: no field takes another value`);
}

test('a stale save of any record is refused with both values and changes nothing', async () => {
  for (const r of RESOURCES) {
    const record = dataOf(await everything('POST', r.createOne.path, await newBody(r, { whole: true })));
    const [field, first, second] = await changeOf(r, record);
    const read = await everything('GET', pathOf(r.get, record.id));
    const etag = etagOf(read);
    assert.match(etag, /^[\w-]{22}$/, r.name);
    assert.equal(read.headers.get('etag'), `"${etag}"`, r.name);
    const listed = (await listAll(everything, r)).find(({ id }) => id === record.id);
    assert.equal(listed?.['etag'], etag, `${r.name}: the list and the record have one version`);

    const saved = await change(r, record.id, { [field]: first }, etag);
    assert.equal(saved.status, 200, `${r.name}.${field}: ${JSON.stringify(saved.body)}`);
    assert.notEqual(etagOf(saved), etag, `${r.name}.${field}`);
    assert.equal(etagOf(await everything('GET', pathOf(r.get, record.id))), etagOf(saved), r.name);

    const late = await change(r, record.id, { [field]: second }, etag);
    assert.deepEqual([late.status, conflictOf(late).code], [409, 'edit_conflict'], `${r.name}.${field}`);
    const { conflict } = conflictOf(late);
    assert.equal(conflict.etag, etagOf(saved));
    assert.deepEqual(Object.keys(conflict.fields), [field], r.name);
    assert.deepEqual(conflict.fields[field], { yours: second, theirs: dataOf(saved)[field] }, r.name);
    assert.deepEqual(conflict.current, dataOf(saved), r.name);
    const after = await everything('GET', pathOf(r.get, record.id));
    assert.deepEqual(dataOf(after), dataOf(saved), `${r.name}: nothing changed`);

    // Saving the same value again is no conflict, and a program that names no version still works.
    assert.equal((await change(r, record.id, { [field]: first }, etag)).status, 200, r.name);
    assert.equal((await change(r, record.id, { [field]: second })).status, 200, r.name);
    const any = await everything('PATCH', pathOf(r.updateOne, record.id), { [field]: first }, { 'if-match': '*' });
    assert.equal(any.status, 200, r.name);

    const removal = (version: string) =>
      everything('DELETE', pathOf(r.removeOne, record.id), undefined, { 'if-match': version });
    const current = etagOf(await everything('GET', pathOf(r.get, record.id)));
    const early = await removal('"of-another-time"');
    assert.deepEqual([early.status, conflictOf(early).code], [409, 'edit_conflict'], r.name);
    assert.equal(conflictOf(early).conflict.current.id, record.id);
    assert.equal((await removal(`"of-another-time", "${current}"`)).status, 200, r.name);
  }
});

test('a value that is never shown makes a save stale, and is not in the answer', async () => {
  let looked = 0;
  for (const r of RESOURCES)
    for (const field of Object.keys(r.unshown)) {
      if (r.name === 'articles') continue;
      const record = dataOf(await everything('POST', r.createOne.path, await newBody(r, { whole: true })));
      if (r.name === 'teams')
        await change(r, record.id, {
          mail_server: 'mail.example.com',
          mail_user: 'us',
          email_address: 'us@example.com',
        });
      const { etag } = dataOf(await everything('GET', pathOf(r.get, record.id)));
      const changed = await change(r, record.id, { [field]: 'Pass1234' });
      assert.equal(changed.status, 200, `${r.name}: ${JSON.stringify(changed.body)}`);
      const late = await change(r, record.id, { [field]: 'Word5678' }, String(etag));
      assert.equal(late.status, 409, r.name);
      assert.deepEqual(conflictOf(late).conflict.fields, { [field]: { yours: null, theirs: null } });
      assert.doesNotMatch(JSON.stringify(late.body), /Pass1234|Word5678/);
      await everything('DELETE', pathOf(r.removeOne, record.id));
      looked++;
    }
  assert.equal(looked, 4);
});

test('only one of ten simultaneous saves of one version is accepted', async () => {
  const zones = resourceNamed('rate-zones');
  const record = dataOf(await everything('POST', zones.createOne.path, await newBody(zones)));
  const saves = Array.from({ length: 10 }, (_, i) =>
    change(zones, record.id, { name: `Zone of save ${i}` }, String(record['etag'])),
  );
  const statuses = (await Promise.all(saves)).map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, ...Array(9).fill(409)]);
});

test('traffic, balances and sizes do not make a save stale', async () => {
  const [account] = await recordsOf('billing-accounts');
  const [list] = await recordsOf('number-lists');
  const keys = resourceNamed('api-keys');
  const key = dataOf(await everything('POST', keys.createOne.path, await newBody(keys)));
  assert.ok(account && list);
  await owner.query('UPDATE billing_account SET credit_balance = credit_balance + 1000 WHERE id = $1', [account.id]);
  await owner.query('UPDATE api_key SET last_used_at = now() WHERE id = $1', [key.id]);
  await owner.query('UPDATE number_list SET numbers_count = numbers_count + 1 WHERE id = $1', [list.id]);
  for (const [name, before] of [
    ['billing-accounts', account],
    ['number-lists', list],
    ['api-keys', key],
  ] as const) {
    const now = dataOf(await everything('GET', pathOf(resourceNamed(name).get, before.id)));
    assert.notDeepEqual(now, before, name);
    assert.equal(now['etag'], before['etag'], name);
  }
});

test('a menu that somebody else ordered is not overwritten silently', async () => {
  const read = (await listAll(everything, resourceNamed('menus'))).map(({ id, parent_id }) => ({ id, parent_id }));
  const listed = await everything('GET', '/api/v1/menus?per_page=200&sort=position');
  const places = (listed.body as { data: Record_[] }).data.map(({ id, parent_id }) => ({ id, parent_id }));
  assert.equal(places.length, read.length);
  const top = places.filter(({ parent_id }) => parent_id === null);
  const order = (first: number) => {
    const moved = top[first]!;
    return [moved, ...places.filter((place) => place !== moved)];
  };
  const save = (entries: unknown, from?: unknown) =>
    everything('PUT', '/api/v1/menus/order', { entries, ...(from ? { read: from } : {}) });
  assert.equal((await save(order(2), places)).status, 200);
  const late = await save(order(3), places);
  assert.deepEqual([late.status, conflictOf(late).code], [409, 'edit_conflict']);
  assert.deepEqual(Object.keys(conflictOf(late).conflict.fields), ['order']);
  assert.equal((await save(order(2), places)).status, 200, 'the same order twice');
  assert.equal((await save(order(3), order(2))).status, 200);
  assert.equal((await save(places)).status, 200);
});

test('supervisors and the own profile are not overwritten silently', async () => {
  const users = await recordsOf('users');
  const { id } = users.find(({ email }) => email === 'user@heliograph.test')!;
  const person = dataOf(await everything('GET', `/api/v1/users/${id}`));
  const above = users.find(({ email }) => email === 'corporate@heliograph.test')!;
  const set = (ids: number[], etag?: unknown) =>
    everything(
      'PUT',
      `/api/v1/users/${person.id}/supervisors`,
      { supervisor_ids: ids },
      {
        ...(etag ? { 'if-match': `"${etag}"` } : {}),
      },
    );
  const had = (person['supervisors'] as { id: number }[]).map(({ id }) => id);
  const other = had.includes(above.id) ? [] : [above.id];
  const saved = await set(other, person['etag']);
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const late = await set(had, person['etag']);
  assert.deepEqual([late.status, conflictOf(late).code], [409, 'edit_conflict']);
  assert.deepEqual(conflictOf(late).conflict.fields['supervisors']!.theirs, dataOf(saved)['supervisors']);
  assert.equal((await set(had, etagOf(saved))).status, 200);

  const self = await api.as('corporate');
  const shown = async () =>
    ((await self('GET', '/api/v1/profiles')).body as { profile: { name: string; etag: string } }).profile;
  const before = await shown();
  const rename = (name: string, etag: string) => self('PATCH', '/api/v1/profiles', { name }, { 'if-match': etag });
  assert.equal((await rename('First Tab', before.etag)).status, 200);
  const second = await rename('Second Tab', before.etag);
  assert.equal(second.status, 409);
  assert.deepEqual(conflictOf(second).conflict.fields, { name: { yours: 'Second Tab', theirs: 'First Tab' } });
  assert.equal((await rename('First Tab', before.etag)).status, 200);
  assert.equal((await shown()).name, 'First Tab');
});
