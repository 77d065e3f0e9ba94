import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { reconcile } from '#modules/billing';
import type { ChunkContext } from '../../src/modules/delivery/segment.ts';
import { commitIntents } from '../../src/modules/delivery/sending/intents.ts';
import { holdLanes } from '../../src/modules/delivery/sending/lanes.ts';
import { logOf, numbers, type Stage, stage, until } from './stage.ts';

const SENDER = join(import.meta.dirname, '../../src/processes/sender.ts');

async function senderProcess(s: Stage): Promise<ChildProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heliograph-sender-'));
  const child = spawn(process.execPath, [SENDER], {
    env: { ...process.env, DATABASE_URL: s.database.url, DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  s.closing.push(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(dataDir, { recursive: true, force: true });
  });
  await once(child, 'message');
  return child;
}

test('a sender killed in the middle is followed by another: no message twice, every one accounted for', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator({ settings: { receipt_delay_ms: 200, receipt_jitter_ms: 300 } });
  await s.addLink({ port: simulator.smppPort, rate: 1_500, window_size: 200 });
  const total = 6_000;
  const campaign = await s.campaign(numbers(total));
  for (const accepted of [800, 2_500]) {
    const child = await senderProcess(s);
    await until(`${accepted} were taken`, () => simulator.counts().accepted >= accepted);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await s.sender();
  await until('all were handed over', async () => (await s.counters(campaign.id)).processed === total, 90_000);
  await until(
    'the carrier got its receipts off',
    () => {
      const { accepted, receipts_acknowledged } = simulator.counts();
      return receipts_acknowledged >= accepted;
    },
    90_000,
  );
  const log = logOf(simulator);
  assert.equal(new Set(log.map(({ to }) => to)).size, log.length, 'nobody got it twice');
  await until('receipts are matched', async () => {
    const { unmatched } = await s.one<{ unmatched: number }>(
      'SELECT count(*) AS unmatched FROM submission s WHERE NOT EXISTS (SELECT FROM outcome o WHERE o.message_id = s.message_id)',
    );
    return unmatched === 0;
  });
  const states = await s.states();
  const uncertain = states.submitted ?? 0;
  assert.equal((states.delivered ?? 0) + uncertain, total);
  assert.ok(uncertain <= 2 * (200 + 500), `${uncertain} are uncertain: more than a window and what was not recorded`);
  assert.deepEqual(await reconcile(s.owner), []);
  const { charged, submitted } = await s.counters(campaign.id);
  assert.equal(submitted, total - uncertain);
  assert.equal((await s.account()).reserved, uncertain * 350);
  assert.equal(charged, (total - uncertain) * 350);
});

test('messages wait for a carrier that is away at the start, and leave when it comes', async (t) => {
  const s = await stage(t);
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { port: number };
  probe.close();
  await s.addLink({ port });
  await s.sender();
  const campaign = await s.campaign(numbers(50));
  await until('the sender has tried', async () => (await s.counters(campaign.id)).processed === 0);
  await s.simulator({ smppPort: port });
  await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 50, 30_000);
});

test('of two senders one holds the link, and the other takes over when it stops', async (t) => {
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

test('a lane has one holder; the intents of one that lost it are refused', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 9 });
  const campaign = await s.campaign(numbers(10));
  const pool = s.database.pool('sender');
  const a = await holdLanes(pool, s.linkId, 'a');
  assert.ok(a);
  assert.equal(await holdLanes(pool, s.linkId, 'b'), undefined);
  assert.deepEqual(await holdLanes(pool, s.linkId, 'a'), a, 'a renewal keeps the fence');

  const { id } = await s.one<{ id: number }>('SELECT id FROM chunk WHERE campaign_id = $1', [campaign.id]);
  const chunk = { id, class: 'bulk' } as ChunkContext;
  const client = await pool.connect();
  s.closing.push(async () => client.release());
  const slice = (from: number) => ({ chunk, from, messages: Array(2).fill({}), parts: 2 });
  assert.equal((await commitIntents(client as never, s.linkId, [slice(0)], 'a', a)).committed.length, 1);
  assert.equal((await commitIntents(client as never, s.linkId, [slice(0)], 'a', a)).refused.length, 1, 'the same slice again');

  await s.owner.query(`UPDATE lane SET expires_at = now() - interval '1 second'`);
  assert.equal((await commitIntents(client as never, s.linkId, [slice(2)], 'a', a)).refused.length, 1, 'the lease is over');
  const b = await holdLanes(pool, s.linkId, 'b');
  assert.ok(b && b.get('bulk')! > a.get('bulk')!);
  assert.equal((await commitIntents(client as never, s.linkId, [slice(2)], 'b', a)).refused.length, 1, 'an old fence');
  assert.equal((await commitIntents(client as never, s.linkId, [slice(2)], 'b', b)).committed.length, 1);
});
