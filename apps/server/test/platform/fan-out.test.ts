import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WakeUps } from '../../src/platform/fan-out/wake-ups.ts';
import { HEARING } from './fan-out-hearing.ts';
import { hear, houses, numbers, quiet, SUBJECT, until } from './fan-out-house.ts';
import { LOSSES } from './fan-out-losses.ts';
import { TRANSACTIONS } from './fan-out-transactions.ts';
import { withoutNats } from './nats-server.ts';

// Guarantees for senders and listeners, over any transport. Each case runs over both.

const CASES = Object.entries({ ...HEARING, ...TRANSACTIONS, ...LOSSES });

for (const [name, open] of Object.entries(houses)) {
  describe(`the fan-out over ${name}`, { skip: name === 'nats' && withoutNats, concurrency: 8 }, () => {
    for (const [guarantee, holds] of CASES) test(guarantee, async (t) => holds(await open(t, { after })));
  });
}

test('subjects left at the same time are unsubscribed one by one', async (t) => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on('warning', warned);
  t.after(() => void process.off('warning', warned));
  const member = await (await houses.postgresql(t, { after })).start();
  const heard = await Promise.all(['one', 'two', 'three'].map((subject) => hear(member, subject)));
  await Promise.all(heard.map((each) => each.stop()));
  assert.deepEqual(warnings, []);
});

test('the first of many wake-ups is sent immediately, and the rest together', async (t) => {
  const house = await houses.postgresql(t, { after });
  const heard = await hear(await house.start(), SUBJECT);
  const wakeUps = new WakeUps(house.database.pool('owner'), SUBJECT, quiet);
  for (const _ of numbers(500)) wakeUps.wake();
  await until(() => heard.messages.length === 2);
  wakeUps.wake();
  await until(() => heard.messages.length === 3);
  await sleep(100);
  assert.deepEqual(heard.messages, ['', '', '']);
});

test('a wake-up right behind a commit comes when its rows are there', async (t) => {
  const house = await houses.postgresql(t, { after });
  const owner = house.database.pool('owner');
  await owner.query('CREATE TABLE news (id integer)');
  const member = await house.start();
  const seen: Promise<number>[] = [];
  await member.fanOut.subscribe(SUBJECT, () => {
    seen.push(owner.query('SELECT count(*)::int AS n FROM news').then(({ rows }) => rows[0].n));
  });
  await owner.query('GRANT INSERT ON news TO PUBLIC');
  const wakeUps = new WakeUps(owner, SUBJECT, quiet);
  const session = await house.database.pool('intake').connect();
  try {
    await session.query('BEGIN');
    await session.query('INSERT INTO news VALUES (1)');
    const committed = session.query('COMMIT');
    const woken = wakeUps.wakeBehind(session, 60_000);
    assert.ok(woken);
    assert.equal(wakeUps.wakeBehind(session, 60_000), undefined, 'one follows later, by a timer');
    await Promise.all([committed, woken]);
  } finally {
    session.release();
  }
  await until(() => seen.length === 1);
  assert.deepEqual(await Promise.all(seen), [1]);
});
