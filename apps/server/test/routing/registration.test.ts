import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reconcile } from '#modules/billing';
import { moveUnregistered } from '#modules/delivery';
import { logOf, until } from '../delivery/stage.ts';
import { watchStandstill } from '../standstill.ts';
import { type RoutedStage, routedStage, takenBy } from './routed-stage.ts';

// Real carriers over real SMPP: what they took is the truth.

const RESPECTED_AFTER_MS = 1_000;
const MOST = 60_000;

const health = async ({ stage: s }: RoutedStage, linkId: number) =>
  (await s.owner.query<{ state: string }>('SELECT state FROM link_health_row WHERE link_id = $1', [linkId])).rows[0]
    ?.state;

/** Adds a sender ID of the stage's corporation that is registered with the links. */
async function registered({ stage: s }: RoutedStage, name: string, ...links: number[]): Promise<number> {
  const { id } = await s.one<{ id: number }>(
    'INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, $2) RETURNING id',
    [s.corporationId, name],
  );
  for (const link of links)
    await s.owner.query(
      `INSERT INTO sender_registration (sender_id_id, link_id, state) VALUES ($1, $2, 'registered')`,
      [id, link],
    );
  return id;
}

describe('registrations with carriers', { concurrency: true }, () => {
  test('nothing leaves by a link after a registration ended; the rest moves or ends', async (t) => {
    const r = await routedStage(t);
    const s = r.stage;
    const [first, second] = [await s.simulator(), await s.simulator()];
    const a = await s.addLink({ name: 'A', port: first.smppPort, rate: 100, window_size: 20, asks_registration: true });
    const b = await s.addLink({ name: 'B', port: second.smppPort });
    const both = [
      [a, 1],
      [b, 2],
    ] as const;
    await r.route(both, { prefix: '63917' });
    await r.route([[a, 1]], { prefix: '63918' });
    const acme = await registered(r, 'Acme', a);
    await registered(r, 'Lanterns', a);
    await s.sender();
    const standstill = watchStandstill(t);
    await until('the links are up', async () => (await health(r, a)) === 'up' && (await health(r, b)) === 'up', MOST);
    await r.campaign(600, '63917');
    await r.campaign(50, '63917555', { sender_id: 'Lanterns' });
    await r.loose(120, '63918');
    // A campaign that waits for its hour has no other moment at which its link is chosen.
    await r.campaign(10, '63917777');
    await s.owner.query(
      `UPDATE chunk SET state = 'held', not_before = now() + interval '5 s' WHERE id = (SELECT max(id) FROM chunk)`,
    );
    await until('some were sent', () => takenBy(first).length >= 40, MOST);
    await s.transaction(async (client) => {
      await client.query(`UPDATE sender_registration SET state = 'ended' WHERE sender_id_id = $1`, [acme]);
      await moveUnregistered(client, a, s.corporationId);
    });
    const ended = Date.now();
    const { link_id } = await s.one<{ link_id: number }>('SELECT link_id FROM chunk ORDER BY id DESC LIMIT 1');
    assert.equal(link_id, b, 'the waiting campaign has moved');
    await s.owner.query(`UPDATE chunk SET state = 'open', not_before = NULL WHERE state = 'held'`);
    await until(
      'all have an end',
      async () => {
        const { delivered = 0, blocked = 0 } = await s.states();
        return delivered + blocked === 780;
      },
      MOST,
    );
    const late = logOf(first).filter(
      ({ received_at, from }) => from === 'Acme' && Date.parse(received_at) > ended + RESPECTED_AFTER_MS + standstill(),
    );
    assert.deepEqual(late, []);
    const blocked = (which: string) =>
      s.one<{ count: number }>(
        `SELECT count(*) AS count FROM message_row WHERE state = 'blocked' AND error_code = 'sender_not_registered' AND number LIKE $1`,
        [which],
      );
    assert.ok((await blocked('63918%')).count > 0, 'messages without another link are ended');
    const lost = (await blocked('63917%')).count;
    assert.ok(lost <= 40, `at most what was on its way: ${lost}`);
    assert.equal(takenBy(second).filter((to) => to.startsWith('63917777')).length, 10);
    assert.equal(takenBy(first).filter((to) => to.startsWith('63917555')).length, 50, 'others stay');
    const taken = [...takenBy(first), ...takenBy(second)];
    assert.equal(new Set(taken).size, taken.length, 'no message left twice');
    assert.equal((await s.states())['delivered'], taken.length);
    assert.equal((await s.account()).reserved, 0, 'the money of ended messages is released');
    assert.deepEqual(await reconcile(s.owner), []);
  });

  test('nothing leaves to a network that was taken from a registration', async (t) => {
    const r = await routedStage(t);
    const s = r.stage;
    const first = await s.simulator();
    const a = await s.addLink({ name: 'A', port: first.smppPort, rate: 100, window_size: 20, asks_registration: true });
    await r.route([[a, 1]]);
    const acme = await registered(r, 'Acme', a);
    const network = async (name: string) =>
      (await s.one<{ id: number }>("SELECT id FROM network WHERE country = 'PH' AND name = $1", [name])).id;
    const smart = await network('Smart');
    await r.campaign(200, '63917');
    await r.campaign(200, '63918');
    // Numbers of the other network that were ported to the one that stays.
    await r.loose(20, '63917');
    await s.owner.query(
      `UPDATE chunk SET ported = (SELECT array_agg(v ORDER BY p, o) FROM generate_series(0, size - 1) p
         CROSS JOIN LATERAL (VALUES (0, p::bigint), (1, $1::bigint)) AS x (o, v))
       WHERE campaign_id IS NULL`,
      [smart],
    );
    await s.transaction(async (client) => {
      await client.query('UPDATE sender_registration SET network_ids = ARRAY[$2::bigint] WHERE sender_id_id = $1', [
        acme,
        smart,
      ]);
      await moveUnregistered(client, a, s.corporationId);
    });
    await s.sender();
    await until(
      'all have an end',
      async () => {
        const { delivered = 0, blocked = 0 } = await s.states();
        return delivered + blocked === 420;
      },
      MOST,
    );
    assert.deepEqual(await s.states(), { delivered: 220, blocked: 200 });
    const { count } = await s.one<{ count: number }>(
      `SELECT count(*) AS count FROM message_row WHERE state = 'blocked' AND error_code = 'sender_not_registered' AND number LIKE '63917%'`,
    );
    assert.equal(count, 200);
    assert.equal((await s.account()).reserved, 0, 'the money of ended messages is released');
  });

  test('messages of a link that is down go only to links that know their sender ID', async (t) => {
    const r = await routedStage(t);
    const s = r.stage;
    const [first, second, third] = [await s.simulator(), await s.simulator(), await s.simulator()];
    const a = await s.addLink({ name: 'A', port: first.smppPort, rate: 50, window_size: 20 });
    const b = await s.addLink({ name: 'B', port: second.smppPort, asks_registration: true });
    const c = await s.addLink({ name: 'C', port: third.smppPort, asks_registration: true });
    await r.route([
      [a, 1],
      [b, 2],
      [c, 3],
    ]);
    await registered(r, 'Acme', c);
    await registered(r, 'Lanterns');
    await s.sender();
    await until('the links are up', async () => (await health(r, a)) === 'up' && (await health(r, c)) === 'up', MOST);
    await r.campaign(1_000, '63917');
    await r.campaign(1_000, '63918', { sender_id: 'Lanterns' });
    await until('some were sent', () => takenBy(first).length >= 20, MOST);
    await s.owner.query('UPDATE link SET enabled = false WHERE id = $1', [a]);
    await until(
      'the registered ones are sent',
      async () => {
        const { open } = await s.one<{ open: number }>(
          `SELECT count(*) AS open FROM message_row WHERE sender_id = 'Acme' AND state = 'pending'`,
        );
        return open === 0;
      },
      MOST,
    );
    assert.deepEqual(takenBy(second), []);
    assert.ok(takenBy(third).length > 0);
    assert.ok(takenBy(third).every((to) => to.startsWith('63917')));
    const { waiting } = await s.one<{ waiting: number }>(
      `SELECT count(*) AS waiting FROM message_row WHERE sender_id = 'Lanterns' AND state = 'pending'`,
    );
    assert.ok(waiting > 0, 'the others wait for their link');
  });
});
