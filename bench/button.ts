import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '../apps/server/src/modules/billing/index.ts';
import { SENDER_NODE_OPTIONS } from '../apps/server/src/platform/process/node-options.ts';
import { openAudience } from './harness/audience.ts';
import { inHouse, reached, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';

// Measures a quoted campaign from the moment at which somebody presses Send until its last receipt is recorded and
// charged: the reserve, the preparation by a worker, the sending, and the receipts. A worker, a sender and the carrier
// are processes of their own, and PostgreSQL stores everything with durability on. Nothing waits for an undo.

const { count, profile, window } = readOptions({ count: 1_000_000, window: 2_000 });
const LIMIT_SECONDS = 300;
/** Pause between looks at what the carrier has received. */
const LOOK_MS = 10;

await inHouse(async (house) => {
  const carrier = await house.start('simulator-process.ts');
  const { worker, tenant, quote, send, database } = await openAudience(house, count, profile, {
    port: carrier.ready.port!,
    window,
  });
  const sender = await house.start('sender-process.ts', {}, [
    ...SENDER_NODE_OPTIONS,
    ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : []),
  ]);
  while ((await carrier.ask('counts')).binds === 0) await sleep(50);
  tell('quoting');
  const quoted = await quote();
  const used = async () => ({
    worker: (await worker.ask('stats')).cpu!,
    sender: (await sender.ask('stats')).cpu!,
    postgres: postgresSeconds(house.folder),
    wal: Number((await tenant.client.query(`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`)).rows[0].bytes),
  });
  tell('sending');
  const before = await used();
  const started = performance.now();
  const since = () => (performance.now() - started) / 1_000;
  const campaign = await send(quoted.id);
  const first = async () => {
    while ((await carrier.ask('counts')).accepted === 0) await sleep(LOOK_MS);
    return since();
  };
  const prepared = async () => {
    for (;;) {
      const { rows } = await tenant.client.query(
        'SELECT coalesce(sum(size), 0)::integer AS written FROM chunk WHERE campaign_id = $1',
        [campaign.id],
      );
      if (rows[0].written === campaign.total_count) return since();
      await sleep(50);
    }
  };
  const [first_handset, all_written] = await Promise.all([
    first(),
    prepared(),
    reached(tenant, campaign.id, 'delivered', campaign.total_count, LIMIT_SECONDS),
  ]);
  const seconds = since();
  const after = await used();
  const { charged } = await database
    .selectFrom('campaign_counter')
    .select('charged')
    .where('campaign_id', '=', campaign.id)
    .executeTakeFirstOrThrow();
  const { accepted } = await carrier.ask('counts');
  const differences = await reconcile(tenant.client);
  if (charged !== campaign.estimated_cost || accepted !== campaign.total_count || differences.length > 0) {
    throw new Error(`${accepted} were accepted and ${charged} charged of ${JSON.stringify(campaign)}`);
  }
  const perMessage = (name: 'worker' | 'sender' | 'postgres') =>
    ((after[name] - before[name]) * 1e6) / campaign.total_count;
  report('button', [
    { figure: 'seconds', value: seconds, unit: 's' },
    { figure: 'first_handset_seconds', value: first_handset, unit: 's' },
    { figure: 'prepared_seconds', value: all_written, unit: 's' },
    { figure: 'messages_per_second', value: campaign.total_count / seconds, unit: '1/s' },
    { figure: 'messages', value: campaign.total_count, unit: '' },
    { figure: 'worker_cpu_us_per_message', value: perMessage('worker'), unit: 'µs' },
    { figure: 'sender_cpu_us_per_message', value: perMessage('sender'), unit: 'µs' },
    { figure: 'postgres_cpu_us_per_message', value: perMessage('postgres'), unit: 'µs' },
    { figure: 'wal_bytes_per_message', value: (after.wal - before.wal) / campaign.total_count, unit: 'B' },
  ]);
});
