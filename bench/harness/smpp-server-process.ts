import { readConnectedConfig } from '../../apps/server/src/platform/config/config.ts';
import { createLogger } from '../../apps/server/src/platform/log.ts';
import { startSmppServer } from '../../apps/server/src/processes/smpp-server.ts';
import { answerQuestions, cpuSeconds } from './child.ts';

const config = readConnectedConfig();
const server = await startSmppServer({ config, log: createLogger(config, 'smpp-server', process.stderr) });
answerQuestions(
  () => ({ cpu: cpuSeconds(), rss: process.memoryUsage.rss() }),
  () => server.stop(),
);
process.send?.({ port: Number(new URL(server.url!).port) });
