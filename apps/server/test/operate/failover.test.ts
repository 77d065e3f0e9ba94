import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { createPool } from '#platform/database/db';
import { prepareDatabase } from '../../src/processes/prepare-database.ts';
import { type AnyProcess, House } from '../faults/house.ts';
import { untilServed } from '../patience.ts';
import { Cluster } from './cluster.ts';

// The primary's machine dies in the middle of its work and its standby takes over. Meanwhile people quote campaigns and
// a campaign leaves. `npm run soak -- failover` repeats it.

const SEED_VARIABLE = 'FAULT_SEED';
const seed = seedOf(SEED_VARIABLE);
const ROUNDS = Number(process.env['FAILOVER_ROUNDS']) || 1;
const MESSAGES = Number(process.env['FAILOVER_MESSAGES']) || 1_500;
const PROCESSES: readonly AnyProcess[] = ['sender', 'worker', 'api', 'smpp-server'];

test(`acknowledged work survives a promotion (${SEED_VARIABLE}=${seed})`, {
  timeout: 120_000 * ROUNDS + 120_000,
}, async (t) => {
  const random = seededRandom(seed);
  const cluster = await Cluster.start(t, prepareDatabase);
  const house = await House.open(t, random, cluster.url);
  for (const name of PROCESSES) await house.start(name);
  const pids = PROCESSES.map((name) => house.victims.get(name)?.pid);
  const { url } = (house.victims.get('api')?.ready ?? {}) as { url?: string };

  const reached = () => {
    house.log.read();
    return house.log.accepted.length;
  };
  for (const role of ['api', 'auth', 'intake', 'worker', 'sender'] as const) {
    const pool = createPool({ DATABASE_URL: cluster.url }, role, { max: 1 });
    const { rows } = await pool.query("SELECT current_setting('synchronous_commit') AS waits");
    await pool.end();
    assert.deepEqual(rows, [{ waits: 'on' }], `what ${role} commits waits for the standby`);
  }

  const acknowledged: number[] = [];
  let going = true;
  const quoting = (async () => {
    while (going) {
      const answer = await house.call<{ id: number }>('POST', '/api/v1/campaigns/quotes', {
        sender_id: house.senderId,
        content: 'Hello',
        custom_numbers: house.numbers(3).join(','),
      });
      if (answer?.status === 202) acknowledged.push(answer.data.id);
      await sleep(10);
    }
  })();

  for (let round = 1; round <= ROUNDS; round++) {
    await house.queue(MESSAGES);
    const at = reached() + 200 + random.below(400);
    await untilServed('the campaign leaves', () => reached() > at);
    // The standby is down in the last moment. Changes that it lacks must not have been acknowledged.
    await cluster.kill(cluster.standby);
    await sleep(300);
    await cluster.kill();
    await cluster.restartStandby();
    // No server takes over yet: each caller is told to try again soon.
    const refused = await fetch(`${url}/api/v1/oauth/token`, {
      method: 'POST',
      // No call hangs: the limit is far above the longest allowed answer time.
      signal: AbortSignal.timeout(60_000),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'somebody@heliograph.test', password: 'Lantern#41' }),
    });
    assert.equal(refused.status, 503);
    assert.equal(((await refused.json()) as { code: string }).code, 'unavailable');
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    await cluster.promote();
    const promoted = performance.now();
    const [quotes, sent] = [acknowledged.length, reached()];
    await untilServed('quotes are taken again', () => acknowledged.length > quotes);
    const api = performance.now() - promoted;
    await untilServed('messages leave again', () => reached() > sent);
    t.diagnostic(
      `after the promotion quotes were taken within ${Math.round(api)} ms, messages left within ${Math.round(performance.now() - promoted)} ms`,
    );
    await untilServed('all messages have left', async () => (await house.waiting()) === 0);
    await untilServed('quotes are worked', async () => {
      const { open } = await house.stage.one<{ open: number }>(
        `SELECT count(*) AS open FROM quote WHERE id = ANY ($1) AND state <> 'ready'`,
        [acknowledged.slice(0, quotes + 1)],
      );
      return open === 0;
    });
    if (round < ROUNDS) await cluster.rejoinOldPrimaryAsStandby();
  }
  going = false;
  await quoting;
  assert.deepEqual(
    PROCESSES.map((name) => house.victims.get(name)?.alive && house.victims.get(name)?.pid),
    pids,
    'nobody was started again',
  );
  const { rows } = await house.stage.owner.query<{ id: number }>('SELECT id FROM quote WHERE id = ANY ($1)', [
    acknowledged,
  ]);
  assert.equal(rows.length, acknowledged.length, 'what was acknowledged is there');
  assert.ok(acknowledged.length > 10, `${acknowledged.length} quotes`);
  assert.deepEqual(await house.truth.contradictions(), []);
});

test('only separate notices commit without waiting for the standby', () => {
  const source = join(import.meta.dirname, '../../src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const naming = files.filter((name) =>
    /synchronous_commit['", ]+(=|off|local|,)/.test(readFileSync(join(source, name), 'utf8')),
  );
  assert.ok(files.length > 300, `${files.length} files`);
  assert.deepEqual(naming, ['platform/fan-out/listen-notify.ts']);
});
