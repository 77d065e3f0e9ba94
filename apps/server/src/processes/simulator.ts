import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '@heliograph/carrier-simulator';
import { startPaymentSimulator } from '../../../../packages/payment-simulator/src/index.ts';
import type { Config } from '../platform/config/config.ts';

/** Maximum bytes of each of the two log files, about 150,000 messages. */
const LOG_BYTES = 50 * 1024 ** 2;

/**
 * Starts the carrier simulator of the demo; its log of all accepted messages is DATA_DIR/simulator.ndjson, and
 * simulator.ndjson.1. Answers the address of its virtual handsets.
 */
export async function startDemoCarrier(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  mkdirSync(config.DATA_DIR, { recursive: true });
  const simulator = await startSimulator({
    smppPort: config.SIMULATOR_SMPP_PORT,
    httpPort: config.SIMULATOR_HTTP_PORT,
    logFile: join(config.DATA_DIR, 'simulator.ndjson'),
    logBytes: LOG_BYTES,
  });
  return { url: `http://127.0.0.1:${simulator.httpPort}`, stop: () => simulator.stop() };
}

/** Starts the simulated payment providers. Their payments are in DATA_DIR/payments.json. */
export function startDemoPayments(config: Config): Promise<{ stop(): Promise<void> }> {
  mkdirSync(config.DATA_DIR, { recursive: true });
  return startPaymentSimulator({ port: config.PAYMENT_SIMULATOR_PORT, file: join(config.DATA_DIR, 'payments.json') });
}
