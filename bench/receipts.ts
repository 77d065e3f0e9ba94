import { inHouse, openLine, reached, run, tell } from './harness/house.ts';
import { checkMoney, costs, readMeters } from './harness/meters.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { queueMessages } from './harness/tenant.ts';

// Measures only receipts. All messages are submitted first, and then the carrier sends their receipts as fast as each
// is recorded and acknowledged. The sender finds the newest in its memory and the others in the database.

const { count, window, profile } = readOptions({ count: 1_000_000, window: 2_000 });
const SUBMIT_LIMIT_SECONDS = 300;
const RECEIPTS_LIMIT_SECONDS = 300;

await inHouse(async (house) => {
  const carrier = await house.start('holding-carrier-process.ts');
  const line = await openLine(house, carrier, { window, profile });
  tell(`queueing ${count.toLocaleString('en')} messages`);
  const campaign = await queueMessages(line.tenant, count);
  tell('submitting them');
  await run(line.tenant, campaign);
  await reached(line.tenant, campaign, 'submitted', count, SUBMIT_LIMIT_SECONDS);
  tell('all are submitted: receipts may come');
  const before = await readMeters(house, line);
  const started = performance.now();
  await carrier.ask('flood');
  await reached(line.tenant, campaign, 'delivered', count, RECEIPTS_LIMIT_SECONDS);
  const seconds = (performance.now() - started) / 1_000;
  const after = await readMeters(house, line);
  await checkMoney(line, campaign, count);
  const { refused } = await carrier.ask('counts');
  const { rss } = await line.sender.ask('stats');
  report('receipts', [
    { figure: 'receipts_per_second', value: count / seconds, unit: '1/s' },
    { figure: 'receipts_sent_again', value: refused!, unit: '' },
    { figure: 'sender_rss_mb', value: rss! / 2 ** 20, unit: 'MB' },
    ...costs(before, after, count, 'receipt'),
  ]);
});
