import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@heliograph/installation/ports';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import pg from 'pg';
import { connectionSettings, createPool } from '../apps/server/src/platform/database/db.ts';
import { FanOut } from '../apps/server/src/platform/fan-out/fan-out.ts';
import { listenNotify } from '../apps/server/src/platform/fan-out/listen-notify.ts';
import { natsTransport } from '../apps/server/src/platform/fan-out/nats.ts';
import type { Transport } from '../apps/server/src/platform/fan-out/transport.ts';
import { WakeUps } from '../apps/server/src/platform/fan-out/wake-ups.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { prepareDatabase } from '../apps/server/src/processes/prepare-database.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';

// Measures the cost of publishing events for sessions that commit a row as fast as they can. It compares no events,
// NOTIFY in each transaction, separate wake-ups, and NATS. Each runs with quick commits, and with commits that wait for
// a standby.

const LISTENERS = 4;
const { seconds, sessions, standby } = readOptions({ seconds: 3, sessions: 16, standby: 2 });
const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
const config = { DATABASE_URL: postgres.url };
const port = (await freePort(0))!;
const server = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
server.on('error', () => process.stderr.write('nats-server is not installed: its figures are those of nothing told\n'));

/**
 * Returns the transactions per second of `emitters` sessions that publish with `tell`, and the share of events that
 * each listener heard.
 */
async function rate(transport: Transport, emitters: number, tell: (client: pg.ClientBase, text: string) => unknown) {
  let heard = 0;
  const ears = await Promise.all(
    Array.from({ length: LISTENERS }, async () => {
      const fanOut = new FanOut(transport, log);
      await fanOut.start();
      await fanOut.subscribe('events', () => {
        heard++;
      });
      return fanOut;
    }),
  );
  const pool = createPool(config, 'owner', { max: emitters });
  let transactions = 0;
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    Array.from({ length: emitters }, async () => {
      const client = await pool.connect();
      while (performance.now() < end) {
        await client.query('BEGIN');
        await client.query('INSERT INTO bench_told (at) VALUES (now())');
        await tell(client, `${emitters} ${transactions++}`);
        await client.query('COMMIT');
      }
      client.release();
    }),
  );
  await sleep(500);
  await Promise.all(ears.map((each) => each.stop()));
  await pool.end();
  return { rate: transactions / seconds, heard: heard / LISTENERS / transactions };
}

/** Makes commits take at least `ms`, and lets them commit in groups, as they do if a standby confirms them. */
async function commitsTake(ms: number): Promise<void> {
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query(`ALTER SYSTEM SET commit_delay = ${ms * 1_000}`);
  await admin.query('ALTER SYSTEM SET commit_siblings = 0');
  await admin.query('SELECT pg_reload_conf()');
  await admin.end();
}

try {
  await prepareDatabase(postgres.url);
  const pool = createPool(config, 'owner', { max: 2 });
  await pool.query('CREATE TABLE bench_told (at timestamptz)');
  const notify = listenNotify(connectionSettings(config, 'owner'));
  const nats = natsTransport({ servers: `nats://127.0.0.1:${port}`, prefix: 'bench' }, log);
  const wakeUps = new WakeUps(pool, 'events', log);
  for (const ms of [0, standby]) {
    await commitsTake(ms);
    for (const emitters of [2, sessions]) {
      const plain = await rate(notify, emitters, () => undefined);
      const within = await rate(notify, emitters, (client, text) => notify.tell(client, 'events', text));
      const beside = await rate(notify, emitters, () => wakeUps.wake());
      const overNats = await rate(nats, emitters, (client, text) => nats.tell(client, 'events', text));
      const about = `${emitters}_sessions_commit_${ms}_ms`;
      report('fan-out', [
        { figure: `${about}_nothing_told`, value: plain.rate, unit: '1/s' },
        { figure: `${about}_notify_within`, value: within.rate, unit: '1/s' },
        { figure: `${about}_wake_ups_beside`, value: beside.rate, unit: '1/s' },
        { figure: `${about}_nats`, value: overNats.rate, unit: '1/s' },
        { figure: `${about}_notify_heard`, value: within.heard * 100, unit: '%' },
        { figure: `${about}_nats_heard`, value: overNats.heard * 100, unit: '%' },
      ]);
    }
  }
  await pool.end();
} finally {
  server.kill();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
