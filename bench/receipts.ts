import { type House, inHouse, type Line, openLine, openSender, reached, run, tell } from './harness/house.ts';
import { checkMoney, costs, type Meters, readMeters } from './harness/meters.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';
import { queueMessages } from './harness/tenant.ts';

// Measures only receipts. All messages are submitted first, and then the carrier sends their receipts as fast as each
// is recorded and acknowledged. In the first run the sender finds the newest in its memory and the others in the
// database. Before the second run begins its receipts, another sender takes over, whose memory knows none.

const { count, window, profile } = readOptions({ count: 1_000_000, window: 2_000 });
const SUBMIT_LIMIT_SECONDS = 300;
const RECEIPTS_LIMIT_SECONDS = 300;

interface Flood {
  rate: number;
  before: Meters;
  after: Meters;
}

/** Submits `messages`, calls `meanwhile`, then has the carrier send their receipts. */
async function flood(house: House, line: Line, messages: number, meanwhile?: () => Promise<void>): Promise<Flood> {
  const { tenant, carrier } = line;
  tell(`queueing ${messages.toLocaleString('en')} messages`);
  const campaign = await queueMessages(tenant, messages);
  tell('submitting them');
  await run(tenant, campaign);
  await reached(tenant, campaign, 'submitted', messages, SUBMIT_LIMIT_SECONDS);
  await meanwhile?.();
  tell('all are submitted: receipts may come');
  const before = await readMeters(house, line);
  const started = performance.now();
  await carrier.ask('flood');
  await reached(tenant, campaign, 'delivered', messages, RECEIPTS_LIMIT_SECONDS);
  const rate = (messages / (performance.now() - started)) * 1_000;
  const after = await readMeters(house, line);
  await carrier.ask('hold');
  await checkMoney(line, campaign, messages);
  return { rate, before, after };
}

await inHouse(async (house) => {
  const carrier = await house.start('holding-carrier-process.ts');
  const line = await openLine(house, carrier, { window, profile });
  const known = await flood(house, line, count);
  const { rss } = await line.sender.ask('stats');
  const few = Math.ceil(count / 2);
  const unknown = await flood(house, line, few, async () => {
    await line.sender.stop();
    line.sender = await openSender(house, carrier, profile);
  });
  const { refused } = await carrier.ask('counts');
  report('receipts', [
    { figure: 'receipts_per_second', value: known.rate, unit: '1/s' },
    { figure: 'receipts_sent_again', value: refused!, unit: '' },
    { figure: 'sender_rss_mb', value: rss! / 2 ** 20, unit: 'MB' },
    ...costs(known.before, known.after, count, 'receipt'),
    { figure: 'unknown_receipts_per_second', value: unknown.rate, unit: '1/s' },
    ...costs(unknown.before, unknown.after, few, 'receipt').map((each) => ({
      ...each,
      figure: `unknown_${each.figure}`,
    })),
  ]);
});
