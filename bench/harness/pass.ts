import { type House, type Line, reached, run } from './house.ts';
import { checkMoney, type Meters, readMeters } from './meters.ts';
import { queueMessages } from './tenant.ts';

const LIMIT_SECONDS = 300;

/** Results of one campaign through the whole pipeline. */
export interface Passed {
  /** Messages per second from its start to the last recorded receipt. */
  rate: number;
  before: Meters;
  after: Meters;
}

/** Queues a campaign of `messages` messages, runs it to its last receipt, and checks its charges. */
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
