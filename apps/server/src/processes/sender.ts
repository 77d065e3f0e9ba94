import { Sender } from '#modules/delivery';
import { useNumberKey } from '#platform/person/number-digest';
import { fanOutCheck } from '../platform/fan-out/fan-out-check.ts';
import { type Checker, timelyCheck } from '../platform/operate/checks.ts';
import { storeLog } from '../platform/process/log-store.ts';
import { type ProcessContext, type Running, runProcess } from '../platform/process/run-process.ts';
import { stopInOrder } from '../platform/process/shutdown.ts';
import { reportLoad } from './sender-load.ts';

/** Age in ms at which leases expire: other senders may then take the lanes of this process. */
const LANES_LATE_MS = 3_500;

const lanesCheck = (sender: Sender): Checker =>
  timelyCheck('lanes', {
    last: () => sender.renewedAt,
    within: LANES_LATE_MS,
    what: 'The renewal of lanes',
    action: 'See the log of this sender, and whether the database answers in time. Another sender takes the lanes.',
  });

const outcomesCheck = (sender: Sender): Checker => ({
  name: 'outcomes',
  look: () =>
    sender.isBehind
      ? {
          ok: false,
          detail: 'Outcomes come faster than the database records them: nothing new is sent until it has caught up.',
          action: 'See what slows the database down: disks, a long transaction, vacuum.',
        }
      : { ok: true, detail: 'Outcomes are recorded as they come.' },
});

const passwordsCheck = (sender: Sender): Checker => ({
  name: 'link_passwords',
  look: () => {
    const links = sender.unreadable.join(', ');
    if (!links) return { ok: true, detail: 'The passwords of all links of this process can be opened.' };
    return {
      ok: false,
      detail: `The passwords of these links cannot be opened with the key of this process, so they are not bound: ${links}.`,
      action:
        'Give this process the SECRET_KEY (or DATA_DIR/secret.key) of the installation, or enter the passwords again.',
    };
  },
});

/** Starts the process that holds lanes and sends their messages over SMPP. */
export async function startSender({ config, log, readiness, keyFits }: ProcessContext): Promise<Running> {
  const kept = storeLog(config, 'sender');
  useNumberKey(config);
  const sender = new Sender(config, log, undefined, keyFits);
  await sender.start();
  const endReports = reportLoad(() => sender.linkCount);
  readiness?.add(fanOutCheck(() => sender.fanOut));
  readiness?.add(lanesCheck(sender), outcomesCheck(sender), passwordsCheck(sender));
  return {
    stop: async () => {
      endReports();
      await sender.stop();
      await stopInOrder([{ name: 'log', within: 1_000, stop: () => kept.stop() }], log);
    },
  };
}

if (import.meta.main) await runProcess('sender', startSender);
