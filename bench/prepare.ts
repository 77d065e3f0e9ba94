import { openAudience } from './harness/audience.ts';
import { inHouse, tell } from './harness/house.ts';
import { readOptions } from './harness/options.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';

// Measures how rows of a file become messages that may be sent. Numbers are normalized, freed of duplicates and looked
// up in a blacklist of a million. Texts are rendered, counted and priced. PostgreSQL stores the messages with
// durability on.

const { count, profile } = readOptions({ count: 1_000_000 });
/** Lowest acceptable rate on two cores, in rows per second. */
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
