import { inHouse, openLine, reached, run, tell } from './harness/house.ts';
import { checkMoney, costs, readMeters } from './harness/meters.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { queueMessages } from './harness/tenant.ts';

// Measures a long campaign: whether its last messages are as fast as its first, and how large the sender grows.
// A stretch is a hundred thousand messages, or a tenth of a small count.

const { count, window, profile } = readOptions({ count: 2_000_000, window: 2_000 });
const LIMIT_SECONDS = 600;
const LEAST_RATIO = 0.9;
const MOST_RSS_MB = 300;
const stretch = Math.min(100_000, Math.ceil(count / 10));

await inHouse(async (house) => {
  const carrier = await house.start('simulator-process.ts');
  const line = await openLine(house, carrier, { window, profile });
  tell(`queueing ${count.toLocaleString('en')} messages`);
  const campaign = await queueMessages(line.tenant, count);
  tell('sending them');
  const before = await readMeters(house, line);
  let rss = 0;
  const sampling = setInterval(() => {
    line.sender.ask('stats').then(
      (stats) => {
        rss = Math.max(rss, stats.rss!);
      },
      () => undefined,
    );
  }, 500);
  house.closing.push(async () => clearInterval(sampling));
  const looks: { at: number; delivered: number }[] = [];
  const started = performance.now();
  await run(line.tenant, campaign);
  await reached(line.tenant, campaign, 'delivered', count, LIMIT_SECONDS, (delivered) => {
    looks.push({ at: performance.now(), delivered });
  });
  const seconds = (performance.now() - started) / 1_000;
  clearInterval(sampling);
  const after = await readMeters(house, line);
  await checkMoney(line, campaign, count);

  /** Returns the moment at which `delivered` messages were delivered, interpolated between two looks. */
  const momentOf = (delivered: number): number => {
    const next = looks.findIndex((look) => look.delivered >= delivered);
    const [to, from] = [looks[next]!, looks[next - 1] ?? looks[next]!];
    const share = to.delivered === from.delivered ? 1 : (delivered - from.delivered) / (to.delivered - from.delivered);
    return from.at + share * (to.at - from.at);
  };
  // The first stretch begins with the first receipt, because the time before it is the carrier's delay.
  const rate = (from: number, to: number) => ((to - from) / (momentOf(to) - momentOf(from))) * 1_000;
  const first = rate(1, stretch);
  const last = rate(count - stretch, count);
  report('sustained', [
    { figure: 'messages_per_second', value: count / seconds, unit: '1/s' },
    { figure: `first_${stretch}_per_second`, value: first, unit: '1/s' },
    { figure: `last_${stretch}_per_second`, value: last, unit: '1/s' },
    { figure: 'last_to_first', value: last / first, unit: `(at least ${LEAST_RATIO})` },
    { figure: 'sender_rss_mb', value: rss / 2 ** 20, unit: `MB (under ${MOST_RSS_MB})` },
    ...costs(before, after, count, 'message'),
  ]);
});
