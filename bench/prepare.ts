import { openAudience } from './harness/audience.ts';
import { inHouse, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';

// Rows of a file made messages that may be sent: numbers normalised and freed of duplicates, looked up in a blacklist of
// a million, texts rendered and counted, priced, and stored by a PostgreSQL that forgets nothing.

const { count, profile } = readOptions({ count: 1_000_000 });
/** At least so many rows a second are wanted on two cores. */
const WANTED = 50_000;

await inHouse(async (house) => {
  const { worker, quote, prepare } = await openAudience(house, count, profile);
  tell('quoting');
  const { id } = await quote();
  tell('preparing');
  const [before, workerBefore] = [postgresSeconds(house.folder), await worker.ask('stats')];
  const { seconds, messages } = await prepare(id);
  const after = await worker.ask('stats');
  const worker_cpu = after.cpu! - workerBefore.cpu!;
  const postgres_cpu = postgresSeconds(house.folder) - before;
  report('prepare', [
    { figure: 'rows_per_second', value: count / seconds, unit: `1/s (at least ${WANTED})` },
    { figure: 'rss_mb', value: after.max_rss! / 2 ** 20, unit: 'MB' },
    { figure: 'worker_microseconds_per_row', value: (worker_cpu * 1e6) / count, unit: 'µs' },
    { figure: 'postgres_microseconds_per_row', value: (postgres_cpu * 1e6) / count, unit: 'µs' },
    { figure: 'messages', value: messages, unit: '' },
  ]);
});
