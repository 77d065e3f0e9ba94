import { readConnectedConfig } from '../../apps/server/src/platform/config/config.ts';
import { createLogger } from '../../apps/server/src/platform/log.ts';
import { startApi } from '../../apps/server/src/processes/api.ts';
import { answerQuestions, cpuSeconds } from './child.ts';

const config = readConnectedConfig();
const api = await startApi({ config, log: createLogger(config, 'api', process.stderr) });
answerQuestions(
  () => ({ cpu: cpuSeconds(), rss: process.memoryUsage.rss() }),
  () => api.stop(),
);
process.send?.({ port: Number(new URL(api.url ?? '').port) });
