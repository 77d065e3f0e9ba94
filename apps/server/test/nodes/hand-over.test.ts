import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startVictim, type Victim } from '@heliograph/fault-kit';
import { FAILPOINT_VARIABLE, type Failpoint } from '#platform/failpoints';
import { holdLanes, renewLanes } from '../../src/modules/delivery/sending/lanes.ts';
import { logOf, numbers, type Stage, stage, until } from '../delivery/stage.ts';

const SENDER = join(import.meta.dirname, '../../src/processes/sender.ts');

/** A sender as a process of its own; with a place, it freezes at its n-th visit there. */
async function senderProcess(s: Stage, place?: Failpoint, visit = 1): Promise<Victim> {
  const victim = await startVictim(SENDER, {
    environment: {
      NODE_ENV: 'test',
      DATABASE_URL: s.database.url,
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
      OPERATIONS_PORT: '0',
      ...(place && { [FAILPOINT_VARIABLE]: `${place}:${visit}:freeze` }),
    },
  });
  s.closing.push(async () => {
    victim.thaw();
    await victim.kill();
  });
  return victim;
}

const holders = async (s: Stage): Promise<(string | null)[]> =>
  (
    await s.owner.query<{ holder: string | null }>(
      `SELECT CASE WHEN expires_at > now() THEN holder END AS holder FROM lane WHERE class = 'bulk' ORDER BY link_id`,
    )
  ).rows.map(({ holder }) => holder);

/** The numbers of what is committed and will be sent again. */
const waitingAgain = async (s: Stage): Promise<string[]> =>
  (
    await s.owner.query<{ msisdn: string }>('SELECT m.msisdn FROM retry r JOIN message m ON m.id = r.message_id')
  ).rows.map(({ msisdn }) => msisdn);

const pidOf = (holder: string | null | undefined) => Number(holder?.split(':')[1]);

test('a sender that froze between intent and bytes, and wakes beyond its lease, hands nothing over', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort, rate: 400 });
  const frozen = await senderProcess(s, 'intent.after-commit', 5);
  const campaign = await s.campaign(numbers(1_200));
  const other = await senderProcess(s);
  await until('another sender has the lanes', async () => pidOf((await holders(s))[0]) === other.pid);
  await until('it sends', async () => (await s.counters(campaign.id)).processed! > 500);
  // Whoever sends waits for the campaign now: what was committed and has not left stands among the retries, and stays there.
  await s.owner.query(`UPDATE campaign SET state = 'paused', pause_reason = 'person' WHERE id = $1`, [campaign.id]);
  assert.deepEqual(await waitingAgain(s), []);
  frozen.thaw();
  await until('what it had committed is left to another', async () => (await waitingAgain(s)).length > 0);
  const given = await waitingAgain(s);
  await sleep(1_500);
  const gone = new Set(logOf(simulator).map((segment) => segment.to));
  assert.deepEqual(
    given.filter((number) => gone.has(number)),
    [],
    'nothing of it leaves when it wakes',
  );
  await s.owner.query(`UPDATE campaign SET state = 'running', pause_reason = NULL WHERE id = $1`, [campaign.id]);
  await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 1_200);
  const to = logOf(simulator).map((segment) => segment.to);
  assert.equal(to.length, 1_200);
  assert.equal(new Set(to).size, 1_200, 'each once, also what the frozen one had committed');
});

test('a fence grows with each holder, so the lanes of one link are never held twice', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 9 });
  const pool = s.database.pool('sender');
  const first = await holdLanes(pool, s.linkId, 'a');
  assert.deepEqual((await renewLanes(pool, [s.linkId], 'a')).get(s.linkId), first, 'a renewal in time keeps the fence');
  await s.owner.query(`UPDATE lane SET expires_at = now() - interval '1 ms'`);
  const takers = await Promise.all(['b', 'c', 'd', 'e'].map((name) => holdLanes(pool, s.linkId, name)));
  assert.equal(takers.filter((each) => each !== undefined).length, 1, 'of several takers one has them');
  assert.equal((await renewLanes(pool, [s.linkId], 'a')).size, 0, 'who lost them learns it with its next renewal');
  const taken = takers.find((each) => each !== undefined);
  assert.ok(taken!.get('bulk')! > first!.get('bulk')!);
});

test('a drained sender hands its links to the other, and both share them once it works again', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  for (const place of [1, 2, 3, 4])
    await s.addLink({ name: `Carrier ${place}`, port: simulator.smppPort, rate: 150, window_size: 20 });
  const [first, second] = [await s.sender(), await s.sender()];
  const spreadOver = async () => {
    const held = await holders(s);
    return held.includes(null) ? [] : [...Map.groupBy(held, (holder) => holder).values()].map((each) => each.length);
  };
  await until('each has two links', async () => (await spreadOver()).join() === '2,2');
  const campaign = await s.campaign(numbers(900));
  await until('it runs', async () => (await s.counters(campaign.id)).processed! > 100);
  const [name] = await holders(s);
  await s.owner.query('UPDATE node SET draining = true WHERE name = $1', [name]);
  await until('one has all four', async () => {
    const held = await holders(s);
    return new Set(held).size === 1 && held[0] !== null && held[0] !== name;
  });
  await s.owner.query('UPDATE node SET draining = false WHERE name = $1', [name]);
  await until('each has two again', async () => (await spreadOver()).join() === '2,2');
  await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 900);
  assert.equal(new Set(logOf(simulator).map(({ to }) => to)).size, 900);
  assert.equal(logOf(simulator).length, 900, 'each once, though the link changed hands');
  await Promise.all([first.stop(), second.stop()]);
  assert.equal(
    (await s.one<{ count: number }>('SELECT count(*) AS count FROM node')).count,
    0,
    'who stops leaves the list',
  );
});
