import { createDatabase, createPool } from '#platform/db';
import { createLogger } from '#platform/log';
import { CallbackSender } from '../../src/modules/callbacks/callback-sender.ts';
import { readConnectedConfig } from '../../src/platform/config.ts';

// What a worker does of callbacks, as a process of its own that a test kills.
const config = readConnectedConfig();
const sender = new CallbackSender({
  database: createDatabase(createPool(config, 'worker')),
  config,
  log: createLogger(config, 'worker', process.stderr),
});
sender.start();
process.send?.({});
