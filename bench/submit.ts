import { inHouse, openLine, reached, run } from './harness/house.ts';
import { checkMoney, costs, readMeters } from './harness/meters.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { queueMessages } from './harness/tenant.ts';

// Measures only submit and response, through the whole product: claimed, intent committed, submitted, answered,
// recorded and charged. The carrier sends no receipts.

const { count, window, profile } = readOptions({ count: 200_000, window: 2_000 });
const LIMIT_SECONDS = 300;

await inHouse(async (house) => {
  const carrier = await house.start('simulator-process.ts', {
    SIMULATOR_SETTINGS: JSON.stringify({ faults: { no_receipt: 1 } }),
  });
  const line = await openLine(house, carrier, { window, profile });
  const campaign = await queueMessages(line.tenant, count);
  const before = await readMeters(house, line);
  const started = performance.now();
  await run(line.tenant, campaign);
  await reached(line.tenant, campaign, 'submitted', count, LIMIT_SECONDS);
  const seconds = (performance.now() - started) / 1_000;
  const after = await readMeters(house, line);
  await checkMoney(line, campaign, count);
  const { p50, p99, rss } = await line.sender.ask('stats');
  report('submit', [
    { figure: 'messages_per_second', value: count / seconds, unit: '1/s' },
    { figure: 'hand_over_p50_ms', value: p50!, unit: 'ms' },
    { figure: 'hand_over_p99_ms', value: p99!, unit: 'ms' },
    { figure: 'sender_rss_mb', value: rss! / 2 ** 20, unit: 'MB' },
    ...costs(before, after, count, 'message'),
  ]);
});
