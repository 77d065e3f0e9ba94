import { Sender } from '#modules/delivery';
import { type ProcessContext, type Running, runProcess } from '../platform/shutdown.ts';

/** Starts the process that holds lanes and sends their messages over SMPP. */
export async function startSender({ config, log }: ProcessContext): Promise<Running> {
  const sender = new Sender(config, log);
  await sender.start();
  return { stop: () => sender.stop() };
}

if (import.meta.main) await runProcess('sender', startSender);
