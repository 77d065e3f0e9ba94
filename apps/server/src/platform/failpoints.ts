import { StartError } from '@heliograph/installation/start-error';
import { systemVariables } from './config/config.ts';

// Named places at which a test lets this process die or freeze, to see what is left behind. When off, they are calls of
// an empty function, each at most once a batch.

/** Every place, in the order of a message's life. */
export const FAILPOINTS = [
  'request.before-commit',
  'request.after-commit',
  'campaign.created',
  'campaign-test.rest-made',
  'import.before-commit',
  'import.after-commit',
  'quote.before-commit',
  'quote.after-commit',
  'chunk.written',
  'prepare.part-written',
  'prepare.part-committed',
  'lookup.budget-taken',
  'prepare.before-commit',
  'prepare.after-commit',
  'lanes.before-renewal',
  'lanes.after-renewal',
  'intent.before-commit',
  'intent.after-commit',
  'intent.half-sent',
  'intent.sent',
  'answers.received',
  'outcomes.before-rows',
  'outcomes.before-commit',
  'outcomes.after-commit',
  'receipts.received',
  'receipts.answered',
  'inbound.before-commit',
  'inbound.after-commit',
  'inbox.before-commit',
  'inbox.after-commit',
  'sandbox.before-take',
  'sandbox.taken',
  'intake.before-commit',
  'intake.after-commit',
  'journeys.before-commit',
  'journeys.after-commit',
  'parts.before-commit',
  'parts.after-commit',
  'submits.answered',
  'carrier-callbacks.before-commit',
  'carrier-callbacks.after-commit',
  'callbacks.before-commit',
  'callbacks.after-commit',
  'deliveries.answered',
  'deliveries.recorded',
  'retries.claimed',
  'top-up.page-opened',
  'top-up.looked',
  'top-up.posted',
  'top-up.notice-taken',
  'top-up.refund-sent',
  'top-up.charged',
  'ledger.before-post',
  'ledger.after-post',
  'completion.before-commit',
  'completion.after-commit',
  'file.written',
  'file.recorded',
  'file.half-sent',
  'file.renamed',
  'file.delivered',
  'cancel.before-commit',
] as const;

export type Failpoint = (typeof FAILPOINTS)[number];

/** Maximum time in ms until a signal to the own process arrives. */
const SIGNAL_MS = 200;

/**
 * Variable that makes this process die or freeze: `{name}:{n}` kills it at the n-th visit of a place,
 * `{name}:{n}:freeze` stops it as a debugger would.
 */
export const FAILPOINT_VARIABLE = 'HELIOGRAPH_FAILPOINT';

/** Reads from the environment where this process ends; undefined outside tests, even if the variable is set. */
function armedBy(environment: Readonly<Record<string, string>>): ((name: Failpoint) => void) | undefined {
  const wanted = environment[FAILPOINT_VARIABLE];
  if (!wanted || environment['NODE_ENV'] !== 'test') return undefined;
  const [, place, visits, freeze] = /^([a-z.-]+):(\d+)(:freeze)?$/.exec(wanted) ?? [];
  if (!FAILPOINTS.some((name) => name === place)) {
    throw new StartError(`${FAILPOINT_VARIABLE} is "${wanted}": no failpoint has this name.`, 2);
  }
  let left = Number(visits);
  return (name) => {
    if (name !== place || --left !== 0) return;
    process.kill(process.pid, freeze ? 'SIGSTOP' : 'SIGKILL');
    // Another thread may take the signal: this one stops here until the signal has arrived.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SIGNAL_MS);
  };
}

/** Passes a place; under test this may be the last thing the process does. */
export const failpoint: (name: Failpoint) => void =
  armedBy(systemVariables(FAILPOINT_VARIABLE, 'NODE_ENV')) ?? (() => undefined);
