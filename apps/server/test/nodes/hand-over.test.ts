import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startVictim, type Victim } from '@heliograph/fault-kit';
import type pg from 'pg';
import { FAILPOINT_VARIABLE, type Failpoint } from '#platform/failpoints';
import { commitIntents } from '../../src/modules/delivery/sending/intents.ts';
import { holdLanes, releaseLanes, renewLanes } from '../../src/modules/delivery/sending/lanes.ts';
import { publishLinks } from '../../src/modules/delivery/sending/link-states.ts';
import { claimRetries } from '../../src/modules/delivery/sending/retries.ts';
import { OwnNode } from '../../src/modules/nodes/index.ts';
import { logOf, numbers, type Stage, stage, until } from '../delivery/stage.ts';
import { TEST_KEY } from '../test-key.ts';

const SENDER = join(import.meta.dirname, '../../src/processes/sender.ts');

/** Starts a sender in its own process. With a place, it freezes at its n-th visit there. */
async function senderProcess(s: Stage, place?: Failpoint, visit = 1): Promise<Victim> {
  const victim = await startVictim(SENDER, {
    environment: {
      NODE_ENV: 'test',
      DATABASE_URL: s.database.url,
      SECRET_KEY: TEST_KEY,
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

/** Lists the numbers of committed messages that will be sent again. */
const waitingAgain = async (s: Stage): Promise<string[]> =>
  (
    await s.owner.query<{ msisdn: string }>('SELECT m.msisdn FROM retry r JOIN message m ON m.id = r.message_id')
  ).rows.map(({ msisdn }) => msisdn);

/** Makes the node of a holder with this name. */
const nodeOf = (pool: pg.Pool, holder: string) => Object.assign(new OwnNode(pool, 'sender'), { name: holder });

const pidOf = (holder: string | null | undefined) => Number(holder?.split(':')[1]);

test('a sender that froze before its bytes left hands nothing over after its lease', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort, rate: 400 });
  const frozen = await senderProcess(s, 'intent.after-commit', 5);
  const campaign = await s.campaign(numbers(1_200));
  const other = await senderProcess(s);
  await until('another sender has the lanes', async () => pidOf((await holders(s))[0]) === other.pid);
  await until('it sends', async () => (await s.counters(campaign.id)).processed! > 500);
  // The campaign pauses every sender now. A message that was committed but has not left stays among the retries.
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

/** Reads all data that only the holder of a link's lanes may change. */
const ofHolders = async (s: Stage) =>
  s.one<Record<'chunks' | 'lanes' | 'states' | 'processed', unknown>>(
    `SELECT (SELECT json_agg(k ORDER BY id) FROM (SELECT id, cursor, state FROM chunk) k) AS chunks,
       (SELECT json_agg(l ORDER BY class) FROM lane l) AS lanes,
       (SELECT json_agg(t) FROM link_state t) AS states,
       (SELECT json_agg(processed) FROM campaign_counter) AS processed`,
  );

/** Makes another process the holder until the test ends. */
async function giveLanesTo(s: Stage, name: string): Promise<void> {
  await s.owner.query(`UPDATE lane SET expires_at = now() - interval '1 ms'`);
  assert.ok(await holdLanes(s.database.pool('sender'), s.linkId, name));
  await s.owner.query(`UPDATE lane SET expires_at = now() + interval '1 hour'`);
}

test('the database refuses the intent of a sender that lost its lanes while frozen', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort, rate: 400 });
  const frozen = await senderProcess(s, 'intent.before-commit', 5);
  await s.campaign(numbers(1_200));
  const name = async () => (await holders(s))[0];
  await until('it has handed over some and stands still', async () => {
    // Its lease ends only when it no longer renews it.
    return logOf(simulator).length > 0 && (await name()) === null;
  });
  await giveLanesTo(s, 'another');
  await s.owner.query('UPDATE link_state SET holder = NULL');
  const before = await ofHolders(s);
  const beats = async () =>
    (await s.one<{ at: number }>('SELECT max(extract(epoch FROM seen_at))::float8 AS at FROM node')).at;
  let last = await beats();
  frozen.thaw();
  // It renews its lanes with each heartbeat, and it tried to commit its intent before the first one.
  for (let beat = 0; beat < 2; beat++) {
    await until('it is heard of', async () => (await beats()) > last);
    last = await beats();
  }
  assert.deepEqual(await ofHolders(s), before);
  const gone = logOf(simulator).map((segment) => segment.to);
  const { rows: committed } = await s.owner.query<{ msisdn: string }>(
    'SELECT m.msisdn FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE (m.id & 1023) < k.cursor',
  );
  // Bytes of the turn in which it froze may still arrive. Their intent was committed while it held the lanes.
  assert.deepEqual(
    new Set(gone).difference(new Set(committed.map(({ msisdn }) => msisdn))),
    new Set(),
    'no more leaves',
  );
  assert.equal(new Set(gone).size, gone.length, 'and none of it twice');
  assert.deepEqual(
    new Set(await waitingAgain(s)).intersection(new Set(gone)),
    new Set(),
    'nor is it given to the other',
  );
  const { rows: given } = await s.owner.query(
    'SELECT FROM retry r JOIN chunk k ON k.id = r.message_id >> 10 WHERE (r.message_id & 1023) >= k.cursor',
  );
  assert.equal(given.length, 0, 'it leaves to the other what it had committed before, and no more');
});

test('a former holder of lanes can no longer change anything that needs them', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 9 });
  await s.campaign(numbers(20));
  const pool = s.database.pool('sender');
  const fences = (await holdLanes(pool, s.linkId, 'frozen'))!;
  await s.owner.query(
    `INSERT INTO retry (message_id, part, corporation_id, link_id, class, tries, not_before, command_status, reference)
     SELECT max(id), 1, max(corporation_id), $1, 'bulk', 1, now() - interval '1 second', 88, 1 FROM message`,
    [s.linkId],
  );
  await giveLanesTo(s, 'another');
  const before = await ofHolders(s);
  const { id } = await s.one<{ id: number }>('SELECT id FROM chunk');
  const { rows: messages } = await s.owner.query('SELECT id FROM message ORDER BY id LIMIT 5');
  const slice = { chunk: { id, class: 'bulk' }, messages, from: 0, parts: 5 } as never;
  const client = (await pool.connect()) as never as Parameters<typeof commitIntents>[0] & { release(): void };
  try {
    for (const [holder, held] of [
      ['frozen', fences],
      // Not even under the holder's name, because an earlier fence belongs to an earlier lease.
      ['another', fences],
    ] as const)
      assert.deepEqual(await commitIntents(client, s.linkId, [slice], holder, held), {
        committed: [],
        refused: [slice],
        campaigns: [],
      });
    assert.deepEqual(await claimRetries(client, s.linkId, 10, 'frozen', ['bulk']), []);
  } finally {
    client.release();
  }
  assert.equal((await renewLanes(nodeOf(pool, 'frozen'), [s.linkId])).size, 0);
  await releaseLanes(pool, s.linkId, 'frozen');
  const live = {} as never;
  await publishLinks(pool, 'frozen', [{ id: s.linkId, state: 'up', live, carried: true }]);
  assert.deepEqual(await ofHolders(s), before);
  assert.equal((await waitingAgain(s)).length, 1);
});

test('a fence grows with each holder, so a link’s lanes never have two holders', async (t) => {
  const s = await stage(t);
  await s.addLink({ port: 9 });
  const pool = s.database.pool('sender');
  const first = await holdLanes(pool, s.linkId, 'a');
  assert.deepEqual(
    (await renewLanes(nodeOf(pool, 'a'), [s.linkId])).get(s.linkId),
    first,
    'a renewal in time keeps the fence',
  );
  await s.owner.query(`UPDATE lane SET expires_at = now() - interval '1 ms'`);
  const takers = await Promise.all(['b', 'c', 'd', 'e'].map((name) => holdLanes(pool, s.linkId, name)));
  assert.equal(takers.filter((each) => each !== undefined).length, 1, 'of several takers one has them');
  assert.equal(
    (await renewLanes(nodeOf(pool, 'a'), [s.linkId])).size,
    0,
    'who lost them learns it with its next renewal',
  );
  const taken = takers.find((each) => each !== undefined);
  assert.ok(taken!.get('bulk')! > first!.get('bulk')!);
});

test('a drained sender hands its links to another and shares them after it resumes', async (t) => {
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
