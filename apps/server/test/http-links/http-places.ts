import type { Random } from '@heliograph/fault-kit';
import type { Failpoint } from '#platform/failpoints';
import { type Plan, planOf } from '../faults/kill-plan.ts';

/** Places of the API at which a callback of a carrier can be lost, and the maximum visits. */
export const HTTP_PLACES: readonly (readonly [place: Failpoint, visits: number])[] = [
  ['carrier-callbacks.before-commit', 4],
  ['carrier-callbacks.after-commit', 4],
];

const apiBlows = (random: Random): Plan['console'] =>
  HTTP_PLACES.map(([place, visits]) => ({ victim: 'api', place: `${place}:${1 + random.below(visits)}` }));

/** Plans a few kills around the requests and callbacks of a link over HTTP. */
export const fewKills = (random: Random): Plan => ({
  delivery: [
    { victim: 'sender', place: `intent.half-sent:${1 + random.below(3)}` },
    { victim: 'sender', place: `answers.received:${1 + random.below(3)}` },
    { victim: 'carrier' },
    { victim: 'sender' },
    { victim: 'sender', place: `receipts.answered:${1 + random.below(3)}` },
  ],
  console: apiBlows(random),
});

/** Plans the 60 kills of links over SMPP; two of the API's are at its callbacks. */
export function manyKills(random: Random): Plan {
  const plan = planOf(random);
  const atRandom = plan.console.filter(({ place }) => place === undefined);
  const left = plan.console.filter((blow) => !atRandom.slice(-HTTP_PLACES.length).includes(blow));
  return { ...plan, console: [...left, ...apiBlows(random)] };
}
