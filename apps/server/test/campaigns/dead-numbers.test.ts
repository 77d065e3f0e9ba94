import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { scheduleStage } from './schedule-stage.ts';
import { PRICE } from './stage.ts';

const { stage, stateOf, create } = await scheduleStage({ after });
const { home, owner } = stage;
const pool = home.pool('owner');
await pool.query("INSERT INTO number_source (name, driver) VALUES ('Dump', 'dump')");
const say = (msisdn: string, dead: boolean) =>
  pool.query(
    `INSERT INTO number_lookup (msisdn, number_source_id, dead) VALUES ($1, (SELECT id FROM number_source), $2)
     ON CONFLICT (msisdn) DO UPDATE SET dead = excluded.dead, looked_up_at = now()`,
    [msisdn, dead],
  );
const [dead, alive, unknown] = ['639170000001', '639170000002', '639170000003'];
await say(dead, true);
await say(alive, false);
const custom_numbers = [dead, alive, unknown].join();

test('a quote shows the cost of messages to dead numbers, which are sent by default', async () => {
  const quote = await stage.quote({ custom_numbers });
  assert.deepEqual(
    [quote.total_count, quote.rejected, quote.dead],
    [3, {}, { count: 1, parts: 1, cost: (PRICE / 1_000).toFixed(3) }],
  );
});

test('a campaign skips the dead numbers of its quote, whatever lookups say later', async () => {
  const quote = await stage.quote({ custom_numbers, skip_dead: true });
  assert.deepEqual([quote.total_count, quote.rejected, quote.dead?.cost], [2, { dead_number: 1 }, '0.350']);
  // The numbers change their fate between the quote and the messages.
  await say(dead, false);
  await say(alive, true);
  const { data } = (await create(quote)).body;
  await stage.prepare(data.id);
  assert.notEqual(await stateOf(data.id), 'rejected');
  const messages = await owner.selectFrom('message').select('msisdn').orderBy('msisdn').execute();
  assert.deepEqual(
    messages.map(({ msisdn }) => msisdn),
    [alive, unknown],
  );
});

test('nothing is skipped while no service for lookups is enabled', async () => {
  await say(dead, true);
  await pool.query('UPDATE number_source SET enabled = false');
  const quote = await stage.quote({ custom_numbers, skip_dead: true });
  assert.deepEqual([quote.total_count, quote.dead], [3, null]);
});
