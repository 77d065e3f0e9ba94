import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type SegmentRule, segmentRule } from '@heliograph/contract/audience/segment-rule';
import fc from 'fast-check';
import { sql } from 'kysely';
import { compileRule, type SegmentScope } from '../../src/modules/audience/segment-sql.ts';
import { startTestApi } from '../test-api.ts';
import { finds, type Person, person, ruleOf, TODAY } from './segment-trees.ts';

const api = await startTestApi({ after });
const db = api.database.db('worker');
const corporation_id = (
  await db.selectFrom('corporation').select('id').where('name', '=', 'Acme Retail').executeTakeFirstOrThrow()
).id;

const ids = { town: 1, level: 2, visits: 3, born: 4, member: 5 };
const scope: SegmentScope = {
  corporation_id,
  slots: new Map([
    [ids.town, 'text_18'],
    [ids.level, 'text_19'],
    [ids.visits, 'number_9'],
    [ids.born, 'date_9'],
    [ids.member, 'flag_9'],
  ]),
  timezone: 'Asia/Manila',
  today: TODAY,
};

const people = fc.sample(person, { numRuns: 400, seed: 1 });
const numberOf = (place: number) => String(639_990_000_000 + place);
await api.database.pool('owner').query(
  `INSERT INTO contact (corporation_id, number, name, tags, text_18, text_19, number_9, date_9, flag_9)
   SELECT $1, r.number, r.name, ARRAY(SELECT jsonb_array_elements_text(r.tags)), r.town, r.level, r.visits, r.born, r.member
   FROM jsonb_to_recordset($2) AS r(number text, name text, tags jsonb, town text, level text, visits float8, born date, member boolean)`,
  [corporation_id, JSON.stringify(people.map((who, place) => ({ number: numberOf(place), ...who })))],
);

// At noon in UTC, so that each falls on its day.
await api.database.pool('owner').query(
  `INSERT INTO conversion (corporation_id, reference_hash, name, happened_at, contact_id)
   SELECT $1, 'h' || row_number() OVER (), r.name, ($3::date - r.ago)::timestamp AT TIME ZONE 'UTC' + interval '12 hours', n.id
   FROM jsonb_to_recordset($2) AS r(number text, name text, ago integer) JOIN contact n ON n.corporation_id = $1 AND n.number = r.number`,
  [
    corporation_id,
    JSON.stringify(
      people.flatMap(({ conversions }, place) => conversions.map((each) => ({ number: numberOf(place), ...each }))),
    ),
    TODAY,
  ],
);

async function found(rule: SegmentRule): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`SELECT n.number FROM contact n
    WHERE n.corporation_id = ${corporation_id} AND n.number LIKE '63999%' AND ${compileRule(rule, scope)}
    ORDER BY n.number`.execute(db);
  return rows.map(({ number }) => number);
}
const expected = (rule: SegmentRule) =>
  people.flatMap((who: Person, place) => (finds(rule, who, ids) ? [numberOf(place)] : []));

test('a compiled rule finds whom the words of the rule find, without values too', async () => {
  await fc.assert(
    fc.asyncProperty(ruleOf(ids), async (rule) => assert.deepEqual(await found(rule), expected(rule))),
    { numRuns: 300 },
  );
});

const HOSTILE = [
  "'; DROP TABLE contact; --",
  "' OR '1'='1",
  '") OR TRUE --',
  '$1',
  '\\',
  "\\'",
  '$1 {n.number}',
  '{}',
  '"',
  'n.name',
  '%',
  '?',
];

test('hostile values are compared as texts and change nothing', async () => {
  const before = await api.database.pool('owner').query('SELECT count(*) FROM contact');
  await fc.assert(
    fc.asyncProperty(
      ruleOf(
        ids,
        fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' })),
      ),
      async (rule) => assert.deepEqual(await found(rule), expected(rule)),
    ),
    { numRuns: 200 },
  );
  assert.deepEqual((await api.database.pool('owner').query('SELECT count(*) FROM contact')).rows, before.rows);
});

test('the SQL text of a rule depends on its form only and holds no value', () => {
  const mark = 'Zq7mark';
  fc.assert(
    fc.property(ruleOf(ids, fc.constant(mark)), (rule) => {
      const text = compileRule(rule, scope).compile(db).sql;
      assert.ok(!text.includes(mark));
      const others = JSON.parse(JSON.stringify(rule).replaceAll(mark, "x'y"), (key, value: unknown) =>
        key === 'days' && value !== null ? 3 : key === 'value' && typeof value === 'number' ? 77 : value,
      ) as SegmentRule;
      assert.equal(compileRule(others, scope).compile(db).sql, text);
    }),
    { numRuns: 500 },
  );
});

test('a field outside the table of columns is refused before any SQL is made', () => {
  const of = (slot: string) => () =>
    compileRule(
      { match: 'all', rules: [{ on: 'yes_no', field_id: 1, op: 'yes', not: false }] },
      { ...scope, slots: new Map([[1, slot]]) },
    );
  for (const slot of ['corporation_id', 'text_1 OR TRUE', 'number', 'flag_1; --']) assert.throws(of(slot));
  assert.doesNotThrow(of('flag_1'));
});

test('a rule has at most 50 conditions, and groups within each other at most 5 times', () => {
  const tag = { on: 'tag', tag: 'vip' };
  const many = (count: number) => ({
    match: 'any',
    rules: [{ on: 'group', match: 'any', rules: Array(count).fill(tag) }, tag],
  });
  assert.equal(segmentRule.safeParse(many(49)).success, true);
  assert.equal(segmentRule.safeParse(many(50)).success, false);
  const deep = (groups: number): object =>
    groups === 1 ? { match: 'all', rules: [tag] } : { match: 'all', rules: [{ on: 'group', ...deep(groups - 1) }] };
  assert.equal(segmentRule.safeParse(deep(5)).success, true);
  assert.equal(segmentRule.safeParse(deep(6)).success, false);
  assert.equal(segmentRule.safeParse({ match: 'all', rules: [] }).success, false);
  const lacking = segmentRule.safeParse({
    match: 'all',
    rules: [{ on: 'number', field_id: 1, op: 'between', value: 1 }],
  });
  assert.deepEqual(lacking.error?.issues[0]?.path, ['rules', 0, 'to']);
});
