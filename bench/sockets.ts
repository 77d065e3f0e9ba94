import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { beginSession } from '../apps/server/src/modules/identity/session-tokens.ts';
import { systemClock } from '../apps/server/src/platform/clock.ts';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { secretKey } from '../apps/server/src/platform/process/seal.ts';
import { emit } from '../apps/server/src/platform/realtime/realtime.ts';
import { prepareDatabase } from '../apps/server/src/processes/prepare-database.ts';
import { makeTenant } from '../apps/server/test/contacts/tenant.ts';
import { startChild } from './harness/child.ts';
import { report } from './harness/report.ts';

// Measures browsers on one API process, each with its own session, its own channel and the common one. The time is from
// the transaction that publishes an event to the last browser that receives it.

const SOCKETS = 2_000;
const AT_ONCE = 50;
const BROADCASTS = 20;
const PATIENCE_MS = 60_000;
const EVERYBODY = 'private-application.1';
const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
const config = readConnectedConfig({ DATABASE_URL: postgres.url, DATA_DIR: folder });

/** Detects when all browsers together have received the expected number of events. */
class Hearing {
  #heard = 0;
  #wanted = 0;
  #done = () => {};
  hear(): void {
    if (++this.#heard === this.#wanted) this.#done();
  }
  /** Waits until `count` more events were received. */
  next(count: number): Promise<void> {
    this.#wanted = this.#heard + count;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${this.#wanted - this.#heard} heard nothing`)), PATIENCE_MS);
      this.#done = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

try {
  await prepareDatabase(postgres.url);
  const owner = createDatabase(createPool(config, 'owner'));
  const tenant = await makeTenant(owner, 'Bench');
  const person = { user_id: tenant.user_id, verified: true, ip: '127.0.0.1', userAgent: 'bench' };
  const identity = { authDb: owner, key: secretKey(config), clock: systemClock };
  const environment = { DATABASE_URL: postgres.url, DATA_DIR: folder, LOG_LEVEL: 'warn', PORT: '0' };
  const api = await startChild('api-process.ts', { ...environment, CALLS_PER_MINUTE: '1000000' });
  const { port } = api.ready;
  const idle = await api.ask('stats');
  const hearing = new Hearing();
  const sockets: WebSocket[] = [];

  /** Signs in a browser and joins its channels. */
  async function join(): Promise<void> {
    const { access_token } = await beginSession(identity, person);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/app/heliograph`);
    sockets.push(socket);
    const missing = new Set([EVERYBODY, `private-App.Models.User.${tenant.user_id}`]);
    const joined = Promise.withResolvers<void>();
    const ask = async (socket_id: string, channel: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/broadcasting/auth`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ socket_id, channel_name: channel }),
      });
      const { auth } = (await response.json()) as { auth: string };
      socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel, auth } }));
    };
    socket.addEventListener('error', () => joined.reject(new Error('a socket was not opened')));
    socket.addEventListener('message', ({ data }) => {
      const { event, channel = '', data: inner } = JSON.parse(String(data)) as Record<string, string>;
      if (event === 'pusher:connection_established') {
        const { socket_id } = JSON.parse(inner!) as { socket_id: string };
        for (const name of missing) ask(socket_id, name).catch(joined.reject);
      } else if (event === 'pusher_internal:subscription_succeeded') {
        missing.delete(channel);
        if (missing.size === 0) joined.resolve();
      } else if (channel === EVERYBODY) hearing.hear();
    });
    await joined.promise;
  }

  const started = performance.now();
  for (let made = 0; made < SOCKETS; made += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, SOCKETS - made) }, join));
  const connected = (performance.now() - started) / 1_000;

  const times: number[] = [];
  for (let i = 0; i < BROADCASTS; i++) {
    const said = performance.now();
    const all = hearing.next(SOCKETS);
    await emit(owner, EVERYBODY, 'menu.changed', { n: i });
    await all;
    times.push(performance.now() - said);
  }
  const { rss } = await api.ask('stats');
  report('sockets', [
    { figure: 'broadcast_to_2000_ms', value: quantile(times, 0.5), unit: 'ms' },
    { figure: 'broadcast_to_2000_max_ms', value: Math.max(...times), unit: 'ms' },
    { figure: 'connect_2000_seconds', value: connected, unit: 's' },
    { figure: 'kb_a_socket', value: (rss! - idle['rss']!) / SOCKETS / 1_024, unit: 'KB' },
  ]);
  for (const socket of sockets) socket.close();
  await api.stop();
  await owner.destroy();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
