import { startSimulator } from '@heliograph/carrier-simulator';
import { answerQuestions, cpuSeconds } from './child.ts';

const simulator = await startSimulator({
  smppPort: 0,
  httpPort: null,
  quiet: true,
  window: 2_000,
  settings: { receipt_delay_ms: Number(process.env.RECEIPT_DELAY_MS), magic_numbers: false },
});
answerQuestions(
  () => ({ ...simulator.counts(), cpu: cpuSeconds() }),
  () => simulator.stop(),
);
process.send?.({ port: simulator.smppPort });
