import { handOverTimes, Sender } from '../../apps/server/src/modules/delivery/index.ts';
import { readConnectedConfig } from '../../apps/server/src/platform/config/config.ts';
import { createLogger } from '../../apps/server/src/platform/log.ts';
import { answerQuestions, cpuSeconds } from './child.ts';

const config = readConnectedConfig();
const sender = new Sender(config, createLogger(config, 'sender', process.stderr));
await sender.start();
answerQuestions(
  () => ({
    cpu: cpuSeconds(),
    rss: process.memoryUsage.rss(),
    p50: handOverTimes.percentile(50) / 1_000,
    p99: handOverTimes.percentile(99) / 1_000,
  }),
  () => sender.stop(),
);
process.send?.({});
