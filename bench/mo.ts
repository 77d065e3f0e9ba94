import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connectionSettings } from '../apps/server/src/platform/database/db.ts';
import { installJobs } from '../apps/server/src/platform/jobs/jobs.ts';
import { JOBS } from '../apps/server/src/processes/jobs.ts';
import { seedReference } from '../apps/server/src/seed/reference.ts';
import type { Child } from './harness/child.ts';
import { type House, inHouse, openLine, ownSession, run, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { type Figure, report } from './harness/report.ts';
import { type BenchTenant, queueMessages } from './harness/tenant.ts';

// Measures messages from phones. First, as many per second as requested arrive, until the last one is in the inbox.
// Then a few arrive while a bulk campaign runs over the same link. Each is timed from the handset to the moment when a
// person with the inbox open is notified and reads it. Both clocks are this machine's.

const { rate, seconds, few, count } = readOptions({ rate: 1_000, seconds: 60, few: 50, count: 300_000 });
const TARGET_P99_MS = 1_000;
const LIMIT_MS = 120_000;
const FEW_SECONDS = 20;

/** Adds a routing for the number, and a signed-in person who sees the inbox. */
async function openInbox(house: House, { client, corporation_id, user_id }: BenchTenant): Promise<void> {
  await seedReference(client);
  await installJobs(house.postgres.url, JOBS);
  await client.query('BEGIN');
  await client.query("SELECT set_config('app.level', '0', true)");
  await client.query(
    `INSERT INTO routing (corporation_id, number, keyword, action) VALUES ($1, '2929', 'SALE', 'inbox')`,
    [corporation_id],
  );
  await client.query(
    `INSERT INTO role_permission (role_id, permission_id) SELECT u.role_id, p.id FROM user_account u, permission p
     WHERE u.id = $1 AND p.name = 'inbox-index'`,
    [user_id],
  );
  await client.query('INSERT INTO session (user_id, verified) VALUES ($1, true)', [user_id]);
  await client.query('COMMIT');
}

const stored = async (client: pg.Client) =>
  Number((await client.query('SELECT count(*) AS count FROM inbox_message')).rows[0].count);

/** Waits until `wanted` messages are in the inbox, or no more come. */
async function allStored(client: pg.Client, wanted: number): Promise<number> {
  let [last, movedAt] = [-1, performance.now()];
  for (;;) {
    const now = await stored(client);
    if (now >= wanted || performance.now() - movedAt > LIMIT_MS / 4) return now;
    if (now !== last) [last, movedAt] = [now, performance.now()];
    await sleep(50);
  }
}

async function takeIn(client: pg.Client, carrier: Child): Promise<Figure[]> {
  const total = rate * seconds;
  const began = performance.now();
  await carrier.ask(`write 639180000000 ${total} ${rate}`);
  let written = 0;
  let most = 0;
  while (written < total) {
    await sleep(500);
    written = (await carrier.ask('counts'))['written']!;
    most = Math.max(most, written - (await stored(client)));
    if (performance.now() - began > seconds * 1_000 + LIMIT_MS) throw new Error('the handsets cannot write so fast');
  }
  const came = await allStored(client, total);
  const took = (performance.now() - began) / 1_000;
  return [
    { figure: 'messages_per_second', value: came / took, unit: '1/s' },
    { figure: 'lost', value: total - came, unit: 'messages' },
    { figure: 'most_waiting', value: most, unit: 'messages' },
  ];
}

/** Records when a notified person read the message of each phone. */
async function watch(house: House, client: pg.Client): Promise<Map<string, number>> {
  const read = new Map<string, number>();
  const ears = new pg.Client(connectionSettings({ DATABASE_URL: house.postgres.url }, 'owner'));
  ears.on('error', () => undefined);
  await ears.connect();
  house.closing.push(() => ears.end());
  let last = Number((await client.query('SELECT coalesce(max(id), 0) AS id FROM inbox_message')).rows[0].id);
  ears.on('notification', ({ payload }) => {
    if (!payload?.includes('inbox.received')) return;
    ears.query<{ id: number; oa: string }>('SELECT id, oa FROM inbox_message WHERE id > $1 ORDER BY id', [last]).then(
      ({ rows }) => {
        for (const { id, oa } of rows) {
          last = Math.max(last, id);
          if (!read.has(oa)) read.set(oa, Date.now());
        }
      },
      () => undefined,
    );
  });
  await ears.query('LISTEN heliograph_events');
  return read;
}

async function besideACampaign(
  house: House,
  tenant: BenchTenant,
  client: pg.Client,
  carrier: Child,
): Promise<Figure[]> {
  const campaign = await queueMessages(tenant, count);
  const read = await watch(house, client);
  const total = few * FEW_SECONDS;
  await run(tenant, campaign);
  await sleep(1_000);
  await carrier.ask(`write 639190000000 ${total} ${few}`);
  const deadline = performance.now() + LIMIT_MS;
  while (read.size < total && performance.now() < deadline) await sleep(50);
  const times = await carrier.ask('times');
  const { rows } = await tenant.client.query<{ submitted: number }>(
    'SELECT submitted FROM campaign_counter WHERE campaign_id = $1',
    [campaign],
  );
  tell(`${rows[0]!.submitted} of ${count} messages of the campaign left meanwhile`);
  const delays = [...read].map(([number, at]) => at - (times[number] ?? at)).sort((a, b) => a - b);
  const percentile = (share: number) =>
    delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Number.NaN;
  const p99 = percentile(0.99);
  if (!(p99 < TARGET_P99_MS)) tell(`the target is ${TARGET_P99_MS} ms`);
  return [
    { figure: 'told_p50_ms', value: percentile(0.5), unit: 'ms' },
    { figure: 'told_p99_ms', value: p99, unit: 'ms' },
    { figure: 'told_lost', value: total - read.size, unit: 'messages' },
  ];
}

await inHouse(async (house) => {
  const carrier = await house.start('handsets-process.ts');
  const { tenant } = await openLine(house, carrier);
  await openInbox(house, tenant);
  await house.start('worker-process.ts');
  const client = await ownSession(house);
  const first = await takeIn(client, carrier);
  report('mo', [...first, ...(await besideACampaign(house, tenant, client, carrier))]);
});
