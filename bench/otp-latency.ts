import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { reserve } from '../apps/server/src/modules/billing/index.ts';
import { enqueueMessages } from '../apps/server/src/modules/delivery/index.ts';
import { inHouse, type Line, openLine, ownSession, reached, run, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { type BenchTenant, PRICE, queueMessages, sharedBy } from './harness/tenant.ts';

// Measures one-time passwords while a bulk campaign runs over the same link. The time is from a message's acceptance to
// the arrival of its submit_sm at the carrier. A message is accepted when its transaction has committed, which is when
// a caller gets the reply. Both clocks are this machine's, read to the millisecond.

const { count, every, window, profile } = readOptions({ count: 500_000, every: 50, window: 2_000 });
const LIMIT_SECONDS = 300;
const TARGET_P99_MS = 250;
const LAST_ONES_MS = 15_000;

interface Accepted {
  number: string;
  calledAt: number;
  acceptedAt: number;
}

/** Accepts one message of class otp as the sending calls of the API do: queued, reserved, committed. */
async function acceptOne(client: pg.Client, tenant: BenchTenant, number: string): Promise<Accepted> {
  const calledAt = Date.now();
  const shared = sharedBy(tenant, {
    class: 'otp',
    common_text: '493021 is your code. It is valid for five minutes.',
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

/** Arrival of each number's submit_sm at the carrier. The carrier is asked twice a second, before its log forgets. */
class Arrivals {
  readonly at = new Map<string, number>();
  readonly #carrier: Line['carrier'];
  readonly #accepted: readonly Accepted[];
  #from = 0;

  constructor(carrier: Line['carrier'], accepted: readonly Accepted[]) {
    this.#carrier = carrier;
    this.#accepted = accepted;
  }

  get missing(): number {
    return this.#accepted.length - this.at.size;
  }

  async look(): Promise<void> {
    const wanted = this.#accepted.slice(this.#from).filter(({ number }) => !this.at.has(number));
    if (wanted.length === 0) return;
    const found = await this.#carrier.ask(`arrived ${wanted.map(({ number }) => number).join(' ')}`);
    for (const [number, at] of Object.entries(found)) this.at.set(number, at);
    while (this.#from < this.#accepted.length && this.at.has(this.#accepted[this.#from]!.number)) this.#from++;
  }
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

await inHouse(async (house) => {
  const carrier = await house.start('simulator-process.ts', { SIMULATOR_LOG: '1' });
  const line = await openLine(house, carrier, { window, profile });
  tell(`queueing ${count.toLocaleString('en')} messages`);
  const campaign = await queueMessages(line.tenant, count);
  const clients = await Promise.all(Array.from({ length: 8 }, () => ownSession(house)));
  tell(`sending them, with one of class otp every ${every} ms`);
  const started = performance.now();
  await run(line.tenant, campaign);
  const beat = new Beat(clients, line.tenant);
  const arrivals = new Arrivals(carrier, beat.accepted);
  let looking = Promise.resolve();
  let lookedAt = performance.now();
  const bulk = reached(line.tenant, campaign, 'submitted', count, LIMIT_SECONDS, () => {
    if (performance.now() - lookedAt < 500) return;
    lookedAt = performance.now();
    looking = looking.then(() => arrivals.look());
  });
  await Promise.race([bulk, beat.failed]);
  const seconds = (performance.now() - started) / 1_000;
  await beat.end();
  await looking;
  for (const until = performance.now() + LAST_ONES_MS; arrivals.missing > 0; await sleep(100)) {
    if (performance.now() > until)
      throw new Error(`${arrivals.missing} messages of class otp never came to the carrier`);
    await arrivals.look();
  }
  const after = (from: 'calledAt' | 'acceptedAt') =>
    beat.accepted.map((each) => Math.max(0, arrivals.at.get(each.number)! - each[from])).sort((a, b) => a - b);
  const [fromAcceptance, fromCall] = [after('acceptedAt'), after('calledAt')];
  report('otp-latency', [
    { figure: 'otp_messages', value: fromAcceptance.length, unit: '' },
    { figure: 'acceptance_to_submit_p50_ms', value: percentile(fromAcceptance, 0.5), unit: 'ms' },
    {
      figure: 'acceptance_to_submit_p99_ms',
      value: percentile(fromAcceptance, 0.99),
      unit: `ms (under ${TARGET_P99_MS})`,
    },
    { figure: 'acceptance_to_submit_max_ms', value: fromAcceptance.at(-1) ?? Number.NaN, unit: 'ms' },
    { figure: 'call_to_submit_p50_ms', value: percentile(fromCall, 0.5), unit: 'ms' },
    { figure: 'call_to_submit_p99_ms', value: percentile(fromCall, 0.99), unit: 'ms' },
    { figure: 'bulk_messages_per_second', value: count / seconds, unit: '1/s' },
  ]);
});
