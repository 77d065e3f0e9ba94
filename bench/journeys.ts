import { OwnIntake } from '../apps/server/src/modules/intake/index.ts';
import { JourneyClock } from '../apps/server/src/modules/journeys/clock.ts';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { prepareDatabase } from '../apps/server/src/processes/prepare-database.ts';
import { inHouse, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { openTenant } from './harness/tenant.ts';

// Measures journeys by one worker: people enter by a segment, the rest is put behind them by a statement, and then some are led
// on while all others wait. Each
// of the led ones passes a wait, a condition, a split, a change of the contact and a message, and begins a wait again.

const MILLION = 1_000_000;
const { people, entering, led } = readOptions({ people: MILLION, entering: 50_000, led: 60_000 });

await inHouse(async (house) => {
  await prepareDatabase(house.postgres.url);
  const config = readConnectedConfig({ DATABASE_URL: house.postgres.url, DATA_DIR: house.folder, LOG_LEVEL: 'warn' });
  const tenant = await openTenant(house.postgres.url, 9, 10);
  house.closing.push(() => tenant.client.end());
  const { client, corporation_id, user_id, billing_account_id } = tenant;
  const one = async (text: string, values: unknown[]) => Number((await client.query(text, values)).rows[0].id);
  tell(`adding ${people.toLocaleString('en')} contacts`);
  await client.query(
    `INSERT INTO contact (corporation_id, number, name, tags)
     SELECT $1, '639' || lpad(i::text, 9, '0'), 'Person ' || i, CASE WHEN i % 2 = 0 THEN '{vip}'::text[] ELSE '{}' END
       || CASE WHEN i <= $3 THEN '{all}'::text[] ELSE '{}' END
     FROM generate_series(1, $2::integer) AS i`,
    [corporation_id, people, entering],
  );
  await client.query('VACUUM ANALYZE contact');
  const segmentOf = (tag: string) =>
    one('INSERT INTO segment (corporation_id, name, rule) VALUES ($1, $2, $3) RETURNING id', [
      corporation_id,
      tag,
      JSON.stringify({ version: 1, match: 'all', rules: [{ on: 'tag', tag, not: false }] }),
    ]);
  const [all, vip] = [await segmentOf('all'), await segmentOf('vip')];
  const sender = await one("INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, 'Bench') RETURNING id", [
    corporation_id,
  ]);
  // Messages need a person of the corporation.
  await client.query('UPDATE user_account SET corporation_id = $1, scope_level = 2 WHERE id = $2', [
    corporation_id,
    user_id,
  ]);
  const definition = {
    form: 1,
    trigger: { on: 'segment', segment_id: all },
    again_days: null,
    steps: [
      { id: 1, do: 'wait', count: 30, unit: 'days' },
      {
        id: 2,
        do: 'condition',
        segment_id: vip,
        yes: [{ id: 3, do: 'tag', tag: 'asked', add: true }],
        no: [{ id: 4, do: 'tag', tag: 'passed', add: true }],
      },
      {
        id: 5,
        do: 'split',
        branches: [
          { share: 50, steps: [] },
          { share: 50, steps: [] },
        ],
      },
      { id: 6, do: 'message', sender_id: sender, text: 'Hello {name}, thank you', nameless: 'friend' },
      { id: 7, do: 'wait', count: 30, unit: 'days' },
    ],
  };
  const journey = await one(
    `INSERT INTO journey (corporation_id, name, definition, state, run_by, billing_account_id)
     VALUES ($1, 'Bench', $2, 'running', $3, $4) RETURNING id`,
    [corporation_id, definition, user_id, billing_account_id],
  );
  await client.query(
    `WITH v AS (INSERT INTO journey_version (journey_id, corporation_id, number, definition, rules)
       SELECT $1, $2, 1, $3, jsonb_object_agg(id, rule) FROM segment RETURNING id)
     UPDATE journey SET version_id = (SELECT id FROM v) WHERE id = $1`,
    [journey, corporation_id, definition],
  );
  const pool = createPool(config, 'worker');
  const piped = createPool(config, 'worker', { max: 2, pipeline: true });
  const clock = { now: () => new Date() };
  const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench');
  const intake = new OwnIntake(piped, { clock, log, ownHosts: [], installationKey: () => Buffer.alloc(32) });
  const journeys = new JourneyClock({ database: createDatabase(pool), clock, log, watch: undefined, intake });
  house.closing.push(async () => {
    await intake.close();
    await Promise.all([pool.end(), piped.end()]);
  });
  tell('entering, each into the first wait');
  const began = performance.now();
  const entered = await journeys.look();
  const enteredIn = (performance.now() - began) / 1_000;
  await client.query(
    `INSERT INTO journey_person (journey_id, number, corporation_id, version_id, step, due_at, entered_at)
     SELECT $1, n.number, n.corporation_id, v.id, -1, now() + interval '30 days', now() FROM contact n, journey_version v
     ON CONFLICT DO NOTHING`,
    [journey],
  );
  tell(`${people.toLocaleString('en')} people under way; leading ${led.toLocaleString('en')} of them on`);
  await client.query('VACUUM ANALYZE journey_person');
  const steps = () =>
    client.query('SELECT coalesce(sum(passed), 0)::float8 AS passed, sum(sent)::float8 AS sent FROM journey_step');
  await client.query(
    `UPDATE journey_person SET due_at = now() WHERE number IN (SELECT number FROM journey_person ORDER BY md5(number) LIMIT $1)`,
    [led],
  );
  const before = (await steps()).rows[0];
  const cpu = process.cpuUsage();
  const started = performance.now();
  const moved = await journeys.look();
  const seconds = (performance.now() - started) / 1_000;
  const used = process.cpuUsage(cpu);
  const after = (await steps()).rows[0];
  const [{ waiting }] = (
    await client.query('SELECT count(*)::float8 AS waiting FROM journey_person WHERE due_at > now()')
  ).rows;
  report('journeys', [
    { figure: 'people_under_way', value: waiting, unit: '' },
    { figure: 'entered_a_second', value: entered / enteredIn, unit: '/s' },
    { figure: 'people_led_a_second', value: moved / seconds, unit: '/s' },
    { figure: 'steps_a_second', value: (after.passed - before.passed) / seconds, unit: '/s (over 5,000)' },
    { figure: 'messages_a_second', value: (after.sent - before.sent) / seconds, unit: '/s' },
    { figure: 'worker_processor', value: ((used.user + used.system) / 1_000_000 / seconds) * 100, unit: '% of a core' },
  ]);
});
