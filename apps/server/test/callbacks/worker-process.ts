import { createDatabase, createPool } from '#platform/database/db';
import { createLogger } from '#platform/log';
import { CallbackSender } from '../../src/modules/callbacks/callback-sender.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';

// Runs the callback sender of a worker as a separate process, so that a test can kill it.
const config = readConnectedConfig();
const sender = new CallbackSender({
  database: createDatabase(createPool(config, 'worker')),
  config,
  log: createLogger(config, 'worker', process.stderr),
});
sender.start();
process.send?.({});
