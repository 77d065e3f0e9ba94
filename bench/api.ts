import { installJobs } from '../apps/server/src/platform/jobs/jobs.ts';
import { JOBS } from '../apps/server/src/processes/jobs.ts';
import { inHouse, ownSession, tell } from './harness/house.ts';
import { httpProgram } from './harness/http-program.ts';
import { apiCosts, readApiMeters } from './harness/meters.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { openTenant } from './harness/tenant.ts';

// Measures submissions by customers' programs over HTTP: single messages over many connections, and then batches of
// 10,000 recipients one after another. Each is counted when its 202 arrives, which is after its commit. No sender runs.

const CONNECTIONS = 128;
const RECIPIENTS = 10_000;
const { count } = readOptions({ count: 30_000, window: 0 });

await inHouse(async (house) => {
  await installJobs(house.postgres.url, JOBS);
  const tenant = await openTenant(house.postgres.url, 1, 10);
  house.closing.push(() => tenant.client.end());
  const owner = await ownSession(house);
  const api = await house.start('api-process.ts', { PORT: '0' });
  const port = api.ready.port!;
  const { post } = await httpProgram(house, owner, tenant, { port, connections: CONNECTIONS });

  const numberOf = (index: number) => `63917${String(1_000_000 + index).slice(-7)}`;
  const singles = async (messages: number) => {
    let next = 0;
    const took: number[] = [];
    const started = performance.now();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let index = next++; index < messages; index = next++) {
          const began = performance.now();
          await post(
            '/v1/messages',
            JSON.stringify({ from: 'Bench', to: numberOf(index), text: `Your code is ${index}` }),
          );
          took.push(performance.now() - began);
        }
      }),
    );
    took.sort((a, b) => a - b);
    return { rate: (messages * 1_000) / (performance.now() - started), p99: took[Math.floor(took.length * 0.99)]! };
  };

  tell('warming up');
  await singles(2_000);
  tell(`${count.toLocaleString('en')} single messages`);
  const before = await readApiMeters(house, api);
  const single = await singles(count);
  const spent = apiCosts(before, await readApiMeters(house, api), count, 'message');
  const batches = Math.max(2, Math.round(count / RECIPIENTS) * 2);
  tell(`${batches} batches of ${RECIPIENTS.toLocaleString('en')} recipients`);
  const recipients = Array.from({ length: RECIPIENTS }, (_, index) => ({
    to: numberOf(index),
    params: { name: `N${index}` },
  }));
  const body = JSON.stringify({ from: 'Bench', text: 'Hello {name}, your parcel is on its way.', recipients });
  await post('/v1/batches', body);
  const started = performance.now();
  let sent = 0;
  await Promise.all(
    Array.from({ length: 2 }, async () => {
      while (sent++ < batches) await post('/v1/batches', body);
    }),
  );
  const batchSeconds = (performance.now() - started) / 1_000;
  const { rows } = await owner.query<{ n: number }>('SELECT count(*) AS n FROM program_message');
  const expected = 2_000 + count + (batches + 1) * RECIPIENTS;
  if (rows[0]!.n !== expected) throw new Error(`${rows[0]!.n} messages stand, not ${expected}`);
  const { rss } = await api.ask('stats');
  report('api', [
    { figure: 'single_per_second', value: single.rate, unit: '1/s' },
    { figure: 'single_p99_ms', value: single.p99, unit: 'ms' },
    ...spent,
    { figure: 'batch_recipients_per_second', value: (batches * RECIPIENTS) / batchSeconds, unit: '1/s' },
    { figure: 'api_rss_mb', value: rss! / 2 ** 20, unit: 'MB' },
  ]);
});
