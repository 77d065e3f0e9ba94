import { readConnectedConfig } from '../../apps/server/src/platform/config/config.ts';
import { createLogger } from '../../apps/server/src/platform/log.ts';
import { startWorker } from '../../apps/server/src/processes/worker.ts';
import { answerQuestions, cpuSeconds } from './child.ts';

const config = readConnectedConfig();
const worker = await startWorker({ config, log: createLogger(config, 'worker', process.stderr) });
answerQuestions(
  // The kernel reports the highest resident size in KiB.
  () => ({ cpu: cpuSeconds(), max_rss: process.resourceUsage().maxRSS * 1_024 }),
  () => worker.stop(),
);
process.send?.({});
