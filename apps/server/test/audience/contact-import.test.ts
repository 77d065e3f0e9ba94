import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { contactImport, mendContacts, previewContacts } from '@heliograph/contract/audience/contact-import';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { z } from 'zod';
import { startWorker } from '../../src/processes/worker.ts';
import { codeOf, dataOf } from '../answers.ts';
import { bookOfRows } from '../contacts/table-file.ts';
import { startTestApi } from '../test-api.ts';
import { formOf, uploadFile } from '../uploads.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const owner = api.database.pool('owner');
const [corporate, other] = [await api.as('corporate'), await api.as('corporate@harbor.test')];
const acme = (await owner.query("SELECT id FROM corporation WHERE name = 'Acme Retail'")).rows[0].id as number;

type Import = z.output<typeof contactImport>;
type Preview = ReplyOf<typeof previewContacts>['data'];
type Mended = ReplyOf<typeof mendContacts>['data'];

const addField = async (body: object) =>
  dataOf<{ id: number }>(await corporate('POST', '/api/v1/contact-fields', { corporation_id: acme, ...body })).id;
await addField({ name: 'Tier', key: 'tier', type: 'choice', choices: ['Gold', 'Silver'] });
await addField({ name: 'Visits made', key: 'visits_made', type: 'number' });
await addField({ name: 'Born on', key: 'born_on', type: 'date' });
await addField({ name: 'Wants news', key: 'wants_news', type: 'yes_no' });
await addField({ name: 'Code', key: 'shop_code' });
const COLUMNS = 'number,name,tags,fields.tier,fields.visits_made,fields.born_on,fields.wants_news,fields.shop_code';
const HEAD = 'Mobile,Name,Groups,Tier,Visits,Birthday,News,Code';

const upload = (text: string | Buffer, query: Record<string, string> = {}) =>
  uploadFile(
    corporate,
    `contacts/bulk?${new URLSearchParams({ corporation_id: String(acme), columns: COLUMNS, ...query })}`,
    text,
  );
const contactOf = async (number: string) =>
  (await owner.query('SELECT name, tags, fields, updated_at FROM contact_row WHERE number = $1', [number])).rows[0];
const read = async (id: number) => dataOf<Import>(await corporate('GET', `/api/v1/contact-imports/${id}`));
const rowsOf = async (id: number) =>
  dataOf<Mended['refused']>(await corporate('GET', `/api/v1/contact-imports/${id}/rows`));
async function undo(id: number): Promise<Import> {
  const asked = await corporate('POST', `/api/v1/contact-imports/${id}/undo`);
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  for (const deadline = Date.now() + 30_000; ; ) {
    const row = await read(id);
    if (row.undo === 'undone') return row;
    assert.ok(Date.now() < deadline);
    await sleep(50);
  }
}

test('a file adds contacts with typed values, and a later one changes them', async () => {
  const first = await upload(
    `${HEAD}\n0917 600 0001,Ana,"vip, new",Gold,"1,200",31/05/1990,yes,007\n639176000002,Ben,,Silver,12%,1990-05-31,NO,\n`,
    { tags: 'autumn' },
  );
  assert.deepEqual([first.upload.rows_added, first.upload.rows_changed, first.refused], [2, 0, []]);
  const ana = await contactOf('639176000001');
  assert.deepEqual(
    [ana.name, ana.tags, ana.fields],
    [
      'Ana',
      ['vip', 'new', 'autumn'],
      { tier: 'Gold', visits_made: 1200, born_on: '1990-05-31', wants_news: true, shop_code: '007' },
    ],
  );
  assert.deepEqual((await contactOf('639176000002')).fields, {
    tier: 'Silver',
    visits_made: 12,
    born_on: '1990-05-31',
    wants_news: false,
  });
  const second = await upload(`${HEAD}\n639176000001,,spring,Silver,,,,\n`);
  assert.deepEqual([second.upload.rows_added, second.upload.rows_changed], [0, 1]);
  const changed = await contactOf('639176000001');
  assert.deepEqual([changed.name, changed.tags], ['Ana', ['vip', 'new', 'autumn', 'spring']]);
  assert.deepEqual(changed.fields, { ...ana.fields, tier: 'Silver' });
});

test('empty cells remove values only if that is chosen, and contacts can stay', async () => {
  await upload(`${HEAD}\n639176000010,Cora,,Gold,5,,,\n`);
  const kept = await upload(`${HEAD}\n639176000010,Dora,,,,,,\n639176000011,Eve,,,,,,\n`, { mode: 'add' });
  assert.deepEqual([kept.upload.rows_added, kept.upload.rows_changed, kept.upload.rows_duplicate], [1, 0, 1]);
  assert.match(kept.refused[0]!.join(), /639176000010,This number is a contact already/);
  assert.equal((await contactOf('639176000010')).name, 'Cora');
  await upload(`${HEAD}\n639176000010,,,Silver,,,,\n`, { empty: 'clear' });
  const cleared = await contactOf('639176000010');
  assert.deepEqual([cleared.name, cleared.fields], [null, { tier: 'Silver' }]);
});

test('dates and numbers of a workbook arrive as its sheet shows them', async (t) => {
  const path = await bookOfRows(t, [
    HEAD.split(','),
    [
      [639176000020, '0.00E+00'],
      'Fay',
      '',
      'Gold',
      [0.125, '0.0%'],
      [new Date('1990-05-31T00:00:00Z'), 'dd mmm yyyy'],
      true,
      '0042',
    ],
    [[639176000021, '#,##0'], 'Gil', '', 'Silver', [1234.5, '"₱"#,##0.00'], [33024, 'm/d/yy'], 'oo', [42, '0000']],
  ] as never);
  const { upload: done, refused } = await upload(await readFile(path));
  assert.deepEqual([done.rows_added, refused], [2, []]);
  assert.deepEqual((await contactOf('639176000020')).fields, {
    tier: 'Gold',
    visits_made: 12.5,
    born_on: '1990-05-31',
    wants_news: true,
    shop_code: '0042',
  });
  assert.deepEqual((await contactOf('639176000021')).fields, {
    tier: 'Silver',
    visits_made: 1234.5,
    born_on: '1990-05-31',
    wants_news: true,
    shop_code: '0042',
  });
});

test('a preview suggests what columns mean, and remembers it for the same headings', async () => {
  const preview = async (text: string) => {
    const path = `/api/v1/contact-imports/preview?corporation_id=${acme}`;
    return dataOf<Preview>(await corporate('POST', path, formOf(text)));
  };
  const text =
    'Cellphone No.,Full name,Tier,Since,Level,Until\n639176000030,Hal,Gold,03/04/2026,1,03/04/2026\n639176000031,Ina,Silver,25/04/2026,2,04/04/2026\n';
  const first = await preview(text);
  assert.deepEqual(
    first.columns.map(({ target, type, dates }) => [target, type, dates]),
    [
      ['number', 'number', null],
      ['name', 'text', null],
      ['fields.tier', 'text', null],
      ['', 'date', 'day_first'],
      ['', 'number', null],
      ['', 'date', 'unclear'],
    ],
  );
  assert.equal(first.remembered, false);
  await upload(text, { columns: 'number,name,fields.tier,fields.born_on,fields.visits_made,', day_first: 'true' });
  assert.equal((await contactOf('639176000030')).fields.born_on, '2026-04-03');
  const second = await preview(text.replace('Cellphone No.', 'cellphone no'));
  assert.equal(second.remembered, true);
  assert.deepEqual(
    second.columns.map(({ target }) => target),
    ['number', 'name', 'fields.tier', 'fields.born_on', 'fields.visits_made', ''],
  );
  const foreign = await other('POST', `/api/v1/contact-imports/preview?corporation_id=${acme}`, formOf(text));
  assert.equal(codeOf(foreign), 'validation_failed');
});

test('refused rows keep their cells, and are imported once they are mended', async () => {
  const { upload: done, refused } = await upload(
    `${HEAD}\n639176000040,Jo,,gold,5,,,\n6.39E+11,Kay,,Gold,,,,\n639176000041/2,Lee,,Gold,about 12,03/04/2026,,\n639176000042,Mo,,,,,,\n639176000042,Mo again,,,,,,\n`,
  );
  assert.deepEqual([done.rows_added, done.rows_rejected], [1, 4]);
  assert.deepEqual(
    refused.map(([line, field]) => [line, field]),
    [
      ['2', 'Tier'],
      ['3', 'number'],
      ['4', 'number'],
      ['6', 'number'],
    ],
  );
  const rows = await rowsOf(done.id);
  assert.deepEqual(
    rows.map(({ line, faults }) => [line, faults.map(({ field, suggestion }) => [field, suggestion])]),
    [
      [2, [['fields.tier', 'Gold']]],
      [3, [['number', null]]],
      [
        4,
        [
          ['number', '+639176000041'],
          ['fields.visits_made', '12'],
          ['fields.born_on', '2026-04-03'],
        ],
      ],
    ],
  );
  assert.equal((await read(done.id)).rows_to_mend, 3);
  const mended = dataOf<Mended>(
    await corporate('POST', `/api/v1/contact-imports/${done.id}/rows`, {
      rows: [
        { line: 2, cells: { 'fields.tier': 'Gold', tags: 'mended' } },
        { line: 3, cells: { number: '12' } },
        { line: 99, cells: { number: '639176000049' } },
      ],
    }),
  );
  assert.deepEqual([mended.imported, mended.refused.map(({ line }) => line)], [1, [3]]);
  assert.deepEqual((await contactOf('639176000040')).tags, ['mended']);
  assert.equal((await read(done.id)).rows_to_mend, 2);
  assert.equal(await contactOf('639176000049'), undefined);
  assert.equal((await other('GET', `/api/v1/contact-imports/${done.id}/rows`)).status, 404);
});

test('an undone import leaves no contact, and returns what nobody changed since', async () => {
  const list = (
    await owner.query(
      `INSERT INTO number_list (corporation_id, department_id, name, created_by)
       SELECT $1, d.id, 'Undo', u.id FROM department d, user_account u WHERE d.corporation_id = $1 AND u.email = 'corporate@heliograph.test' LIMIT 1 RETURNING id`,
      [acme],
    )
  ).rows[0].id;
  const count = async () =>
    (
      await owner.query(
        'SELECT numbers_count AS told, (SELECT count(*) FROM number_list_number WHERE number_list_id = $1) AS held FROM number_list WHERE id = $1',
        [list],
      )
    ).rows[0];
  await upload(`${HEAD}\n639176000050,Nan,old,Gold,1,,,\n639176000051,Ora,old,Gold,1,,,\n`);
  const before = await contactOf('639176000050');
  const { upload: done } = await upload(
    `${HEAD}\n639176000050,,new,Silver,2,,,\n639176000051,,new,Silver,2,,,\n639176000052,Pia,,,,,,\n639176000053,Quin,,bad,,,,\n`,
    { number_list_id: String(list) },
  );
  assert.deepEqual([done.rows_added, done.rows_changed, done.rows_rejected], [1, 2, 1]);
  assert.deepEqual(await count(), { told: 3, held: 3 });
  const line = { line: 5, cells: { 'fields.tier': 'Gold' } };
  await corporate('POST', `/api/v1/contact-imports/${done.id}/rows`, { rows: [line] });
  assert.deepEqual(await count(), { told: 4, held: 4 });
  const { id } = (await owner.query("SELECT id FROM contact WHERE number = '639176000051'")).rows[0];
  dataOf(await corporate('PATCH', `/api/v1/contacts/${id}`, { name: 'Ora by hand' }));
  const undone = await undo(done.id);
  assert.deepEqual([undone.rows_undone, undone.rows_kept, undone.rows_to_mend], [3, 1, 0]);
  assert.deepEqual(await contactOf('639176000050'), before);
  const kept = await contactOf('639176000051');
  assert.deepEqual([kept.name, kept.fields.tier], ['Ora by hand', 'Silver']);
  assert.equal(await contactOf('639176000052'), undefined);
  assert.equal(await contactOf('639176000053'), undefined);
  assert.deepEqual(await count(), { told: 1, held: 1 });
  assert.equal(codeOf(await corporate('POST', `/api/v1/contact-imports/${done.id}/undo`)), 'contact_import_over');
  assert.equal(
    codeOf(await corporate('POST', `/api/v1/contact-imports/${done.id}/rows`, { rows: [line] })),
    'contact_import_over',
  );
});

test('columns that cannot be are refused with the field and the reason', async () => {
  const refused = async (query: Record<string, string>) => {
    const asked = new URLSearchParams({ corporation_id: String(acme), ...query });
    const answer = await corporate('POST', `/api/v1/contacts/bulk?${asked}`, formOf('number\n639176000060\n'));
    return Object.keys((answer.body as { errors: object }).errors);
  };
  assert.deepEqual(await refused({ columns: 'name' }), ['columns']);
  assert.deepEqual(await refused({ columns: 'number,number' }), ['columns']);
  assert.deepEqual(await refused({ columns: 'number,fields.unknown' }), ['columns']);
  assert.deepEqual(await refused({ columns: 'number', number_list_id: '99999999' }), ['number_list_id']);
  const headless = await upload('639176000061,Rex\n639176000062,Sue\n', { columns: 'number,name' });
  assert.equal(headless.upload.error_code, 'file_headers_invalid');
});
