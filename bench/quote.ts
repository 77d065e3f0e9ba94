import { openAudience } from './harness/audience.ts';
import { inHouse } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';

// Measures a quote from its request to its last row counted and priced: a file of a million recipients, a blacklist of
// a million numbers, and a text with two parameters.

const MILLION = 1_000_000;
const { count, profile } = readOptions({ count: MILLION });

await inHouse(async (house) => {
  const { worker, quote } = await openAudience(house, count, profile);
  const [before, workerBefore] = [postgresSeconds(house.folder), await worker.ask('stats')];
  const { seconds, total_count, rejected_count } = await quote();
  const after = await worker.ask('stats');
  const worker_cpu = after.cpu! - workerBefore.cpu!;
  const postgres_cpu = postgresSeconds(house.folder) - before;
  report('quote', [
    { figure: 'seconds_for_1000000', value: (seconds * MILLION) / count, unit: 's (under 30)' },
    { figure: 'rss_mb', value: after.max_rss! / 2 ** 20, unit: 'MB' },
    { figure: 'worker_microseconds_per_row', value: (worker_cpu * 1e6) / count, unit: 'µs' },
    { figure: 'postgres_microseconds_per_row', value: (postgres_cpu * 1e6) / count, unit: 'µs' },
    { figure: 'messages', value: total_count, unit: '' },
    { figure: 'rejected', value: rejected_count, unit: '' },
  ]);
});
