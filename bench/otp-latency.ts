import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { reserve } from '../apps/server/src/modules/billing/index.ts';
import { enqueueMessages } from '../apps/server/src/modules/delivery/index.ts';
import { type Accepted, Arrivals, percentile } from './harness/arrivals.ts';
import { inHouse, type Line, openLine, ownSession, reached, run, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { type BenchTenant, PRICE, queueMessages, sharedBy } from './harness/tenant.ts';

// Measures one-time passwords while a bulk campaign runs over the same link, first at full speed, then over a link that
// its carrier throttles. The time is from a message's acceptance until the carrier takes its submit_sm; a throttled try
// does not count. A message is accepted when its transaction has committed, which is when a caller gets the reply. Both
// clocks are this machine's, read to the millisecond.

const options = readOptions({ count: 500_000, every: 50, window: 2_000, throttle: 50, seconds: 30 });
const { count, every, window, throttle, seconds: throttledSeconds, profile } = options;
const LIMIT_SECONDS = 300;
const TARGET_P99_MS = 60;
const THROTTLED_TARGET_P99_MS = 1_000;
const LAST_ONES_MS = 15_000;

/** Accepts one message of class otp as the sending calls of the API do: queued, reserved, committed. */
async function acceptOne(client: pg.Client, tenant: BenchTenant, number: string): Promise<Accepted> {
  const calledAt = Date.now();
  const shared = sharedBy(tenant, {
    class: 'otp',
    common_text: '493021 is your code. It is valid for five minutes.',
    text_key: null,
    expires_at: new Date(calledAt + 3_600_000).toISOString(),
  });
  await client.query('BEGIN');
  const message = { msisdn: number, name: null, text: null, unicode: false, parts: 1, unit_price: PRICE };
  const [id] = await enqueueMessages(client, shared, [message]);
  const { billing_account_id, corporation_id } = tenant;
  await reserve(client, { key: `message:${id}:reserve`, billing_account_id, corporation_id, amount: PRICE });
  await client.query('COMMIT');
  return { number, calledAt, acceptedAt: Date.now() };
}

/** Accepts one message at each beat until it is stopped; a slow one does not delay the next. */
class Beat {
  readonly accepted: Accepted[] = [];
  readonly #running: Promise<void>;
  #ended = false;

  constructor(clients: readonly pg.Client[], tenant: BenchTenant) {
    this.#running = this.#run([...clients], tenant);
  }

  async #run(idle: pg.Client[], tenant: BenchTenant): Promise<void> {
    const under: Promise<void>[] = [];
    const began = performance.now();
    for (let i = 0; !this.#ended; i++) {
      await sleep(Math.max(0, began + i * every - performance.now()));
      const client = idle.pop();
      if (!client) throw new Error('eight messages are waiting to be accepted: the database does not keep up');
      const number = `63999${String(1_000_000 + i).slice(-7)}`;
      under.push(
        acceptOne(client, tenant, number).then((accepted) => {
          this.accepted.push(accepted);
          idle.push(client);
        }),
      );
    }
    await Promise.all(under);
  }

  /** Stops; resolves when the last message was accepted. */
  end(): Promise<void> {
    this.#ended = true;
    return this.#running;
  }

  /** Rejects if a message cannot be accepted. */
  get failed(): Promise<never> {
    return this.#running.then(() => new Promise<never>(() => undefined));
  }
}

/** Milliseconds of each code, sorted: from its acceptance, or from the call that handed it in. */
type Latencies = Record<'calledAt' | 'acceptedAt', number[]>;

/**
 * Sends `bulk` messages over a new link with these settings of the carrier, and a code at each beat until `until`
 * resolves; answers the latencies of the codes.
 */
async function beside(
  bulk: number,
  settings: Record<string, number>,
  until: (line: Line, campaign: number, look: () => void) => Promise<void>,
): Promise<Latencies> {
  let latencies: Latencies = { calledAt: [], acceptedAt: [] };
  await inHouse(async (house) => {
    const simulator = { SIMULATOR_LOG: '1', SIMULATOR_SETTINGS: JSON.stringify(settings) };
    const carrier = await house.start('simulator-process.ts', simulator);
    const line = await openLine(house, carrier, { window, profile });
    tell(`queueing ${bulk.toLocaleString('en')} messages`);
    const campaign = await queueMessages(line.tenant, bulk);
    const clients = await Promise.all(Array.from({ length: 8 }, () => ownSession(house)));
    tell(`sending them, with one of class otp every ${every} ms`);
    await run(line.tenant, campaign);
    const beat = new Beat(clients, line.tenant);
    const arrivals = new Arrivals(carrier, beat.accepted);
    let looking = Promise.resolve();
    let lookedAt = performance.now();
    const look = () => {
      if (performance.now() - lookedAt < 500) return;
      lookedAt = performance.now();
      looking = looking.then(() => arrivals.look());
    };
    await Promise.race([until(line, campaign, look), beat.failed]);
    await beat.end();
    await looking;
    for (const end = performance.now() + LAST_ONES_MS; arrivals.missing > 0; await sleep(100)) {
      if (performance.now() > end)
        throw new Error(`${arrivals.missing} messages of class otp never came to the carrier`);
      await arrivals.look();
    }
    const after = (from: keyof Latencies) =>
      beat.accepted.map((each) => Math.max(0, arrivals.at.get(each.number)! - each[from])).sort((a, b) => a - b);
    latencies = { calledAt: after('calledAt'), acceptedAt: after('acceptedAt') };
  });
  return latencies;
}

let bulkRate = 0;
const free = await beside(count, {}, async ({ tenant }, campaign, look) => {
  const started = performance.now();
  await reached(tenant, campaign, 'submitted', count, LIMIT_SECONDS, look);
  bulkRate = count / ((performance.now() - started) / 1_000);
});
const ms = (figure: string, sorted: readonly number[], share: number, target?: number) => ({
  figure,
  value: percentile(sorted, share),
  unit: target === undefined ? 'ms' : `ms (under ${target})`,
});
report('otp-latency', [
  { figure: 'otp_messages', value: free.acceptedAt.length, unit: '' },
  ms('p99_ms', free.acceptedAt, 0.99, TARGET_P99_MS),
  ms('acceptance_to_submit_p50_ms', free.acceptedAt, 0.5),
  ms('acceptance_to_submit_p99_ms', free.acceptedAt, 0.99, TARGET_P99_MS),
  ms('acceptance_to_submit_max_ms', free.acceptedAt, 1),
  ms('call_to_submit_p50_ms', free.calledAt, 0.5),
  ms('call_to_submit_p99_ms', free.calledAt, 0.99),
  { figure: 'bulk_messages_per_second', value: bulkRate, unit: '1/s' },
]);

const bulkTaken = { first: 0, last: 0 };
const held = await beside(
  throttle * throttledSeconds * 2 + 20_000,
  { rate: throttle },
  async ({ carrier }, _, look) => {
    bulkTaken.first = (await carrier.ask('counts')).accepted!;
    for (const end = performance.now() + throttledSeconds * 1_000; performance.now() < end; await sleep(50)) look();
    bulkTaken.last = (await carrier.ask('counts')).accepted!;
  },
);
report('otp-latency', [
  { figure: 'throttled_otp_messages', value: held.acceptedAt.length, unit: '' },
  ms('throttled_p50_ms', held.acceptedAt, 0.5),
  ms('throttled_p99_ms', held.acceptedAt, 0.99, THROTTLED_TARGET_P99_MS),
  ms('throttled_max_ms', held.acceptedAt, 1),
  {
    figure: 'throttled_link_messages_per_second',
    value: (bulkTaken.last - bulkTaken.first) / throttledSeconds,
    unit: `1/s (of ${throttle})`,
  },
]);
