import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import { Backoff, type Closing, Connection, type LinkAlarm, STATUS, startServer } from '../src/index.ts';

test('waits grow from 1 s to 60 s and start again only after a bind of 60 s', () => {
  const low = new Backoff({ random: () => 0 });
  const high = new Backoff({ random: () => 1 });
  assert.deepEqual(
    Array.from({ length: 8 }, () => low.next(undefined)),
    Array(8).fill(1_000),
  );
  const highest = Array.from({ length: 8 }, () => high.next(undefined));
  assert.deepEqual(highest, [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  assert.equal(high.next(59_999), 60_000);
  assert.equal(high.next(60_000), 2_000);
  assert.ok(low.afterRefusal() >= 300_000);
});

test('a link reconnects by itself after every drop', async (t) => {
  let binds = 0;
  const server = await startServer<unknown>(
    { port: 0 },
    { onBind: (_bind, session) => session.acceptBind('s'), onBound: () => binds++ },
  );
  const downs: Closing[] = [];
  let ups = 0;
  const connection = new Connection<number>(
    {
      host: '127.0.0.1',
      port: server.port,
      bind: { mode: 'transceiver', system_id: 'x', password: '' },
      minRetryMs: 5,
      maxRetryMs: 20,
    },
    { onUp: () => ups++, onDown: (closing) => downs.push(closing) },
  );
  t.after(() => server.stop());
  connection.start();
  for (let i = 1; i <= 20; i++) {
    await until(`bind ${i}`, () => ups === i && connection.session !== undefined && server.sessions.size > 0);
    for (const session of server.sessions) session.destroy();
    await until(`drop ${i}`, () => downs.length === i);
  }
  await until('the last bind', () => ups === 21);
  await connection.stop();
  assert.equal(binds, 21);
  assert.equal(downs.at(-1)?.reason, 'unbound');
  await sleep(60);
  assert.equal(ups, 21, 'a stopped link stays down');
});

test('retries a carrier that is down, but waits long after a wrong password', async (t) => {
  const server = await startServer<unknown>(
    { port: 0 },
    { onBind: (_bind, session) => session.refuseBind(STATUS.RINVPASWD) },
  );
  t.after(() => server.stop());
  const alarms: LinkAlarm[] = [];
  const downs: [Closing, number | undefined][] = [];
  const bind = { mode: 'transceiver' as const, system_id: 'x', password: 'wrong' };
  const refused = new Connection<number>(
    { host: '127.0.0.1', port: server.port, bind, random: () => 0 },
    { onAlarm: (alarm) => alarms.push(alarm), onDown: (closing, retry) => downs.push([closing, retry]) },
  );
  refused.start();
  await until('the alarm', () => alarms.length === 1);
  assert.deepEqual(alarms, [{ status: STATUS.RINVPASWD, name: 'ESME_RINVPASWD', retryInMs: 300_000 }]);
  await refused.stop();

  const absent = new Connection<number>(
    { host: '127.0.0.1', port: 1, bind, minRetryMs: 5, maxRetryMs: 10 },
    { onDown: (closing, retry) => downs.push([closing, retry]) },
  );
  absent.start();
  await until('attempts', () => downs.filter(([closing]) => closing.reason === 'connect_failed').length >= 3);
  await absent.stop();
});
