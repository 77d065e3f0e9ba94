import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChunkContext } from '../../src/modules/delivery/segment.ts';
import { commitIntents } from '../../src/modules/delivery/sending/intents.ts';
import { holdLanes } from '../../src/modules/delivery/sending/lanes.ts';
import { numbers, until } from '../delivery/stage.ts';
import { type RoutedStage, routedStage, takenBy } from './routed-stage.ts';

// Real carriers over real SMPP. The messages that they took are the truth.

const MOST = 60_000;
const WINDOW = 20;

/** Returns the number of messages in state delivered. */
const delivered = async ({ stage: s }: RoutedStage) => (await s.states())['delivered'] ?? 0;

async function healthOf({ stage: s }: RoutedStage, linkId: number): Promise<string | undefined> {
  const { rows } = await s.owner.query<{ state: string }>('SELECT state FROM link_health_row WHERE link_id = $1', [
    linkId,
  ]);
  return rows[0]?.state;
}

const isUp = (r: RoutedStage, linkId: number) => async () => (await healthOf(r, linkId)) === 'up';

function assertOnce(...logs: string[][]): string[] {
  const all = logs.flat();
  assert.equal(new Set(all).size, all.length, 'no message is with a carrier twice');
  return all;
}

describe('messages of a link that cannot take them go to the next link of the route', {
  concurrency: true,
}, () => {
  test('when its carrier goes away; and without any link messages wait', async (t) => {
    const r = await routedStage(t);
    const s = r.stage;
    const [first, second] = [await s.simulator(), await s.simulator()];
    const a = await s.addLink({ name: 'A', port: first.smppPort, rate: 100, window_size: WINDOW });
    const b = await s.addLink({ name: 'B', port: second.smppPort, enabled: false });
    await r.route([
      [a, 1],
      [b, 2],
    ]);
    await s.sender();
    await until('the link is seen to be up', isUp(r, a), MOST);
    await r.campaign(1_500, '63917', { class: 'bulk' });
    await r.campaign(300, '63918', { class: 'otp' });
    await until('the first carrier has some', () => takenBy(first).length >= 50, MOST);
    await first.stop();
    await until('the link is seen to be down', async () => (await healthOf(r, a)) === 'down', MOST);
    const before = await s.states();
    await sleep(1_500);
    // The last answers of the lost carrier may still return messages to those that wait.
    assert.ok((await s.states())['pending']! >= before['pending']!, 'with all links away messages wait');
    await s.owner.query('UPDATE link SET enabled = true WHERE id = $1', [b]);
    const waiting = `SELECT (SELECT count(*) FROM chunk WHERE state = 'open') + (SELECT count(*) FROM retry) AS count`;
    await until(
      'the second has taken the rest',
      async () =>
        takenBy(first).length + takenBy(second).length >= 1_800 - WINDOW &&
        (await s.one<{ count: number }>(waiting)).count === 0,
      MOST,
    );
    // The carrier may have taken the messages that were on their way when it went away, so they are not sent again.
    // Only one-time codes with an unknown result are sent once more.
    const twice = takenBy(second).filter((number) => takenBy(first).includes(number));
    assert.ok(twice.length <= WINDOW, String(twice.length));
    assert.ok(
      twice.every((number) => number.startsWith('63918')),
      'nothing but codes is with a carrier twice',
    );
    const all = assertOnce(
      takenBy(first),
      takenBy(second).filter((number) => !twice.includes(number)),
    );
    assert.ok(all.length >= 1_800 - WINDOW, String(all.length));
    assert.match(takenBy(second)[0]!, /^63918/, 'codes went first');
  });

  test('when its carrier throttles nearly everything', async (t) => {
    const r = await routedStage(t);
    const s = r.stage;
    const [first, second] = [await s.simulator({ settings: { rate: 1 } }), await s.simulator()];
    const a = await s.addLink({ name: 'A', port: first.smppPort });
    const b = await s.addLink({ name: 'B', port: second.smppPort });
    await r.route([
      [a, 1],
      [b, 2],
    ]);
    await s.sender();
    await until('both are up', async () => (await isUp(r, a)()) && (await isUp(r, b)()), MOST);
    await r.campaign(800, '63917');
    await until('all are delivered', async () => (await delivered(r)) === 800, MOST);
    const all = assertOnce(takenBy(first), takenBy(second));
    assert.equal(all.length, 800);
    assert.ok(takenBy(second).length > 700, String(takenBy(second).length));
  });

  test('when its carrier refuses the bind, and by weights among the next links', async (t) => {
    const r = await routedStage(t);
    const s = r.stage;
    const first = await s.simulator({ settings: { accounts: { nobody: 'x' } } });
    const [second, third] = [await s.simulator(), await s.simulator()];
    const a = await s.addLink({ name: 'A', port: first.smppPort });
    const b = await s.addLink({ name: 'B', port: second.smppPort });
    const c = await s.addLink({ name: 'C', port: third.smppPort });
    const d = await s.addLink({ name: 'D', port: first.smppPort });
    await r.route([
      [a, 1],
      [b, 2, 3],
      [c, 2, 1],
    ]);
    const deleted = await r.route([[d, 1]], { prefix: '63999' });
    await r.campaign(8_000, '63917');
    await r.campaign(10, '63999');
    await s.owner.query('DELETE FROM carrier_route WHERE id = $1', [deleted]);
    await s.sender();
    await until('all are delivered', async () => (await delivered(r)) === 8_000, MOST);
    assertOnce(takenBy(second), takenBy(third));
    assert.deepEqual([takenBy(first).length, takenBy(second).length, takenBy(third).length], [0, 6_000, 2_000]);
    assert.equal((await s.states())['pending'], 10, 'what came by a route that is gone stays where it is');
  });
});

test('a chunk that was moved to another link is refused to its former link', async (t) => {
  const { stage: s } = await routedStage(t);
  const [a, b] = [await s.addLink({ name: 'A', port: 9 }), await s.addLink({ name: 'B', port: 9 })];
  const pool = s.database.pool('sender');
  const [ofA, ofB] = [await holdLanes(pool, a, 'h'), await holdLanes(pool, b, 'h')];
  assert.deepEqual(ofA, ofB, 'by their fences alone the two could not be told apart');
  // Both lanes are held to the end, even on a slow machine.
  await s.owner.query(`UPDATE lane SET expires_at = now() + interval '1 hour'`);
  const campaign = await s.campaign(numbers(10), { shared: { link_id: a } });
  const { id } = await s.one<{ id: number }>('SELECT id FROM chunk WHERE campaign_id = $1', [campaign.id]);
  const chunk = { id, class: 'bulk' } as ChunkContext;
  const client = await pool.connect();
  s.closing.push(async () => client.release());
  const commit = async (link: number, from: number) => {
    const slice = { chunk, from, messages: Array(2).fill({}), parts: 2 };
    return (await commitIntents(client as never, link, [slice], 'h', ofA!)).committed.length;
  };
  assert.equal(await commit(a, 0), 1);
  await s.owner.query('UPDATE chunk SET link_id = $2 WHERE id = $1', [id, b]);
  assert.equal(await commit(a, 2), 0, 'it is not the link of the chunk any more');
  assert.equal(await commit(b, 2), 1);
});
