import { knowRules } from '../apps/server/src/modules/audience/index.ts';
import { readFrozen } from '../apps/server/src/modules/campaigns/audience-source.ts';
import { freezeSegments } from '../apps/server/src/modules/campaigns/kept-segments.ts';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { prepareDatabase } from '../apps/server/src/processes/prepare-database.ts';
import { inHouse, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { openTenant } from './harness/tenant.ts';

// Measures segments over contacts with six values each: how long a count takes, the worst of three rules by the best of
// three runs, and how many rows a second an expansion makes: the contacts are noted for a quote and read again.

const MILLION = 1_000_000;
const { count } = readOptions({ count: MILLION });
const RUNS = 3;

await inHouse(async (house) => {
  await prepareDatabase(house.postgres.url);
  const config = readConnectedConfig({ DATABASE_URL: house.postgres.url, DATA_DIR: house.folder, LOG_LEVEL: 'warn' });
  const database = createDatabase(createPool(config, 'owner'));
  house.closing.push(() => database.destroy());
  const tenant = await openTenant(house.postgres.url, 9, 10);
  house.closing.push(() => tenant.client.end());
  const { corporation_id, user_id, billing_account_id } = tenant;
  const fields = await tenant.client.query<{ id: string; slot: string }>(
    `INSERT INTO contact_field (corporation_id, name, key, type, choices, slot)
     SELECT $1, key, key, type, CASE type WHEN 'choice' THEN '{Gold,Silver,Bronze,None}'::text[] ELSE '{}' END, slot
     FROM (VALUES ('level', 'choice', 'text_1'), ('town', 'text', 'text_2'), ('visits', 'number', 'number_1'),
       ('spent', 'number', 'number_2'), ('born', 'date', 'date_1'), ('member', 'yes_no', 'flag_1')) f(key, type, slot)
     RETURNING id, slot`,
    [corporation_id],
  );
  const idOf = (slot: string) => Number(fields.rows.find((field) => field.slot === slot)!.id);
  tell(`adding ${count.toLocaleString('en')} contacts`);
  await tenant.client.query(
    `INSERT INTO contact (corporation_id, number, name, tags, text_1, text_2, number_1, number_2, date_1, flag_1)
     SELECT $1, '639' || lpad(i::text, 9, '0'), 'Person ' || i, CASE WHEN i % 20 = 0 THEN '{vip}'::text[] ELSE '{}' END,
       (ARRAY['Gold', 'Silver', 'Bronze', 'None'])[1 + i % 4], 'Town ' || i % 500, i % 97, (i::bigint * 7919) % 100000,
       date '1950-01-01' + (i % 22000), i % 3 = 0
     FROM generate_series(1, $2::integer) AS i`,
    [corporation_id, count],
  );
  await tenant.client.query('VACUUM ANALYZE contact');
  const not = false;
  const rules = {
    choice_and_number: [
      { on: 'choice', field_id: idOf('text_1'), op: 'in', values: ['Gold', 'Silver'], not },
      { on: 'number', field_id: idOf('number_1'), op: 'above', value: 40, to: null, not },
    ],
    birthday_this_week: [{ on: 'date', field_id: idOf('date_1'), op: 'birthday', day: null, to: null, days: 3, not }],
    text_and_yes: [
      { on: 'text', field_id: idOf('text_2'), op: 'contains', value: 'town 4', not },
      { on: 'yes_no', field_id: idOf('flag_1'), op: 'yes', not: true },
    ],
  } as const;
  const ruleOf = (name: keyof typeof rules) => ({
    version: 1 as const,
    match: 'all' as const,
    rules: [...rules[name]],
  });
  const figures: { figure: string; value: number; unit: string }[] = [];
  for (const name of Object.keys(rules) as (keyof typeof rules)[]) {
    const [known] = await knowRules(database, corporation_id, [ruleOf(name) as never], new Date());
    const { sql, parameters } = known!.where.compile(database);
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < RUNS; run++) {
      const started = performance.now();
      await tenant.client.query(`SELECT count(*) FROM contact n WHERE ${sql}`, [...parameters]);
      best = Math.min(best, performance.now() - started);
    }
    figures.push({ figure: `count_${name}`, value: best / 1_000, unit: 's (10,000,000: under 2)' });
  }
  const names = { fields: {}, lists: {}, campaigns: {} };
  const content = { segments: [{ id: 1, name: 'Bench', rule: ruleOf('choice_and_number'), names }] };
  const quote = await database
    .insertInto('quote')
    .values({ corporation_id, user_id, billing_account_id, content: JSON.stringify(content) })
    .returningAll()
    .executeTakeFirstOrThrow();
  const started = performance.now();
  await freezeSegments(database, quote, new Date());
  const frozen = performance.now();
  let rows = 0;
  for await (const batch of readFrozen(database, { quote_id: quote.id, id: 1, name: 'Bench' })) rows += batch.length;
  const read = performance.now();
  report('segments', [
    ...figures,
    { figure: 'rows', value: rows, unit: '' },
    { figure: 'noted_rows_a_second', value: (rows * 1_000) / (frozen - started), unit: '/s' },
    { figure: 'read_rows_a_second', value: (rows * 1_000) / (read - frozen), unit: '/s' },
    { figure: 'expansion_rows_a_second', value: (rows * 1_000) / (read - started), unit: '/s (over 200,000)' },
  ]);
});
