import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChunkContext } from '../../src/modules/delivery/segment.ts';
import { commitIntents } from '../../src/modules/delivery/sending/intents.ts';
import { holdLanes } from '../../src/modules/delivery/sending/lanes.ts';
import { createPool } from '../../src/platform/database/db.ts';
import { ownPort } from '../own-port.ts';
import { logOf, numbers, stage, until } from './stage.ts';

// Kills in the middle of the work are tested in test/faults/kills.test.ts.

test('messages wait for a carrier that is down at the start, and leave when it is up', async (t) => {
  const s = await stage(t);
  const port = await ownPort();
  await s.addLink({ port });
  await s.sender();
  const campaign = await s.campaign(numbers(50));
  await until('the sender has tried', async () => (await s.counters(campaign.id)).processed === 0);
  await s.simulator({ smppPort: port });
  await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 50, 60_000);
});

test('one of two senders holds the link, and the other takes over when it stops', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort });
  const first = await s.sender();
  await s.sender();
  const campaign = await s.campaign(numbers(100));
  await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 100);
  assert.equal(simulator.counts().binds, 1);
  await first.stop();
  const next = await s.campaign(numbers(100));
  await until('the other has delivered', async () => (await s.counters(next.id)).delivered === 100);
  assert.equal(logOf(simulator).length, 200);
});

test('a lane has one holder, and a former holder’s intents are refused', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 9 });
  const campaign = await s.campaign(numbers(10));
  const pool = s.database.pool('sender');
  const a = await holdLanes(pool, s.linkId, 'a');
  assert.ok(a);
  assert.equal(await holdLanes(pool, s.linkId, 'b'), undefined);
  assert.deepEqual(await holdLanes(pool, s.linkId, 'a'), a, 'a renewal keeps the fence');
  // Lets a lease end only where this test ends it, even on a slow machine.
  const lasting = () => s.owner.query(`UPDATE lane SET expires_at = now() + interval '1 hour'`);
  await lasting();

  const { id } = await s.one<{ id: number }>('SELECT id FROM chunk WHERE campaign_id = $1', [campaign.id]);
  const chunk = { id, class: 'bulk' } as ChunkContext;
  const client = await pool.connect();
  s.closing.push(async () => client.release());
  const slice = (from: number) => ({ chunk, from, messages: Array(2).fill({}), parts: 2 });
  assert.equal((await commitIntents(client as never, s.linkId, [slice(0)], 'a', a)).committed.length, 1);
  assert.equal(
    (await commitIntents(client as never, s.linkId, [slice(0)], 'a', a)).refused.length,
    1,
    'the same slice again',
  );

  await s.owner.query(`UPDATE lane SET expires_at = now() - interval '1 second'`);
  assert.equal(
    (await commitIntents(client as never, s.linkId, [slice(2)], 'a', a)).refused.length,
    1,
    'the lease is over',
  );
  const b = await holdLanes(pool, s.linkId, 'b');
  await lasting();
  assert.ok(b && b.get('bulk')! > a.get('bulk')!);
  assert.equal((await commitIntents(client as never, s.linkId, [slice(2)], 'b', a)).refused.length, 1, 'an old fence');
  assert.equal((await commitIntents(client as never, s.linkId, [slice(2)], 'b', b)).committed.length, 1);
});

test('a claim of lanes that timed out does not undo later work of the session', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 9 });
  await holdLanes(s.database.pool('sender'), s.linkId, 'a');
  const pool = createPool({ DATABASE_URL: s.database.url }, 'sender', { max: 1, query_timeout: 1_000 });
  s.closing.push(() => pool.end());
  const other = await s.database.pool('owner').connect();
  await other.query('BEGIN; SELECT FROM lane FOR UPDATE');
  await assert.rejects(holdLanes(pool, s.linkId, 'b'), /timeout/);
  await other.query('ROLLBACK');
  other.release();
  await until('it was done', async () => {
    const given = pool.query("UPDATE lane SET holder = 'c' WHERE link_id = $1", [s.linkId]);
    return (await given.catch(() => ({ rowCount: 0 }))).rowCount! > 0;
  });
  const { rows } = await s.owner.query('SELECT DISTINCT holder FROM lane WHERE link_id = $1', [s.linkId]);
  assert.deepEqual(rows, [{ holder: 'c' }]);
});
