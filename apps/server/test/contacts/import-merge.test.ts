import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import fc from 'fast-check';
import { importNumbers } from '../../src/modules/contacts/import-numbers.ts';
import { importStage } from './import-stage.ts';

const { home, owner, worker, go, newList, queued, importOf, numbersOf, countOf, run } = await importStage({ after });
const pool = home.pool('owner');

interface Row {
  number: string;
  name: string;
  param1: string;
}

const cell = (text: string) => (/["\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const fileOf = (rows: readonly Row[]) =>
  ['number,name,param1', ...rows.map((row) => [row.number, row.name, row.param1].map(cell).join(','))].join('\n');

/** Adds rows to a list as an import does: of each number the first row. Returns the duplicates in the order of lines. */
function addToModel(list: Map<string, Row>, rows: readonly Row[]): string[][] {
  const had = new Set(list.keys());
  const lines = new Map<string, number>();
  const duplicates: string[][] = [];
  let line = 1;
  for (const row of rows) {
    line += 1 + (row.name.match(/\n/g)?.length ?? 0);
    const number = row.number.replace(/\D/g, '').replace(/^00/, '');
    const first = lines.get(number);
    if (first !== undefined) duplicates.push([`${line}`, `Line ${first} has the same number.`]);
    else if (had.has(number)) duplicates.push([`${line}`, 'This number is already in the list.']);
    else list.set(number, row);
    if (first === undefined) lines.set(number, line);
  }
  return duplicates;
}

test('imports add of each number the first row, and report every other with its line', async () => {
  const place = fc.nat(40).map((at) => `6391700000${String(at).padStart(2, '0')}`);
  const number = fc
    .tuple(place, fc.constantFrom('', '+', '00', '\u0030\u0030'))
    .map(([digits, before]) => before + digits);
  const text = fc.constantFrom('', 'Ana', 'tab\tand\\N', 'back\\slash\\', 'two\nlines', 'é "x", 😀', '\\.', 'a\\tb');
  const row = fc.record({ number, name: text, param1: text.map((value) => value.replace('\n', ' ')) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(row, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 3 }),
      async (files) => {
        const list = await newList();
        const expected = new Map<string, Row>();
        for (const rows of files) {
          const before = expected.size;
          const duplicates = addToModel(expected, rows);
          const { row: ended, refused } = await run(list, fileOf(rows));
          assert.deepEqual(
            [ended.state, ended.rows_read, ended.rows_added, ended.rows_duplicate, ended.rows_rejected],
            ['done', rows.length, expected.size - before, duplicates.length, 0],
          );
          assert.deepEqual(
            refused.map(([line, , , reason]) => [line, reason]),
            duplicates,
          );
        }
        const stored = await numbersOf(list);
        assert.deepEqual(
          stored.map((each) => [each.number, each.name, each.param1]),
          [...expected]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([digits, { name, param1 }]) => [digits, name.trim() || null, param1.trim() || null]),
        );
        assert.equal(await countOf(list), expected.size);
        assert.equal(new Set(stored.map(({ id }) => id)).size, stored.length);
      },
    ),
    { numRuns: 25 },
  );
});

test('a number that a person adds meanwhile is counted as a duplicate', async () => {
  const list = await newList();
  const person = await pool.connect();
  await person.query('BEGIN');
  await person.query('INSERT INTO number_list_number (number_list_id, number) VALUES ($1, $2)', [list, '639170000005']);
  const id = await queued(
    list,
    fileOf([5, 6, 7].map((at) => ({ number: `63917000000${at}`, name: 'Ana', param1: '' }))),
  );
  const work = importNumbers(worker(), id, go);
  await until('the import waits for the person', async () => {
    const { rowCount } = await pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'COPY number_list_number%'",
    );
    return rowCount === 1;
  });
  await person.query('UPDATE number_list SET numbers_count = numbers_count + 1 WHERE id = $1', [list]);
  await person.query('COMMIT');
  person.release();
  await work;
  const { state, rows_added, rows_duplicate } = await importOf(id);
  assert.deepEqual([state, rows_added, rows_duplicate, await countOf(list)], ['done', 2, 1, 3]);
  assert.deepEqual(
    (await numbersOf(list)).map(({ name }) => name),
    [null, 'Ana', 'Ana'],
  );
});

test('a list loses its numbers when it is deleted, and none are added after that', async () => {
  const list = await newList();
  await run(list, 'number\n639170000001\n639170000002');
  const adding = await pool.connect();
  await adding.query('BEGIN');
  await adding.query('INSERT INTO number_list_number (number_list_id, number) VALUES ($1, $2)', [list, '639170000003']);
  const deleted = owner.deleteFrom('number_list').where('id', '=', list).execute();
  await until('the deletion waits for the new number', async () => {
    const { rowCount } = await pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ILIKE 'delete from%number_list%'",
    );
    return rowCount === 1;
  });
  await adding.query('COMMIT');
  adding.release();
  await deleted;
  assert.deepEqual(await numbersOf(list), []);
  await assert.rejects(
    pool.query('INSERT INTO number_list_number (number_list_id, number) VALUES ($1, $2)', [list, '639170000001']),
    { code: '23503', constraint: 'number_list_number_number_list_id_fkey' },
  );
  await assert.rejects(
    home
      .pool('worker')
      .query('INSERT INTO number_list_number_stored (number_list_id, number) VALUES ($1, $2)', [list, '1']),
    { code: '23503' },
  );
  const other = await newList();
  await run(other, 'number\n639170000001');
  await assert.rejects(pool.query('UPDATE number_list_number SET number_list_id = number_list_id + 1'));
});
