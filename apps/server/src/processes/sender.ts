import { createPool } from '../platform/db.ts';
import { type ProcessContext, type Running, runProcess, stopInOrder } from '../platform/shutdown.ts';

/** Starts the process that holds lanes and sends their messages over SMPP. */
export async function startSender({ config, log }: ProcessContext): Promise<Running> {
  const pool = createPool(config, 'sender');
  await pool.query('SELECT 1');
  return {
    stop: () => stopInOrder([{ name: 'database sessions', within: 2_000, stop: () => pool.end() }], log),
  };
}

if (import.meta.main) await runProcess('sender', startSender);
