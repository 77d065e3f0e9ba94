import { setTimeout as sleep } from 'node:timers/promises';
import { installJobs } from '../apps/server/src/platform/jobs/jobs.ts';
import { JOBS } from '../apps/server/src/processes/jobs.ts';
import { type Accepted, Arrivals, percentile } from './harness/arrivals.ts';
import { type House, inHouse, openLine, ownSession, reached, run, tell } from './harness/house.ts';
import { httpProgram } from './harness/http-program.ts';
import { apiCosts, readApiMeters } from './harness/meters.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { type BenchTenant, openTenant, queueMessages } from './harness/tenant.ts';

// Measures verifications over HTTP: starts over many connections with the guard in shadow mode, and then the time from the call
// until the carrier takes the code, beside a bulk campaign over the same link. A start is counted when its 202 arrives, which is
// after its commit.

const CONNECTIONS = 128;
const TARGET_P99_MS = 100;
const LIMIT_SECONDS = 300;
const LAST_ONES_MS = 15_000;
/** Starts of the warm-up at the same time: few, so that a transaction has one or two, as beside bulk. */
const TOGETHER = 2;
const NO_RATE = 1_000_000;
/** `rate` is that of the link in parts a second. The usual one is none: bulk takes all that the machine has. */
const { count, bulk, every, window, rate } = readOptions({
  count: 30_000,
  bulk: 300_000,
  every: 50,
  window: 2_000,
  rate: NO_RATE,
});

/** Starts an API, and returns a program that starts verifications at a service with a guard. */
async function openVerify(house: House, tenant: BenchTenant) {
  const owner = await ownSession(house);
  const api = await house.start('api-process.ts', { PORT: '0' });
  const { post } = await httpProgram(house, owner, tenant, { port: api.ready.port!, connections: CONNECTIONS });
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO verify_service (corporation_id, name, app_name, code_length, minutes, tries, resends, resend_pause, senders, language,
       format, countries, guard, number_limit, address_limit, device_limit, block_limit)
     VALUES ($1, 'Bench', 'Bench', 6, 10, 5, 3, 30, '{Bench}', 'en', 'plain', '{PH}', 'shadow', 5, 10, 5, 5) RETURNING id`,
    [tenant.corporation_id],
  );
  const service = String(rows[0]!.id);
  const start = (to: string, person: number) =>
    post(
      '/v1/verifications',
      JSON.stringify({
        service,
        to,
        client_ip: `10.${(person >> 16) & 255}.${(person >> 8) & 255}.${person & 255}`,
        device: `device-${person}`,
      }),
    );
  return { owner, api, start };
}

await inHouse(async (house) => {
  await installJobs(house.postgres.url, JOBS);
  const tenant = await openTenant(house.postgres.url, 1, 10);
  house.closing.push(() => tenant.client.end());
  const { owner, api, start } = await openVerify(house, tenant);
  const starts = async (from: number, many: number) => {
    let next = 0;
    const took: number[] = [];
    const began = performance.now();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let index = next++; index < many; index = next++) {
          const called = performance.now();
          // Neighboring starts go to different blocks of numbers, as those of people do.
          await start(`63917${String((index * 7_919 + from) % 10_000_000).padStart(7, '0')}`, from + index);
          took.push(performance.now() - called);
        }
      }),
    );
    took.sort((a, b) => a - b);
    return { perSecond: (many * 1_000) / (performance.now() - began), p99: percentile(took, 0.99) };
  };
  tell('warming up');
  await starts(5_000_000, 2_000);
  tell(`${count.toLocaleString('en')} starts`);
  const before = await readApiMeters(house, api);
  const { perSecond, p99 } = await starts(0, count);
  const spent = apiCosts(before, await readApiMeters(house, api), count, 'start');
  const { rows } = await owner.query<{ n: number }>('SELECT count(*) AS n FROM verification');
  if (rows[0]!.n !== count + 2_000) throw new Error(`${rows[0]!.n} verifications stand, not ${count + 2_000}`);
  const { rss } = await api.ask('stats');
  report('verify', [
    { figure: 'starts_per_second', value: perSecond, unit: '1/s' },
    { figure: 'start_p99_ms', value: p99, unit: 'ms' },
    ...spent,
    { figure: 'api_rss_mb', value: rss! / 2 ** 20, unit: 'MB' },
  ]);
});

await inHouse(async (house) => {
  await installJobs(house.postgres.url, JOBS);
  const carrier = await house.start('simulator-process.ts', { SIMULATOR_LOG: '1', SIMULATOR_SETTINGS: '{}' });
  const { tenant } = await openLine(house, carrier, { window, rate: rate < NO_RATE ? rate : null });
  const { start } = await openVerify(house, tenant);
  tell(`queueing ${bulk.toLocaleString('en')} messages`);
  const campaign = await queueMessages(tenant, bulk);
  tell('warming up');
  for (let from = 0; from < 2_000; from += TOGETHER)
    await Promise.all(
      Array.from({ length: TOGETHER }, (_, at) =>
        start(`63918${String((from + at) * 4_999).padStart(7, '0')}`, 1e6 + from + at),
      ),
    );
  tell(`sending them, with a start every ${every} ms`);
  const accepted: Accepted[] = [];
  const arrivals = new Arrivals(carrier, accepted);
  await run(tenant, campaign);
  let ended = false;
  const beat = (async () => {
    const under: Promise<void>[] = [];
    const began = performance.now();
    for (let index = 0; !ended; index++) {
      await sleep(Math.max(0, began + index * every - performance.now()));
      const number = `63999${String((index * 7_919) % 10_000_000).padStart(7, '0')}`;
      const calledAt = Date.now();
      under.push(start(number, index).then(() => void accepted.push({ number, calledAt, acceptedAt: Date.now() })));
    }
    await Promise.all(under);
  })();
  let looking = Promise.resolve();
  let lookedAt = performance.now();
  const look = () => {
    if (performance.now() - lookedAt < 500) return;
    lookedAt = performance.now();
    looking = looking.then(() => arrivals.look());
  };
  const began = performance.now();
  await Promise.race([
    reached(tenant, campaign, 'submitted', bulk, LIMIT_SECONDS, look),
    beat.then(() => new Promise<never>(() => undefined)),
  ]);
  const bulkRate = (bulk * 1_000) / (performance.now() - began);
  ended = true;
  await beat;
  await looking;
  for (const end = performance.now() + LAST_ONES_MS; arrivals.missing > 0; await sleep(100)) {
    if (performance.now() > end) throw new Error(`${arrivals.missing} codes never came to the carrier`);
    await arrivals.look();
  }
  const after = (from: 'calledAt' | 'acceptedAt') =>
    accepted.map((each) => Math.max(0, arrivals.at.get(each.number)! - each[from])).sort((a, b) => a - b);
  const called = after('calledAt');
  report('verify', [
    { figure: 'codes_beside_bulk', value: called.length, unit: '' },
    { figure: 'call_to_carrier_p50_ms', value: percentile(called, 0.5), unit: 'ms' },
    { figure: 'call_to_carrier_p99_ms', value: percentile(called, 0.99), unit: `ms (under ${TARGET_P99_MS})` },
    { figure: 'acceptance_to_carrier_p99_ms', value: percentile(after('acceptedAt'), 0.99), unit: 'ms' },
    { figure: 'bulk_messages_per_second', value: bulkRate, unit: '1/s' },
  ]);
});
