import { Sender } from '#modules/delivery';
import { storeLog } from '../platform/log-store.ts';
import { type ProcessContext, type Running, runProcess, stopInOrder } from '../platform/shutdown.ts';

/** Starts the process that holds lanes and sends their messages over SMPP. */
export async function startSender({ config, log }: ProcessContext): Promise<Running> {
  const kept = storeLog(config, 'sender');
  const sender = new Sender(config, log);
  await sender.start();
  return {
    stop: async () => {
      await sender.stop();
      await stopInOrder([{ name: 'log', within: 1_000, stop: () => kept.stop() }], log);
    },
  };
}

if (import.meta.main) await runProcess('sender', startSender);
