import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './harness/child.ts';
import { inHouse, ownSession, run, tell } from './harness/house.ts';
import { checkMoney } from './harness/meters.ts';
import { readOptions } from './harness/options.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';
import { openTenant, PRICE, queueMessages } from './harness/tenant.ts';

// Sends a great many messages through two senders, a link each, and one database that keeps them all. Campaigns are
// queued while others are sent, to the end, so that every tenth has the same work. Compares the last tenth to the first.

const { count, campaign: size } = readOptions({ count: 50_000_000, campaign: 1_000_000 });
const SENDERS = 2;
/** Campaigns that are queued ahead of those that run. */
const AHEAD = 2;
const WINDOW = 2_000;
const LEAST_RATIO = 0.95;
const BIND_MS = 60_000;
const STILL_MS = 60_000;

await inHouse(async (house) => {
  const carrier = await house.start('simulator-process.ts');
  const tenant = await openTenant(house.postgres.url, carrier.ready.port!, WINDOW);
  house.closing.push(() => tenant.client.end());
  const watcher = await ownSession(house);
  const { rows } = await tenant.client.query<{ id: number }>(
    `INSERT INTO link (name, host, port, system_id, binds, window_size)
     SELECT name || ' 2', host, port, system_id || '2', binds, window_size FROM link WHERE id = $1 RETURNING id`,
    [tenant.link_id],
  );
  const links = [tenant.link_id, rows[0]!.id];
  const senders: Child[] = [];
  for (let place = 0; place < SENDERS; place++) senders.push(await house.start('sender-process.ts'));
  for (let waited = 0; (await carrier.ask('counts')).binds! < links.length; waited += 50) {
    if (waited > BIND_MS) throw new Error('the senders did not bind to the carrier within a minute');
    await sleep(50);
  }

  const campaigns: number[] = [];
  const queueOne = async () => {
    const link_id = links[campaigns.length % links.length]!;
    campaigns.push(await queueMessages({ ...tenant, link_id }, size));
  };
  while (campaigns.length < links.length + AHEAD) await queueOne();
  const wanted = Math.ceil(count / size);
  const delivered = async () => {
    const { rows: sums } = await watcher.query<{ sum: number }>(
      'SELECT sum(delivered)::float8 AS sum FROM campaign_counter',
    );
    return sums[0]!.sum;
  };
  const sum = async () => {
    const stats = await Promise.all(senders.map((sender) => sender.ask('stats')));
    return stats.reduce((total, { cpu }) => total + cpu!, postgresSeconds(house.folder));
  };
  let started = 0;
  const startOne = () => run(tenant, campaigns[started++]!);
  const looks = [{ at: performance.now(), delivered: 0, cpu: await sum() }];
  let movedAt = performance.now();
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      const now = { at: performance.now(), delivered: await delivered(), cpu: await sum() };
      if (now.delivered > looks.at(-1)!.delivered) movedAt = now.at;
      if (now.at - movedAt > STILL_MS) throw new Error(`nothing has moved for a minute after ${now.delivered}`);
      looks.push(now);
      await sleep(250);
    }
  })();
  for (const _ of links) await startOne();
  try {
    // A campaign starts for each that is nearly through; another is queued for it meanwhile, also at the end.
    while (looks.at(-1)!.delivered < wanted * size) {
      const due = Math.floor(looks.at(-1)!.delivered / size) + links.length + 1;
      if (campaigns.length < due + AHEAD) {
        if (started < wanted) await startOne();
        await queueOne();
        tell(
          `${(looks.at(-1)!.delivered / 1e6).toFixed(1)} million of ${((wanted * size) / 1e6).toFixed(1)} delivered`,
        );
      } else await Promise.race([sleep(100), watching]);
    }
  } finally {
    ended = true;
    await watching;
  }
  // The books count a campaign in preparation by its reserve alone, but these have all their messages.
  await tenant.client.query(`UPDATE campaign SET state = 'paused' WHERE state = 'preparing'`);
  const { rows: wrong } = await tenant.client.query<{ campaign_id: number }>(
    'SELECT campaign_id FROM campaign_counter WHERE campaign_id = ANY ($1::bigint[]) AND charged <> $2',
    [campaigns.slice(0, wanted), size * PRICE],
  );
  if (wrong.length > 0) throw new Error(`the charge of campaign ${wrong[0]!.campaign_id} is not that of its messages`);
  await checkMoney({ tenant, carrier, sender: senders[0]! }, campaigns[0]!, size);

  const lookAt = (many: number) => looks.find((look) => look.delivered >= many)!;
  const between = (from: number, to: number) => {
    const [first, last] = [lookAt(from), lookAt(to)];
    const sent = last.delivered - first.delivered;
    return { rate: (sent * 1_000) / (last.at - first.at), cpu: ((last.cpu - first.cpu) / sent) * 1e6 };
  };
  const whole = between(1, wanted * size);
  const tenths = Array.from({ length: 10 }, (_, nth) =>
    between((wanted * size * nth) / 10, (wanted * size * (nth + 1)) / 10),
  );
  const [first, last] = [tenths[0]!, tenths[9]!];
  for (const { rate, cpu } of tenths) tell(`${Math.round(rate).toLocaleString('en')} a second, ${cpu.toFixed(1)} µs`);
  const { rows: sizes } = await tenant.client.query<{ size: number }>(
    'SELECT pg_database_size(current_database())::float8 AS size',
  );
  report('scale', [
    { figure: 'messages', value: wanted * size, unit: '' },
    { figure: 'messages_per_second', value: whole.rate, unit: '1/s' },
    { figure: 'first_tenth_per_second', value: first.rate, unit: '1/s' },
    { figure: 'last_tenth_per_second', value: last.rate, unit: '1/s' },
    { figure: 'last_to_first', value: last.rate / first.rate, unit: `(at least ${LEAST_RATIO})` },
    { figure: 'cpu_us_per_message', value: whole.cpu, unit: 'µs, queueing included' },
    { figure: 'last_to_first_cpu', value: last.cpu / first.cpu, unit: 'of the same, whatever the machine gives' },
    { figure: 'database_bytes_per_message', value: sizes[0]!.size / (campaigns.length * size), unit: 'B' },
  ]);
});
