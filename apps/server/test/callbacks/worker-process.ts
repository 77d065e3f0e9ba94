import { callbackKind } from '#modules/callbacks';
import { HttpSender } from '#modules/http-deliveries';
import { createDatabase, createPool } from '#platform/database/db';
import { createLogger } from '#platform/log';
import { readConnectedConfig } from '../../src/platform/config/config.ts';

// Runs the callback sender of a worker as a separate process, so that a test can kill it.
const config = readConnectedConfig();
const worker = {
  database: createDatabase(createPool(config, 'worker')),
  config,
  log: createLogger(config, 'worker', process.stderr),
};
const sender = new HttpSender(worker, [callbackKind(worker)]);
sender.start();
process.send?.({});
