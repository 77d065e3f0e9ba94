import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enqueueMessages } from '#modules/delivery';
import { createDatabase } from '#platform/database/db';
import { QualityJudge } from '../../src/modules/carrier-quality/judge-quality.ts';
import { UNIT_PRICE, until } from '../delivery/stage.ts';
import { type RoutedStage, routedStage, takenBy } from './routed-stage.ts';

const MOST = 60_000;
const numbers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => ({
    ...{
      msisdn: `63917${String(from + i).padStart(7, '0')}`,
      name: null,
      text: null,
      unicode: false,
      parts: 1,
      unit_price: UNIT_PRICE,
    },
  }));

/** Returns the number of parts that are queued on each link. */
async function queuedOn({ stage: s }: RoutedStage): Promise<Record<string, number>> {
  const { rows } = await s.owner.query<{ link_id: number; parts: number }>(
    'SELECT k.link_id, sum(m.parts)::int AS parts FROM chunk k JOIN message m ON m.id >> 10 = k.id GROUP BY 1',
  );
  return Object.fromEntries(rows.map(({ link_id, parts }) => [link_id, parts]));
}

test('two processes together never queue more for a link than its cap', async (t) => {
  const r = await routedStage(t);
  const s = r.stage;
  const a = await s.addLink({ name: 'A', port: 1 });
  const b = await s.addLink({ name: 'B', port: 1 });
  await r.route([
    [a, 1],
    [b, 2],
  ]);
  await s.owner.query('INSERT INTO link_limit (link_id, commitment, cap) VALUES ($1, 100, 403)', [a]);
  const shared = { ...s.shared(), class: 'transactional' as const };
  const queue = (count: number, from: number, fails = false) =>
    s
      .transaction(async (client) => {
        for (let i = 0; i < count; i += 7) await enqueueMessages(client, shared, numbers(7, from + i));
        if (fails) throw new Error('rolled back');
      })
      .catch((error: Error) => assert.equal(error.message, 'rolled back'));
  await queue(350, 0, true);
  assert.deepEqual(await queuedOn(r), {}, 'what a transaction took returns with it');
  await Promise.all(Array.from({ length: 12 }, (_, i) => queue(70, i * 1_000, i % 4 === 3)));
  const queued = await queuedOn(r);
  assert.ok(queued[a]! <= 403, `${queued[a]} on the capped link`);
  assert.ok(queued[a]! > 250, `${queued[a]} on the capped link`);
  assert.equal(queued[a]! + queued[b]!, 9 * 70);
  const { used } = await s.one<{ used: number }>('SELECT sum(used)::int AS used FROM link_day WHERE link_id = $1', [a]);
  assert.equal(used, queued[a], 'the count is exact');
  // A lower cap counts for what is queued from then on; a higher one gives room again.
  await s.owner.query('UPDATE link_limit SET cap = 100 WHERE link_id = $1', [a]);
  await queue(70, 100_000);
  assert.equal((await queuedOn(r))[a], queued[a]);
  await s.owner.query('UPDATE link_limit SET cap = $2 WHERE link_id = $1', [a, queued[a]! + 50]);
  await queue(70, 200_000);
  const full = (await queuedOn(r))[a]!;
  assert.ok(full > queued[a]! && full <= queued[a]! + 50, String(full));
});

test('without any other link, messages beyond a cap are refused and not queued', async (t) => {
  const r = await routedStage(t);
  const s = r.stage;
  const a = await s.addLink({ name: 'A', port: 1 });
  await r.route([[a, 1]]);
  await s.owner.query('INSERT INTO link_limit (link_id, cap) VALUES ($1, 20)', [a]);
  const shared = { ...s.shared(), class: 'transactional' as const };
  const queue = (count: number) => s.transaction((client) => enqueueMessages(client, shared, numbers(count)));
  await queue(20);
  await assert.rejects(queue(1), { code: 'no_route' });
  assert.deepEqual(await queuedOn(r), { [a]: 20 });
});

test('a decline moves messages, a trial brings them back, and none is sent twice', async (t) => {
  const r = await routedStage(t);
  const s = r.stage;
  const [first, second] = [await s.simulator(), await s.simulator()];
  const a = await s.addLink({ name: 'A', port: first.smppPort, rate: 40, window_size: 10 });
  const b = await s.addLink({ name: 'B', port: second.smppPort });
  await r.route(
    [
      [a, 1],
      [b, 2],
    ],
    { avoid_declined: true },
  );
  const database = createDatabase(s.owner);
  const judge = () =>
    new QualityJudge({ database, log: { warn() {} }, clock: { now: () => new Date() } } as never).judge();
  /** Makes what was recorded older, and the present state older still, so that a trial can be judged. */
  const age = async (slots: string, since = slots) => {
    await s.owner.query('UPDATE carrier_quality SET slot = slot - $1::interval', [slots]);
    await s.owner.query('UPDATE carrier_quality_now SET since = since - $1::interval', [since]);
  };
  const stateOf = async () =>
    (
      await s.owner.query<{ state: string }>('SELECT DISTINCT state FROM carrier_quality_now WHERE link_id = $1', [a])
    ).rows.map(({ state }) => state);
  const delivered = async () => (await s.states())['delivered'] ?? 0;
  const senders = [await s.sender(), await s.sender()];

  // A history of good delivery, then messages whose receipts say undeliverable.
  await r.campaign(150, '639171');
  await until('the history is delivered', async () => (await delivered()) === 150, MOST);
  await s.owner.query(
    `UPDATE carrier_quality SET accepted = accepted * 10, delivered = delivered * 10, slot = slot - interval '3 hours'`,
  );
  await judge();
  assert.deepEqual(await stateOf(), ['good']);
  await s.campaign(
    Array.from({ length: 80 }, (_, i) => ({ msisdn: `63917${String(i).padStart(3, '0')}9903` })),
    { shared: { link_id: a } },
  );
  await until('the carrier fails them', async () => ((await s.states())['failed_other'] ?? 0) === 80, MOST);
  await r.campaign(2_000, '639172');
  await until('some of a large campaign have left', () => takenBy(first).length > 260, MOST);
  await age('20 minutes');
  await judge();
  assert.deepEqual(await stateOf(), ['declined']);
  await senders[0]!.stop();
  await until('the rest has moved and is delivered', async () => (await delivered()) === 2_150, MOST);
  assert.ok(takenBy(second).length > 500, `${takenBy(second).length} moved`);

  const before = takenBy(first).length;
  await r.campaign(300, '639173');
  await until('new messages go the other way', async () => (await delivered()) === 2_450, MOST);
  assert.equal(takenBy(first).length, before);

  await age('22 minutes');
  await judge();
  assert.deepEqual(await stateOf(), ['trial']);
  await r.campaign(2_500, '639174');
  await until('the trial is delivered', async () => (await delivered()) === 4_950, MOST);
  assert.equal(takenBy(first).length - before, 50, 'one of fifty');
  await age('24 minutes', '40 minutes');
  await judge();
  assert.deepEqual(await stateOf(), ['good']);
  const back = takenBy(first).length;
  await r.campaign(40, '639175');
  await until('messages are back', async () => (await delivered()) === 4_990, MOST);
  assert.equal(takenBy(first).length, back + 40);

  const all = [...takenBy(first), ...takenBy(second)];
  assert.equal(new Set(all).size, all.length, 'no message is with a carrier twice');
  const { rows } = await s.owner.query<{ state: string }>(
    'SELECT state FROM carrier_quality_decision WHERE link_id = $1 ORDER BY id',
    [a],
  );
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['declined', 'trial', 'good'],
  );
  const { count } = await s.one<{ count: number }>(
    `SELECT count(*)::int AS count FROM activity_log WHERE subject_type = 'links' AND description LIKE 'quality %'`,
  );
  assert.equal(count, 3, 'each decision is in the activity log');
});
