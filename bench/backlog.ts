import { loadFinished } from './harness/finished.ts';
import { type House, inHouse, openLine, ownSession, tell } from './harness/house.ts';
import { costs } from './harness/meters.ts';
import { readOptions } from './harness/options.ts';
import { type Passed, pass } from './harness/pass.ts';
import { report } from './harness/report.ts';

// Measures the cost of history and of a forgotten transaction. The pipeline runs over an empty database, then over ten
// million finished messages in the same partitions. A REPEATABLE READ snapshot taken before the second run stays open,
// so that no dead row can be removed. One run, one sender, one carrier.

const { count, finished, window, profile } = readOptions({ count: 200_000, finished: 10_000_000, window: 2_000 });
const WARM_UP = Math.ceil(count / 4);

/** Opens a snapshot as of now and holds it until the house is closed. */
async function holdSnapshot(house: House): Promise<void> {
  const client = await ownSession(house);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query('SELECT count(*) FROM campaign');
}

await inHouse(async (house) => {
  const carrier = await house.start('simulator-process.ts');
  const line = await openLine(house, carrier, { window, profile });
  tell(`warming up with ${WARM_UP.toLocaleString('en')} messages`);
  await pass(house, line, WARM_UP);
  tell('sending over an empty database');
  const empty = await pass(house, line, count);
  const started = performance.now();
  let told = started;
  const sessions = [await ownSession(house), await ownSession(house)];
  await loadFinished(line.tenant, sessions, finished, (loaded) => {
    if (performance.now() - told < 10_000) return;
    told = performance.now();
    tell(`${loaded.toLocaleString('en')} finished messages are loaded`);
  });
  const loading = (performance.now() - started) / 1_000;
  await holdSnapshot(house);
  tell('sending over all of them, an old snapshot open');
  const full = await pass(house, line, count);
  const named = (label: string, { before, after }: Passed) =>
    costs(before, after, count, 'message').map((figure) => ({ ...figure, figure: `${label}_${figure.figure}` }));
  report('backlog', [
    { figure: 'empty_messages_per_second', value: empty.rate, unit: '1/s' },
    { figure: 'backlog_messages_per_second', value: full.rate, unit: '1/s' },
    { figure: 'messages_per_second', value: full.rate, unit: '1/s' },
    { figure: 'backlog_to_empty', value: full.rate / empty.rate, unit: '' },
    { figure: 'finished_loaded_per_second', value: finished / loading, unit: '1/s' },
    ...named('empty', empty),
    ...named('backlog', full),
  ]);
});
