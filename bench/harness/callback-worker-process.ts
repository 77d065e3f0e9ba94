import { callbackKind } from '../../apps/server/src/modules/callbacks/index.ts';
import { HttpSender } from '../../apps/server/src/modules/http-deliveries/index.ts';
import { readConnectedConfig } from '../../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../../apps/server/src/platform/database/db.ts';
import { createLogger } from '../../apps/server/src/platform/log.ts';
import { answerQuestions, cpuSeconds } from './child.ts';

// Runs only the part of a worker that sends callbacks.
const config = readConnectedConfig();
const pool = createPool(config, 'worker');
const log = createLogger(config, 'worker', process.stderr);
const worker = { database: createDatabase(pool), config, log };
const sender = new HttpSender(worker, [callbackKind(worker)]);
sender.start();
answerQuestions(
  () => ({ cpu: cpuSeconds() }),
  async () => {
    await sender.stop();
    await pool.end();
  },
);
process.send?.({});
