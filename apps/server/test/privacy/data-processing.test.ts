import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { processingFile } from '../../src/modules/privacy/list-processing.ts';
import { OTHER_COLUMNS } from '../../src/modules/privacy/other-columns.ts';
import { PERSONAL_COLUMNS } from '../../src/modules/privacy/personal-columns.ts';
import { PLACES } from '../../src/modules/privacy/places.ts';
import { PROCESSED_TABLES } from '../../src/modules/privacy/processed.ts';
import { exportedFile } from '../reports/exported-file.ts';
import { type Client, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');

interface Row {
  place: string;
  columns: string;
  kept: string;
  protection: string;
}
const rowsFor = async (client: Client, query = '') => {
  const { status, body } = await client('GET', `/api/v1/data-processing?limit=200${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return new Map((body as { data: Row[] }).data.map((row) => [row.place, row]));
};

test('each column that can hold a text is classified once', async () => {
  const { rows } = await owner.query<{ column: string }>(
    `SELECT c.table_name || '.' || c.column_name AS column FROM information_schema.columns c
     JOIN pg_class p ON p.relname = c.table_name AND p.relnamespace = c.table_schema::regnamespace
     WHERE c.table_schema = 'public' AND p.relkind IN ('r', 'p') AND NOT p.relispartition
       AND c.data_type IN ('text', 'character varying', 'ARRAY', 'json', 'jsonb', 'bytea', 'inet', 'cidr', 'uuid') ORDER BY 1`,
  );
  const classified = [PERSONAL_COLUMNS, OTHER_COLUMNS].flatMap((table) =>
    Object.entries(table).flatMap(([name, columns]) => columns.split(' ').map((column) => `${name}.${column}`)),
  );
  // The number of a recipient whose messages are counted is stored as an integer.
  const expected = [...rows.map(({ column }) => column), 'sending_limit_use.subject'].sort();
  assert.deepEqual(
    classified.filter((column, at) => classified.indexOf(column) !== at),
    [],
    'a column is classified twice',
  );
  assert.deepEqual(
    {
      unclassified: expected.filter((column) => !classified.includes(column)),
      gone: classified.filter((column) => !expected.includes(column)),
    },
    { unclassified: [], gone: [] },
  );
});

test('every place of a search for people is in the record', () => {
  const tables = new Set(PROCESSED_TABLES.map(({ table }) => table));
  assert.deepEqual(
    PLACES.map(({ table }) => table).filter((table) => table !== 'message_row' && !tables.has(table)),
    [],
  );
});

test('the record shows the days in force for the platform or a corporation', async () => {
  const acme = await api.database.idOf('corporation', 'Acme Retail');
  await owner.query("UPDATE global_configuration SET value = '90' WHERE key = 'texts_kept_days'");
  await owner.query(
    `INSERT INTO retention_rule (corporation_id, set_by, otp_days, bulk_days, number_days)
     VALUES ($1, 'platform', 7, 120, 60), ($1, 'corporation', 14, NULL, 40)`,
    [acme],
  );
  const [platform, corporate] = [await api.as('admin'), await api.as('corporate')];
  const everybody = await rowsFor(platform);
  assert.match(
    everybody.get('message')!.kept,
    /^texts of codes: 90 days; .*texts of campaigns and bulk messages: 90 days; full numbers: no limit$/,
  );
  assert.equal(everybody.get('short_link')!.kept, 'No time limit');
  assert.match(everybody.get('event')!.kept, /^7 days$/);
  assert.match(everybody.get('person_request')!.kept, /^30 days$/);
  assert.match(everybody.get('opt_out')!.kept, /^Until someone removes it$/);
  for (const own of [await rowsFor(platform, `&corporation_id=${acme}`), await rowsFor(corporate)])
    assert.match(
      own.get('message')!.kept,
      /^texts of codes: 7 days; .*texts of campaigns and bulk messages: 90 days; full numbers: 40 days$/,
    );
  assert.match(everybody.get('person_request')!.protection, /number_sealed.*digest/);
});

test('a corporation sees no table of the platform, and no other corporation', async () => {
  const corporate = await api.as('corporate');
  const own = await rowsFor(corporate);
  for (const table of ['application_log', 'number_lookup', 'test_number']) assert.equal(own.has(table), false, table);
  assert.ok(own.has('inbox_message'));
  const harbor = await api.database.idOf('corporation', 'Blue Harbor Bank');
  assert.equal((await corporate('GET', `/api/v1/data-processing?corporation_id=${harbor}`)).status, 422);
  assert.equal((await (await api.as('user'))('GET', '/api/v1/data-processing')).status, 403);
  const asked = await corporate('POST', '/api/v1/data-processing/exports', { format: 'xlsx' });
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
});

test('the record is printed whole in each language, no block parted by a page', async () => {
  for (const locale of LOCALES) {
    const { path, rows, download_file } = await exportedFile(api, [processingFile([])], {
      login: 'corporate',
      path: '/api/v1/data-processing/exports',
      body: { format: 'pdf' },
      locale,
    });
    assert.match(download_file, /^data-processing_.*\.pdf$/);
    assert.ok(rows > 40, `${rows} tables`);
    const pdf = await readFile(path, 'latin1');
    assert.match(pdf, /^%PDF-[\s\S]+%%EOF\s*$/);
    const pages = pdf.match(/\/Type \/Page\b(?!s)/g)!.length;
    assert.ok(pages >= rows / 8 && pages <= rows / 2, `${pages} pages of ${rows} tables`);
  }
});

test('people who see retention rules see the days of the platform', async () => {
  const { status, body } = await (await api.as('corporate'))('GET', '/api/v1/retention-rules/platform');
  assert.equal(status, 200);
  const { otp_days, number_days } = body as Record<string, number | null>;
  assert.deepEqual([otp_days, number_days], [90, null]);
});

test('pages of the record follow each other without a gap', async () => {
  const client = await api.as('admin');
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await client('GET', `/api/v1/data-processing?limit=20${cursor && `&cursor=${cursor}`}`);
    const page = body as { data: Row[]; next_cursor: string | null };
    seen.push(...page.data.map(({ place }) => place));
    cursor = page.next_cursor;
  }
  assert.deepEqual(
    seen,
    PROCESSED_TABLES.map(({ table }) => table),
  );
});
