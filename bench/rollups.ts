import { inHouse, openLine, ownSession, tell } from './harness/house.ts';
import { costs } from './harness/meters.ts';
import { readOptions } from './harness/options.ts';
import { type Passed, pass } from './harness/pass.ts';
import { report } from './harness/report.ts';

// Measures the cost of the statistics behind the reports for the pipeline. Campaigns run with them and, with a trigger
// that drops every row, without them, in turns over one sender and one carrier. The results are medians. It also
// measures the later count by destination.

const { count, rounds, window } = readOptions({ count: 300_000, rounds: 5, window: 2_000 });
const MOST_PERCENT = 5;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const processors = ({ before, after }: Passed) =>
  costs(before, after, count, 'message')
    .filter(({ unit }) => unit === 'µs')
    .reduce((sum, { value }) => sum + value, 0);

await inHouse(async (house) => {
  const carrier = await house.start('simulator-process.ts');
  const line = await openLine(house, carrier, { window });
  const client = await ownSession(house);
  await client.query(`
    CREATE FUNCTION keep_nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
    CREATE TRIGGER keep_nothing BEFORE INSERT ON traffic_quarter FOR EACH ROW EXECUTE FUNCTION keep_nothing()`);
  const kept: Passed[] = [];
  const left: Passed[] = [];
  tell('warming up');
  await pass(house, line, count);
  for (let round = 0; round < rounds; round++) {
    tell(`round ${round + 1} of ${rounds}`);
    // The first of the two changes each round, so that a machine that gets slower or faster affects both equally.
    for (const without of round % 2 === 0 ? [true, false] : [false, true]) {
      await client.query(`ALTER TABLE traffic_quarter ${without ? 'ENABLE' : 'DISABLE'} TRIGGER keep_nothing`);
      (without ? left : kept).push(await pass(house, line, count));
    }
  }
  const counted = performance.now();
  await client.query(`SELECT count_destinations(quarter, ARRAY(SELECT '63' FROM generate_series(1, 1000)))
    FROM (SELECT DISTINCT quarter FROM traffic_quarter) q`);
  const counting = ((performance.now() - counted) * 1_000) / (count * (2 * rounds + 1));
  const [rateWith, rateWithout] = [median(kept.map(({ rate }) => rate)), median(left.map(({ rate }) => rate))];
  const [costWith, costWithout] = [median(kept.map(processors)), median(left.map(processors))];
  report('rollups', [
    { figure: 'messages_per_second', value: rateWith, unit: '1/s' },
    { figure: 'without_per_second', value: rateWithout, unit: '1/s' },
    {
      figure: 'overhead_percent',
      value: 100 * (rateWithout / rateWith - 1),
      unit: `% of the time (under ${MOST_PERCENT})`,
    },
    { figure: 'overhead_cpu_percent', value: 100 * (costWith / costWithout - 1), unit: '% of the processors' },
    { figure: 'destinations_us_per_message', value: counting, unit: 'µs, behind it' },
  ]);
});
