import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { StartError } from '@heliograph/installation/start-error';
import { connect } from '@nats-io/transport-node';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { connectionSettings } from '../../src/platform/database/db.ts';
import { FanOut } from '../../src/platform/fan-out/fan-out.ts';
import { listenNotify } from '../../src/platform/fan-out/listen-notify.ts';
import { natsOptions, natsTransport } from '../../src/platform/fan-out/nats.ts';
import { natsPrefix, startFanOut } from '../../src/platform/fan-out/tell.ts';
import { listenOn } from '../own-port.ts';
import { authority } from '../smpp-server/certificates.ts';
import { testDatabase } from '../template-database.ts';
import { hear, quiet, starter, until } from './fan-out-house.ts';
import { natsCredentials } from './nats-credentials.ts';
import { startNats, withoutNats } from './nats-server.ts';

// Rules only for NATS: how to reach it, who may connect, and messages on a network that anybody may write to.

const PREFIX = 'heliograph.test';
const database = await testDatabase({ after });
const pool = database.pool('owner');
const folder = mkdtempSync(join(tmpdir(), 'heliograph-nats-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Opens a way to a port. Nothing passes after `stop`; new connections work again after `goOn`. */
async function wayTo(t: TestContext, port: number) {
  const sockets = new Set<Socket>();
  let open = true;
  const way = createServer((from) => {
    if (!open) {
      from.destroy();
      return;
    }
    const to = dial(port, '127.0.0.1');
    for (const socket of [from, to]) sockets.add(socket.on('error', () => undefined));
    from.pipe(to).pipe(from);
  });
  const ownPort = await listenOn(way);
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    way.close();
  });
  return {
    port: ownPort,
    stop() {
      open = false;
      for (const socket of sockets) socket.unpipe().pause();
    },
    goOn() {
      open = true;
    },
  };
}

describe('the fan-out over NATS', { skip: withoutNats }, () => {
  test('a process starts while NATS is away, and listens once it is there', async (t) => {
    const server = await startNats(t, { started: false });
    const one = await starter(t)(natsTransport({ servers: server.url, prefix: PREFIX }, quiet));
    const heard = await hear(one, 'events');
    assert.equal(one.fanOut.state().connected, false);
    await one.tell(pool, 'events', 'to nobody');
    await server.start();
    await until(() => heard.gaps === 1);
    await one.tell(pool, 'events', 'said');
    await until(() => heard.messages.length > 0);
    assert.deepEqual(heard.messages, ['said']);
  });

  test('a process that failed to send reports one gap on that subject to the others', async (t) => {
    const server = await startNats(t);
    const way = await wayTo(t, server.port);
    const start = starter(t, 500);
    const cutOff = await start(
      natsTransport({ servers: `nats://127.0.0.1:${way.port}`, prefix: PREFIX }, quiet, 2_000),
    );
    const staying = await start(natsTransport({ servers: server.url, prefix: PREFIX }, quiet));
    const [heard, other] = [await hear(staying, 'events'), await hear(staying, 'others')];
    way.stop();
    await cutOff.tell(pool, 'events', 'lost');
    await until(() => !cutOff.fanOut.state().connected);
    way.goOn();
    await until(() => heard.gaps > 0);
    await cutOff.tell(pool, 'events', 'said');
    await until(() => heard.messages.length > 0);
    assert.deepEqual([heard.messages, heard.gaps, other.gaps], [['said'], 1, 0]);
  });

  test('a server that stands still is given up, and used again when it continues', async (t) => {
    const server = await startNats(t);
    t.after(() => server.kill('SIGCONT'));
    const one = await starter(t, 500)(natsTransport({ servers: server.url, prefix: PREFIX }, quiet, 2_000));
    const heard = await hear(one, 'events');
    await server.kill('SIGSTOP');
    await until(() => !one.fanOut.state().connected);
    await server.kill('SIGCONT');
    await until(() => heard.gaps === 1);
  });

  test('the process continues whatever a stranger sends on our subjects', async (t) => {
    const server = await startNats(t);
    const one = await starter(t)(natsTransport({ servers: server.url, prefix: PREFIX }, quiet));
    const heard = await hear(one, 'events');
    const stranger = await connect({ servers: server.url.slice(7) });
    t.after(() => stranger.close());
    const said = [Buffer.from([0xff, 0xfe, 0x00, 0xc3]), randomBytes(4_000), Buffer.alloc(900_000), Buffer.alloc(0)];
    for (const payload of said)
      for (const subject of ['events', '_missed', 'nobody']) stranger.publish(`${PREFIX}.${subject}`, payload);
    stranger.publish(`${PREFIX}._missed`, 'somebody events');
    await stranger.flush();
    await one.tell(pool, 'events', 'said');
    await until(() => heard.messages.at(-1) === 'said');
    assert.deepEqual([heard.messages.length, heard.gaps], [said.length + 1, 1]);
  });

  test('the next server is used when one of several is away', async (t) => {
    const [first, second] = [await startNats(t), await startNats(t)];
    const one = await starter(t)(natsTransport({ servers: `${first.url}, ${second.url}`, prefix: PREFIX }, quiet));
    const heard = await hear(one, 'events');
    await first.kill();
    await second.kill();
    await until(() => !one.fanOut.state().connected);
    await second.start();
    await until(() => heard.gaps >= 1 && one.fanOut.state().connected);
  });
});

describe('who may connect to NATS', { skip: withoutNats }, () => {
  const doors = {
    'a user with a password': {
      server: ['--user', 'helio', '--pass', 'p@ss:word/1'],
      right: (port: number) => `nats://helio:${encodeURIComponent('p@ss:word/1')}@127.0.0.1:${port}`,
      wrong: (port: number) => `nats://helio:wrong@127.0.0.1:${port}`,
    },
    'a token': {
      server: ['--auth', 'a-token'],
      right: (port: number) => `nats://a-token@127.0.0.1:${port}`,
      wrong: (port: number) => `nats://127.0.0.1:${port}`,
    },
  };
  for (const [name, { server: asked, right, wrong }] of Object.entries(doors))
    test(`${name} opens NATS; without it a process runs unconnected`, async (t) => {
      const { port } = await startNats(t, { arguments: asked });
      const start = starter(t);
      const one = await start(natsTransport({ servers: right(port), prefix: PREFIX }, quiet));
      const stranger = await start(natsTransport({ servers: wrong(port), prefix: PREFIX }, quiet));
      assert.deepEqual(
        [one, stranger].map(({ fanOut }) => fanOut.state().connected),
        [true, false],
      );
    });

  test('a credentials file opens NATS, and another one does not', async (t) => {
    const { configuration, credentials } = natsCredentials(folder);
    const other = natsCredentials(mkdtempSync(join(folder, 'other-')));
    const server = await startNats(t, { arguments: ['-c', configuration] });
    const start = starter(t);
    const [one, stranger] = await Promise.all(
      [credentials, other.credentials].map((file) =>
        start(natsTransport({ servers: server.url, prefix: PREFIX, credentials: file }, quiet)),
      ),
    );
    assert.deepEqual(
      [one, stranger].map((each) => each!.fanOut.state().connected),
      [true, false],
    );
  });

  test('tls:// requires TLS and a certificate of the given authorities', async (t) => {
    const [ours, theirs] = [authority(t, 'Ours'), authority(t, 'Theirs')];
    const { cert, key } = ours.sign('localhost');
    const secured = await startNats(t, { arguments: ['--tls', '--tlscert', cert, '--tlskey', key] });
    const elsewhere = ours.sign('elsewhere.test');
    const misnamed = await startNats(t, {
      arguments: ['--tls', '--tlscert', elsewhere.cert, '--tlskey', elsewhere.key],
    });
    const plain = await startNats(t);
    const start = starter(t);
    const connected = async (url: string, authorities?: string) =>
      (await start(natsTransport({ servers: url, prefix: PREFIX, authorities }, quiet))).fanOut.state().connected;
    assert.equal(await connected(`tls://localhost:${secured.port}`, ours.cert), true, 'the right authority');
    assert.equal(await connected(`tls://localhost:${secured.port}`, theirs.cert), false, 'another authority');
    assert.equal(await connected(`tls://localhost:${secured.port}`), false, "the system's authorities");
    assert.equal(await connected(`tls://localhost:${misnamed.port}`, ours.cert), false, 'another name');
    assert.equal(await connected(`tls://localhost:${plain.port}`, ours.cert), false, 'a server without TLS');
  });
});

test('the subjects of an installation follow from its key on any machine', () => {
  const config = (key: Buffer, DATA_DIR: string) =>
    readConnectedConfig({ DATABASE_URL: database.url, SECRET_KEY: key.toString('base64'), DATA_DIR });
  const [key, another] = [randomBytes(32), randomBytes(32)];
  const prefix = natsPrefix(config(key, '/tmp/one'));
  assert.match(prefix, /^heliograph\.[0-9a-f]{20}$/);
  assert.equal(natsPrefix(config(key, '/tmp/two')), prefix);
  assert.notEqual(natsPrefix(config(another, '/tmp/one')), prefix);
});

test('a setting names servers, users and TLS as their addresses do', () => {
  const options = (servers: string) => natsOptions({ servers, prefix: PREFIX });
  assert.deepEqual(options('nats://a,nats://[::1]:7').servers, ['a:4222', '[::1]:7']);
  assert.deepEqual([options('nats://u:p%40@a').user, options('nats://u:p%40@a').pass], ['u', 'p@']);
  assert.equal(options('nats://t@a').token, 't');
  assert.equal(options('nats://a').tls, undefined);
  assert.deepEqual(options('nats://a,tls://b').tls, {});
});

test('an unreadable file in the settings stops the start with one line', async () => {
  const config = readConnectedConfig({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    NATS_URL: 'nats://127.0.0.1:1',
    NATS_CREDENTIALS: join(folder, 'nowhere.creds'),
  });
  await assert.rejects(startFanOut(config, 'worker', quiet), (error) => {
    assert.ok(error instanceof StartError && error.exitCode === 2);
    assert.match(error.message, /NATS_CREDENTIALS.*nowhere\.creds/);
    return true;
  });
});

test('a process over PostgreSQL does not start without the database', async () => {
  const settings = connectionSettings({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' }, 'worker');
  await assert.rejects(new FanOut(listenNotify(settings), quiet).start(), /ECONNREFUSED/);
});
