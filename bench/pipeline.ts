import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { reconcile } from '../apps/server/src/modules/billing/index.ts';
import { wakeSenders } from '../apps/server/src/modules/delivery/index.ts';
import { migrate } from '../apps/server/src/platform/database/migrate.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { SENDER_NODE_OPTIONS } from '../apps/server/src/platform/process/node-options.ts';
import { startChild } from './harness/child.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';
import { queueCampaign } from './harness/tenant.ts';

/** Adds a card of so many prefixes to the only link, so that a cost is recorded with each message. */
async function addCard(client: { query(text: string, values: unknown[]): Promise<unknown> }, prefixes: number) {
  await client.query(
    `WITH card AS (
       INSERT INTO carrier_card (link_id, name, currency, starts_on) SELECT max(id), 'Bench', 'EUR', '2020-01-01' FROM link RETURNING id
     ) INSERT INTO carrier_rate (carrier_card_id, prefix, amount)
     SELECT id, prefix, 4000 + n % 997 FROM card CROSS JOIN (
       SELECT (6390000000 + n * 10)::text AS prefix, n FROM generate_series(1, $1::bigint) n UNION ALL SELECT '63', 0) r`,
    [prefixes],
  );
  await client.query(
    `UPDATE carrier_card SET version = 1, applied_at = now(), from_at = '2020-01-01Z', timezone = $1`,
    ['UTC'],
  );
}

// Measures the way from queued rows to every recorded receipt and every charged message. PostgreSQL is real with
// durability on, and the sender and the carrier are processes of their own.

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '500000' },
    window: { type: 'string', default: '2000' },
    'receipt-delay': { type: 'string', default: '100' },
    profile: { type: 'string' },
    card: { type: 'string', default: '10000' },
  },
});
const count = Number(options.count);
const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
const database = await startEmbeddedPostgres({
  dataDir: folder,
  log,
});

try {
  await migrate({ url: database.url });
  const simulator = await startChild('simulator-process.ts', { RECEIPT_DELAY_MS: options['receipt-delay'] });
  const queuedAt = performance.now();
  const { id, client } = await queueCampaign(database.url, simulator.ready.port!, Number(options.window), count);
  if (Number(options.card) > 0) await addCard(client, Number(options.card));
  const queuedSeconds = (performance.now() - queuedAt) / 1_000;
  const sender = await startChild(
    'sender-process.ts',
    { DATABASE_URL: database.url, DATA_DIR: folder, LOG_LEVEL: 'warn' },
    [...SENDER_NODE_OPTIONS, ...(options.profile ? ['--cpu-prof', `--cpu-prof-dir=${options.profile}`] : [])],
  );
  while ((await simulator.ask('counts')).binds === 0) await sleep(50);
  const commits = async () => {
    // The statistics of a session arrive a second after its last statement.
    await sleep(1_100);
    const { rows } = await client.query('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()');
    return Number(rows[0].xact_commit);
  };
  const before = {
    commits: await commits(),
    sender: await sender.ask('stats'),
    simulator: await simulator.ask('stats'),
    postgres: postgresSeconds(folder),
    wal: (await client.query(`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`)).rows[0].bytes,
  };

  const started = performance.now();
  await client.query(`UPDATE campaign SET state = 'running' WHERE id = $1`, [id]);
  await wakeSenders(client);
  for (let delivered = 0; delivered < count; await sleep(50)) {
    const { rows } = await client.query('SELECT delivered FROM campaign_counter WHERE campaign_id = $1', [id]);
    delivered = rows[0].delivered;
    if (performance.now() - started > 300_000) throw new Error(`only ${delivered} were delivered in five minutes`);
  }
  const seconds = (performance.now() - started) / 1_000;

  const committed = await commits();
  const after = { sender: await sender.ask('stats'), simulator: await simulator.ask('stats') };
  const perMessage = (to: number, from: number) => ((to - from) / count) * 1e6;
  const { rows: wal } = await client.query(`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`);
  const { rows: money } = await client.query('SELECT charged FROM campaign_counter WHERE campaign_id = $1', [id]);
  const differences = await reconcile(client);
  if (money[0].charged !== count * 350 || differences.length > 0) throw new Error('the money does not add up');
  report('pipeline', [
    { figure: 'messages_per_second', value: count / seconds, unit: '1/s' },
    { figure: 'submit_latency_p50_ms', value: after.sender.p50!, unit: 'ms' },
    { figure: 'submit_latency_p99_ms', value: after.sender.p99!, unit: 'ms' },
    { figure: 'sender_rss_mb', value: after.sender.rss! / 2 ** 20, unit: 'MB' },
    { figure: 'sender_cpu_us_per_message', value: perMessage(after.sender.cpu!, before.sender.cpu!), unit: 'µs' },
    { figure: 'postgres_cpu_us_per_message', value: perMessage(postgresSeconds(folder), before.postgres), unit: 'µs' },
    {
      figure: 'simulator_cpu_us_per_message',
      value: perMessage(after.simulator.cpu!, before.simulator.cpu!),
      unit: 'µs',
    },
    { figure: 'wal_bytes_per_message', value: (Number(wal[0].bytes) - Number(before.wal)) / count, unit: 'B' },
    { figure: 'commits_per_1000_messages', value: ((committed - before.commits) / count) * 1_000, unit: '' },
    { figure: 'queued_rows_per_second', value: count / queuedSeconds, unit: '1/s' },
  ]);
  await sender.stop();
  await simulator.stop();
  await client.end();
} finally {
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
