import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './harness/child.ts';
import { type House, inHouse, reached, run, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';
import { type BenchTenant, openTenant, queueMessages } from './harness/tenant.ts';

// Measures the cost of several senders: the same messages over the same four links by 1, 2 and 4 sender processes on
// the same cores. It also measures how long a link stands still when its sender is killed, from SIGKILL to the first
// submit of another.

const { count, kills } = readOptions({ count: 1_000_000, kills: 24 });
const LINKS = 4;
/** Messages sent over each link before, so that no sender is measured while it is compiled. */
const WARM_UP = 30_000;
/** Number of senders. The one that holds the link is killed, and then another is started. */
const SENDERS = 2;
const WINDOW = 500;
const LIMIT_SECONDS = 300;
const PATIENCE_MS = 60_000;
const LEAST_SHARE = 0.85;
/** Segments per second of the link that loses its sender. */
const RATE = 400;
/** Milliseconds after which every submit from before the kill has arrived. */
const ARRIVED_MS = 30;
const LOOK_MS = 5;

async function until(what: string, look: () => Promise<boolean>, everyMs = 50): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await look())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(everyMs);
  }
}

/** Returns the names of the senders that hold links, by link; a name begins with host and process. */
async function holders({ client }: BenchTenant): Promise<string[]> {
  const { rows } = await client.query<{ holder: string }>(
    `SELECT holder FROM lane WHERE class = 'bulk' AND expires_at > now() ORDER BY link_id`,
  );
  return rows.map(({ holder }) => holder);
}

const startSender = (house: House): Promise<Child> => house.start('sender-process.ts');

interface Throughput {
  /** Messages per second. */
  rate: number;
  /** Microseconds of processor time of all senders and of PostgreSQL per message. */
  microseconds: number;
}

/** Sends `each` messages over each link at the same time; resolves when all are submitted. */
async function sendOver(tenant: BenchTenant, links: readonly number[], each: number, begin?: () => Promise<void>) {
  const campaigns: number[] = [];
  for (const link_id of links) campaigns.push(await queueMessages({ ...tenant, link_id }, each));
  await begin?.();
  for (const campaign of campaigns) await run(tenant, campaign);
  for (const campaign of campaigns) await reached(tenant, campaign, 'submitted', each, LIMIT_SECONDS);
}

/** Measures the throughput of `senders` warm senders on an otherwise idle machine. */
async function throughput(senders: number): Promise<Throughput> {
  let result: Throughput = { rate: 0, microseconds: 0 };
  await inHouse(async (house) => {
    const carrier = await house.start('simulator-process.ts');
    const tenant = await openTenant(house.postgres.url, carrier.ready.port!, WINDOW);
    house.closing.push(() => tenant.client.end());
    const links = [tenant.link_id];
    // Each link has its own account, because a carrier sends receipts through any bind of an account.
    for (let place = 1; place < LINKS; place++) {
      const { rows } = await tenant.client.query<{ id: number }>(
        `INSERT INTO link (name, host, port, system_id, binds, window_size)
         SELECT name || $2, host, port, system_id || $2, binds, window_size FROM link WHERE id = $1 RETURNING id`,
        [tenant.link_id, ` ${place}`],
      );
      links.push(rows[0]!.id);
    }
    const crew: Child[] = [];
    for (let place = 0; place < senders; place++) crew.push(await startSender(house));
    await until('the links are spread', async () => {
      const held = await holders(tenant);
      return held.length === LINKS && new Set(held).size === senders;
    });
    await until('all links are bound', async () => {
      const { rows } = await tenant.client.query(`SELECT FROM link_state WHERE state = 'up' AND holder IS NOT NULL`);
      return rows.length === LINKS;
    });
    const processor = async () => {
      const stats = await Promise.all(crew.map((sender) => sender.ask('stats')));
      return stats.reduce((sum, { cpu }) => sum + cpu!, postgresSeconds(house.folder));
    };
    tell(`${senders} senders: ${count.toLocaleString('en')} messages`);
    await sendOver(tenant, links, WARM_UP);
    let [begun, before] = [0, 0];
    const each = Math.floor(count / LINKS);
    await sendOver(tenant, links, each, async () => {
      before = await processor();
      begun = performance.now();
    });
    const seconds = (performance.now() - begun) / 1_000;
    const sent = each * LINKS;
    result = { rate: sent / seconds, microseconds: (((await processor()) - before) / sent) * 1e6 };
  });
  return result;
}

/** Returns the milliseconds from each kill to the first submit of another sender, in order. */
async function failovers(): Promise<number[]> {
  const times: number[] = [];
  await inHouse(async (house) => {
    const carrier = await house.start('simulator-process.ts');
    const tenant = await openTenant(house.postgres.url, carrier.ready.port!, WINDOW);
    house.closing.push(() => tenant.client.end());
    await tenant.client.query('UPDATE link SET rate = $1', [RATE]);
    const campaign = await queueMessages(tenant, kills * RATE * 8);
    for (let place = 0; place < SENDERS; place++) await startSender(house);
    await run(tenant, campaign);
    const submits = async () => (await carrier.ask('counts')).submits!;
    for (let kill = 0; kill < kills; kill++) {
      await until('there is another sender', async () => {
        const { rows } = await tenant.client.query(`SELECT FROM node WHERE kind = 'sender' AND node_is_live(seen_at)`);
        return rows.length > 1;
      });
      const before = await submits();
      await until('messages leave', async () => (await submits()) > before);
      // The kill comes at a random moment of a lease and of a look.
      await sleep(Math.random() * 1_000);
      const [holder] = await holders(tenant);
      const killed = performance.now();
      process.kill(Number(holder!.split(':')[1]), 'SIGKILL');
      await sleep(ARRIVED_MS);
      const left = await submits();
      await until('another submits', async () => (await submits()) > left, LOOK_MS);
      times.push(performance.now() - killed);
      tell(`kill ${kill + 1}: ${Math.round(times.at(-1)!)} ms`);
      await startSender(house);
    }
  });
  return times;
}

const alone = await throughput(1);
const pair = await throughput(2);
const four = await throughput(4);
report('nodes', [
  { figure: 'messages_per_second_of_1_sender', value: alone.rate, unit: '1/s' },
  { figure: 'messages_per_second_of_2_senders', value: pair.rate, unit: '1/s' },
  { figure: 'messages_per_second_of_4_senders', value: four.rate, unit: '1/s' },
  { figure: 'two_to_one', value: pair.rate / alone.rate, unit: `(at least ${LEAST_SHARE})` },
  { figure: 'four_to_one', value: four.rate / alone.rate, unit: `(at least ${LEAST_SHARE})` },
  { figure: 'cpu_us_per_message_of_1_sender', value: alone.microseconds, unit: 'µs' },
  { figure: 'cpu_us_per_message_of_2_senders', value: pair.microseconds, unit: 'µs' },
  { figure: 'cpu_us_per_message_of_4_senders', value: four.microseconds, unit: 'µs' },
]);
tell(`killing ${kills} senders`);
const times = await failovers();
const at = (share: number) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1]!;
report('nodes', [
  { figure: 'failover_p50', value: at(0.5), unit: 'ms' },
  { figure: 'failover_p99', value: at(0.99), unit: 'ms (under 5000)' },
]);
