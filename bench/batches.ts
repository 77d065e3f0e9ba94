import { setTimeout as sleep } from 'node:timers/promises';
import { installJobs } from '../apps/server/src/platform/jobs/jobs.ts';
import { SENDER_NODE_OPTIONS } from '../apps/server/src/platform/process/node-options.ts';
import { JOBS } from '../apps/server/src/processes/jobs.ts';
import { inHouse, ownSession, tell } from './harness/house.ts';
import { httpProgram } from './harness/http-program.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { openTenant } from './harness/tenant.ts';

// Measures the same messages as one batch and as many tiny ones, over HTTP, in turns: how fast they are accepted, and
// how fast a sender brings the waiting ones to the carrier. API and worker run all the time, and so does the carrier.

const CONNECTIONS = 32;
const { count, small, rounds } = readOptions({ count: 10_000, small: 5, rounds: 3 });
const LIMIT_MS = 120_000;

await inHouse(async (house) => {
  await installJobs(house.postgres.url, JOBS);
  const carrier = await house.start('simulator-process.ts');
  const tenant = await openTenant(house.postgres.url, carrier.ready.port!, 2_000);
  house.closing.push(() => tenant.client.end());
  const owner = await ownSession(house);
  await house.start('worker-process.ts');
  const api = await house.start('api-process.ts', { PORT: '0' });
  const { post } = await httpProgram(house, owner, tenant, { port: api.ready.port!, connections: CONNECTIONS });

  const bodyOf = (from: number, size: number) => {
    const recipients = Array.from({ length: size }, (_, index) => ({
      to: `63917${String(from + index).padStart(7, '0')}`,
      params: { name: `N${from + index}` },
    }));
    return JSON.stringify({ from: 'Bench', text: 'Hello {name}, your parcel is on its way.', recipients });
  };
  /** Returns the messages per second that are accepted, in batches of one size. */
  const handIn = async (size: number): Promise<number> => {
    const bodies = Array.from({ length: count / size }, (_, index) => bodyOf(index * size, size));
    let next = 0;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) await post('/v1/batches', body);
      }),
    );
    return (count * 1_000) / (performance.now() - began);
  };
  /** Returns the messages per second that reach the carrier, from the first waiting message to the last. */
  const drain = async (): Promise<number> => {
    const submits = async () => (await carrier.ask('counts')).submits!;
    const before = await submits();
    const sender = await house.start('sender-process.ts', {}, [...SENDER_NODE_OPTIONS]);
    const started = performance.now();
    let first: number | undefined;
    for (;;) {
      const now = (await submits()) - before;
      if (now > 0) first ??= performance.now();
      if (now >= count) break;
      if (performance.now() - started > LIMIT_MS) throw new Error(`only ${now} reached the carrier in time`);
      await sleep(5);
    }
    const rate = (count * 1_000) / (performance.now() - first!);
    await sender.stop();
    return rate;
  };

  const kinds = { one_batch: count, small_batches: small };
  const taken = { one_batch: [] as number[], small_batches: [] as number[] };
  const sent = { one_batch: [] as number[], small_batches: [] as number[] };
  for (let round = 0; round <= rounds; round++)
    for (const [kind, size] of Object.entries(kinds) as [keyof typeof kinds, number][]) {
      tell(`${count / size} batches of ${size}${round === 0 ? ', to warm up' : ''}`);
      const rates = [await handIn(size), await drain()] as const;
      if (round === 0) continue;
      taken[kind].push(rates[0]);
      sent[kind].push(rates[1]);
    }
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
  report('batches', [
    { figure: 'one_batch_taken_per_second', value: median(taken.one_batch), unit: '1/s' },
    { figure: 'small_batches_taken_per_second', value: median(taken.small_batches), unit: '1/s' },
    { figure: 'taken_ratio', value: median(taken.one_batch) / median(taken.small_batches), unit: '' },
    { figure: 'one_batch_sent_per_second', value: median(sent.one_batch), unit: '1/s' },
    { figure: 'small_batches_sent_per_second', value: median(sent.small_batches), unit: '1/s' },
    { figure: 'sent_ratio', value: median(sent.one_batch) / median(sent.small_batches), unit: '' },
  ]);
});
