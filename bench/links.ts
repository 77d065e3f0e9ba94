import { setTimeout as sleep } from 'node:timers/promises';
import { type House, inHouse, reached, run, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';
import { openTenant, queueMessages } from './harness/tenant.ts';

// Measures several links of one account by cold senders. The carrier sends a receipt through any bind of the account,
// so most receipts come through another link than their message; with two senders, half come to another process.

const { count, links } = readOptions({ count: 200_000, links: 4 });
const WINDOW = 500;
const LIMIT_SECONDS = 300;
const TARGET = 60_000;

interface Pass {
  /** Messages per second until the last receipt is recorded. */
  rate: number;
  /** Microseconds of processor time of all senders and of PostgreSQL per message. */
  microseconds: number;
}

/** Sends the messages over all links by new senders. */
async function pass(house: House, senders: number): Promise<Pass> {
  const carrier = await house.start('simulator-process.ts');
  const tenant = await openTenant(house.postgres.url, carrier.ready.port!, WINDOW);
  house.closing.push(() => tenant.client.end());
  const ids = [tenant.link_id];
  for (let place = 1; place < links; place++) {
    const { rows } = await tenant.client.query<{ id: number }>(
      `INSERT INTO link (name, host, port, system_id, binds, window_size)
       SELECT name || $2, host, port, system_id, binds, window_size FROM link WHERE id = $1 RETURNING id`,
      [tenant.link_id, ` ${place}`],
    );
    ids.push(rows[0]!.id);
  }
  const each = Math.floor(count / links);
  const campaigns: number[] = [];
  for (const link_id of ids) campaigns.push(await queueMessages({ ...tenant, link_id }, each));
  const crew = await Promise.all(Array.from({ length: senders }, () => house.start('sender-process.ts')));
  for (let bound = 0; bound < links; await sleep(50)) {
    const { rows } = await tenant.client.query(`SELECT FROM link_state WHERE state = 'up' AND holder IS NOT NULL`);
    bound = rows.length;
  }
  const processor = async () => {
    const stats = await Promise.all(crew.map((sender) => sender.ask('stats')));
    return stats.reduce((sum, { cpu }) => sum + cpu!, postgresSeconds(house.folder));
  };
  const before = await processor();
  const begun = performance.now();
  for (const campaign of campaigns) await run(tenant, campaign);
  for (const campaign of campaigns) await reached(tenant, campaign, 'delivered', each, LIMIT_SECONDS);
  const seconds = (performance.now() - begun) / 1_000;
  return { rate: (each * links) / seconds, microseconds: (((await processor()) - before) / (each * links)) * 1e6 };
}

for (const senders of [1, 2]) {
  tell(`${senders} cold senders, ${links} links of one account`);
  await inHouse(async (house) => {
    const { rate, microseconds } = await pass(house, senders);
    const name = senders === 1 ? '1_sender' : `${senders}_senders`;
    report('links', [
      { figure: `messages_per_second_of_${name}`, value: rate, unit: `1/s (${TARGET} wanted)` },
      { figure: `cpu_us_per_message_of_${name}`, value: microseconds, unit: 'µs' },
    ]);
  });
}
