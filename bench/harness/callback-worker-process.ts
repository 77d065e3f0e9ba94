import { CallbackSender } from '../../apps/server/src/modules/callbacks/callback-sender.ts';
import { readConnectedConfig } from '../../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../../apps/server/src/platform/database/db.ts';
import { createLogger } from '../../apps/server/src/platform/log.ts';
import { answerQuestions, cpuSeconds } from './child.ts';

// Runs only the part of a worker that sends callbacks.
const config = readConnectedConfig();
const pool = createPool(config, 'worker');
const log = createLogger(config, 'worker', process.stderr);
const sender = new CallbackSender({ database: createDatabase(pool), config, log });
sender.start();
answerQuestions(
  () => ({ cpu: cpuSeconds() }),
  async () => {
    await sender.stop();
    await pool.end();
  },
);
process.send?.({});
