import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectionSettings, createClient, createPool } from '#platform/database/db';
import { isTransient } from '#platform/database/transient-error';
import { FanOut } from '#platform/fan-out/fan-out';
import { listenNotify, notify } from '#platform/fan-out/listen-notify';
import { createLogger } from '#platform/log';
import { listenOn } from '../own-port.ts';
import { untilServed } from '../patience.ts';
import { lastFirst } from '../template-database.ts';
import { Cluster } from './cluster.ts';
import { pgbouncer, startPooler } from './pooler.ts';

const noPooler = !pgbouncer && !process.env['CI'] ? 'PgBouncer is not installed' : false;

/**
 * Opens an address that leads to the current listener on `portOf()` at each connect. Existing connections stay as they
 * are.
 */
async function movingAddress(portOf: () => number): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(portOf(), '127.0.0.1');
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  return {
    port: await listenOn(server),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

let cluster: Cluster;
let pool: pg.Pool;
const config = () => ({ DATABASE_URL: cluster.url });
const scope = lastFirst({ after });
const portOf = async (db: Pick<pg.Pool, 'query'>) =>
  Number((await db.query('SELECT inet_server_port() AS port')).rows[0].port);

before(async () => {
  cluster = await Cluster.start(scope);
  pool = createPool(config(), 'owner', { max: 4 });
  // A session that a failed test left open must not delay the end.
  scope.after(() => Promise.race([pool.end(), sleep(2_000)]));
  await pool.query('CREATE TABLE kept (id integer PRIMARY KEY)');
});

test('sessions go to the primary anywhere in the list, then to the promoted standby', async () => {
  for (const round of [1, 2]) {
    assert.equal(await portOf(pool), cluster.primary.port);
    const heard: string[] = [];
    const log = createLogger({ LOG_LEVEL: 'silent' }, 'test');
    const fanOut = new FanOut(listenNotify(connectionSettings(config(), 'owner')), log);
    await fanOut.start();
    await fanOut.subscribe('news', (text) => heard.push(text));
    const open = await pool.connect();
    open.on('error', () => undefined);
    await open.query('BEGIN');
    await open.query('INSERT INTO kept VALUES ($1)', [-round]);
    await cluster.kill();
    // A transaction in flight fails with an error that can be retried, and leaves nothing.
    const error = await open.query('COMMIT').catch((reason: unknown) => reason);
    assert.ok(isTransient(error), String(error));
    open.release(true);
    await assert.rejects(pool.query('SELECT 1'), (reason) => isTransient(reason), 'nobody can be written to');
    await cluster.promote();
    await untilServed('statements are answered again', () => pool.query('INSERT INTO kept VALUES ($1)', [round]));
    assert.equal(await portOf(pool), cluster.primary.port);
    assert.deepEqual((await pool.query('SELECT FROM kept')).rows.length, round);
    await untilServed('LISTEN goes on', async () => {
      await notify(pool, 'news', 'here');
      return heard.length > 0;
    });
    await fanOut.stop();
    await cluster.rejoinOldPrimaryAsStandby();
  }
});

test('sessions leave a primary that was given up for good, even if it still answers', async () => {
  const kept = await pool.connect();
  kept.on('error', () => undefined);
  const old = cluster.primary.port;
  assert.equal(await portOf(kept), old);
  await cluster.promote();
  // Both accept writes now. The session ends only because the new primary was seen.
  const error = await untilServed('the old session ends', () =>
    kept.query('SELECT 1').then(
      () => undefined,
      (e) => e as Error,
    ),
  );
  assert.ok(isTransient(error));
  kept.release(true);
  const ports = await Promise.all(Array.from({ length: 8 }, () => untilServed('a session', () => portOf(pool))));
  assert.deepEqual(new Set(ports), new Set([cluster.primary.port]));
  // A process that starts now has seen neither, and still chooses the newer one.
  const fresh = createClient({ DATABASE_URL: `${cluster.url}&application_name=fresh` }, 'owner');
  await fresh.connect();
  assert.equal(await portOf(fresh), cluster.primary.port);
  await fresh.end();
  // If the new primary is down, the old one is no substitute.
  cluster.primary.freeze();
  try {
    await untilServed('the new primary counts as away', async () => {
      const client = createClient(config(), 'owner');
      const refusal = await client.connect().then(
        () => undefined,
        (error: Error) => error,
      );
      await client.end();
      return refusal !== undefined && /no server of the database can be written to/.test(refusal.message);
    });
  } finally {
    cluster.primary.thaw();
  }
  await untilServed('the new primary is back', () => portOf(pool));
  assert.equal(await portOf(pool), cluster.primary.port);
  await cluster.rejoinOldPrimaryAsStandby();
});

/**
 * Promotes the standby while the primary is frozen in the middle of a statement of the pool. Returns that primary.
 */
async function promoteBeside(asking: pg.Pool) {
  const kept = await asking.connect();
  kept.on('error', () => undefined);
  const frozen = cluster.primary;
  frozen.freeze();
  const hanging = kept.query('SELECT 1').catch((error: unknown) => error);
  await cluster.promote();
  assert.ok(isTransient(await hanging));
  kept.release(true);
  assert.equal(await untilServed('a session', () => portOf(asking)), cluster.primary.port);
  return frozen;
}

test('sessions do not wait for a frozen primary once its standby is promoted', async () => {
  const frozen = await promoteBeside(pool);
  frozen.thaw();
  await cluster.rejoinOldPrimaryAsStandby();
});

test('sessions follow an address that moves to the promoted standby', async () => {
  const address = await movingAddress(() => cluster.primary.port);
  const DATABASE_URL = cluster.urlOf(cluster.primary).replace(/:\d+\//, `:${address.port}/`);
  const moving = createPool({ DATABASE_URL: `${DATABASE_URL}?target_session_attrs=read-write` }, 'owner', { max: 1 });
  const frozen = await promoteBeside(moving);
  await moving.end();
  await address.close();
  frozen.thaw();
  await cluster.rejoinOldPrimaryAsStandby();
});

test('sessions through a PgBouncer beside each server move to the promoted standby’s', {
  skip: noPooler,
}, async (t) => {
  await pool.query('CREATE ROLE heliograph_api; GRANT heliograph_api TO heliograph');
  const poolers = [
    await startPooler(t, cluster.urlOf(cluster.primary)),
    await startPooler(t, cluster.urlOf(cluster.standby)),
  ].map((url) => new URL(url));
  const [{ username, password, pathname }] = poolers as [URL, URL];
  const hosts = poolers.map(({ host }) => host).join(',');
  const POOLER_URL = `postgres://${username}:${password}@${hosts}${pathname}`;
  const pooled = createPool({ ...config(), POOLER_URL }, 'api', { max: 4 });
  try {
    const serverOf = () => portOf(pooled);
    assert.equal(await serverOf(), cluster.primary.port);
    await cluster.kill();
    await cluster.promote();
    assert.equal(await untilServed('a session', serverOf), cluster.primary.port);
    const { rows } = await pooled.query('SELECT current_user AS role, pg_is_in_recovery() AS reads');
    assert.deepEqual(rows, [{ role: 'heliograph_api', reads: false }]);
  } finally {
    await Promise.race([pooled.end(), sleep(2_000)]);
  }
  await cluster.rejoinOldPrimaryAsStandby();
});
