import { type SettingsChange, startSimulator } from '@heliograph/carrier-simulator';
import { answerQuestions, cpuSeconds } from './child.ts';

// Takes RECEIPT_DELAY_MS, or SIMULATOR_SETTINGS with any of the simulator's settings as JSON. With SIMULATOR_LOG it
// keeps its log. Then `arrived <number> …` returns when the first segment to each number was taken, in epoch milliseconds.

const { RECEIPT_DELAY_MS, SIMULATOR_SETTINGS, SIMULATOR_LOG } = process.env;
const simulator = await startSimulator({
  smppPort: 0,
  httpPort: null,
  quiet: !SIMULATOR_LOG,
  window: 2_000,
  settings: {
    receipt_delay_ms: Number(RECEIPT_DELAY_MS ?? 100),
    magic_numbers: false,
    ...(JSON.parse(SIMULATOR_SETTINGS ?? '{}') as SettingsChange),
  },
});

function arrivals(numbers: readonly string[]): Record<string, number> {
  const times: Record<string, number> = {};
  for (const number of numbers) {
    const first = simulator.segmentsTo(number).find(({ status }) => status === 0);
    if (first) times[number] = Date.parse(first.received_at);
  }
  return times;
}

answerQuestions(
  (question) => {
    const [verb, ...numbers] = question.split(' ');
    return verb === 'arrived' ? arrivals(numbers) : { ...simulator.counts(), cpu: cpuSeconds() };
  },
  () => simulator.stop(),
);
process.send?.({ port: simulator.smppPort });
