import type { Random } from '@heliograph/fault-kit';
import type { Failpoint } from '#platform/failpoints';
import type { ServerProcess } from './house.ts';

/** Places that each process passes. It dies at a random visit, up to the given number. */
export const PLACES: Readonly<Record<ServerProcess, readonly (readonly [place: Failpoint, visits: number])[]>> = {
  sender: [
    ['lanes.before-renewal', 2],
    ['lanes.after-renewal', 2],
    ['intent.before-commit', 4],
    ['intent.after-commit', 4],
    ['intent.half-sent', 4],
    ['intent.sent', 4],
    ['answers.received', 4],
    ['outcomes.before-rows', 4],
    ['outcomes.before-commit', 4],
    ['outcomes.after-commit', 4],
    ['receipts.received', 4],
    ['receipts.answered', 4],
    ['retries.claimed', 1],
    ['ledger.before-post', 4],
    ['ledger.after-post', 4],
    ['completion.before-commit', 2],
    ['completion.after-commit', 1],
  ],
  worker: [
    ['quote.before-commit', 1],
    ['quote.after-commit', 1],
    ['chunk.written', 2],
    ['prepare.before-commit', 1],
    ['prepare.after-commit', 1],
    ['import.before-commit', 1],
    ['import.after-commit', 1],
  ],
  api: [
    ['request.before-commit', 5],
    ['request.after-commit', 5],
    ['campaign.created', 1],
    ['ledger.before-post', 1],
    ['ledger.after-post', 1],
    ['cancel.before-commit', 1],
  ],
};

/** A kill on the delivering side: at a place of the sender, or at random. */
export type Blow = { victim: 'sender'; place?: string } | { victim: 'database' | 'carrier' };

/** A kill of the API or worker: at a place, or at a random moment. */
export interface ConsoleBlow {
  victim: 'api' | 'worker';
  place?: string;
}

/** Kills that a house goes through. */
export interface Plan {
  /** Kills on the delivering side, including each place of the sender. */
  delivery: readonly Blow[];
  console: readonly ConsoleBlow[];
}

const shuffled = <T>(list: readonly T[], random: Random): T[] =>
  list
    .map((value) => ({ value, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value);

/** Number of senders that see the others die and are then killed at random. */
const LIVES = 7;

/** Plans 60 kills: every place once, the rest at random moments. The seed decides their order. */
export function planOf(random: Random): Plan {
  const places = (name: ServerProcess) => PLACES[name].map(([place, visits]) => `${place}:${1 + random.below(visits)}`);
  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
  // A sender that has survived the death of others is killed in its turn, at random. It loses at most two carriers,
  // because with every loss it waits longer before it binds again.
  const lives = times(LIVES, 0).map((_, index): Blow[] => {
    const share = <T>(list: readonly T[]) => list.filter((_each, at) => at % LIVES === index);
    const under = [...share(times(9, 'database' as const)), ...share(times(8, 'carrier' as const))];
    return [...shuffled(under, random).map((victim) => ({ victim })), { victim: 'sender' }];
  });
  const alone = places('sender').map((place): Blow[] => [{ victim: 'sender', place }]);
  const consoleBlows = (victim: 'api' | 'worker', atRandom: number) =>
    shuffled([...places(victim).map((place) => ({ victim, place })), ...times(atRandom, { victim })], random);
  return {
    delivery: shuffled([...lives, ...alone], random).flat(),
    // Jobs of a dead worker return after half a minute. If it dies early, less is left to wait for.
    console: [...consoleBlows('worker', 2), ...consoleBlows('api', 4)],
  };
}
