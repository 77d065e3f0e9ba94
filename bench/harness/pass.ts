import { type House, type Line, reached, run } from './house.ts';
import { checkMoney, type Meters, readMeters } from './meters.ts';
import { queueMessages } from './tenant.ts';

const LIMIT_SECONDS = 300;

/** What one campaign over the whole pipeline took. */
export interface Passed {
  /** Messages a second from its start to the last receipt recorded. */
  rate: number;
  before: Meters;
  after: Meters;
}

/** Queues a campaign of so many messages, lets it run to its last receipt, and checks its money. */
export async function pass(house: House, line: Line, messages: number): Promise<Passed> {
  const campaign = await queueMessages(line.tenant, messages);
  const before = await readMeters(house, line);
  const started = performance.now();
  await run(line.tenant, campaign);
  await reached(line.tenant, campaign, 'delivered', messages, LIMIT_SECONDS);
  const rate = (messages / (performance.now() - started)) * 1_000;
  const after = await readMeters(house, line);
  await checkMoney(line, campaign, messages);
  return { rate, before, after };
}
