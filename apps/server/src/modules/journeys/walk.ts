import type { JourneyStep, SplitStep } from '@heliograph/contract/journeys/journey-definition';
import { branchAt, type PlannedStep } from '@heliograph/contract/journeys/journey-plan';
import type { Version } from './definition.ts';
import { endOfWait } from './wait.ts';

/** Person under way, in a batch. */
export interface Walker {
  number: string;
  version: Version;
  /** Step that is done next; null at the end. */
  at: number | null;
  /** Stored step and the time when it is due; null before the person has stopped walking, and at the end. */
  rest: { step: number; due: Date } | null;
  /** Time of entering in seconds. */
  entered: number;
  /** Passed steps of this batch, each with the seconds since the person entered. */
  trail: number[];
}

/** Message that a person gets when the batch is written. */
export interface Outgoing {
  walker: Walker;
  step: Extract<JourneyStep, { do: 'message' }>;
}

/** Changes and looks that steps need. Each gets people of one version who are at the same step. */
export interface StepWork {
  /** Returns the numbers that a segment finds. */
  found(segmentId: number, version: Version, numbers: readonly string[]): Promise<ReadonlySet<string>>;
  set(step: Extract<JourneyStep, { do: 'set' }>, numbers: readonly string[]): Promise<void>;
  tag(step: Extract<JourneyStep, { do: 'tag' }>, numbers: readonly string[]): Promise<void>;
  call(step: Extract<JourneyStep, { do: 'callback' }>, numbers: readonly string[]): Promise<void>;
  /** Returns the moment until which a message to a number must wait; null if it may leave now. */
  heldUntil(number: string): Date | null;
}

/** Begins the way of a stored person: a step below 0 is passed, and 0 is the beginning. */
export function walkerOf(
  person: { number: string; step: number; entered: number },
  version: Version,
  now: Date,
): Walker {
  const { number, step, entered } = person;
  const walker: Walker = { number, version, at: step, rest: null, entered, trail: [] };
  if (step === 0) walker.at = version.plan.first;
  else if (step < 0) pass(walker, version.plan.steps.get(-step), now);
  return walker;
}

/** Notes that a person has passed a step, and leads them to `next`. A step that is gone leads to the end. */
export function pass(walker: Walker, planned: PlannedStep | undefined, now: Date, next = planned?.next ?? null): void {
  if (planned) walker.trail.push(planned.step.id, Math.max(0, Math.round(now.getTime() / 1_000 - walker.entered)));
  walker.at = next;
}

/** Lets a person wait at a step; it is done again when it is due. */
export function stay(walker: Walker, due: Date): void {
  walker.rest = { step: walker.at!, due };
}

/** Lets people who came to a wait begin it. Others go on with the next batch. */
export function settleDown(walker: Walker, now: Date, zone: string): void {
  if (walker.at === null || walker.rest) return;
  const planned = walker.version.plan.steps.get(walker.at);
  if (!planned) walker.at = null;
  else if (planned.step.do === 'wait' || planned.step.do === 'until')
    walker.rest = { step: -walker.at, due: endOfWait(planned.step, now, zone) };
  else stay(walker, now);
}

/**
 * Leads people on, until each of them waits, has come to the end, or has a message to get. Everybody at the same step
 * goes together, and steps go in their order, so that each step is done once for a batch.
 */
export async function walk(
  walkers: readonly Walker[],
  work: StepWork,
  { now, zone, journeyId }: { now: Date; zone: string; journeyId: number },
): Promise<Outgoing[]> {
  const outgoing: Outgoing[] = [];
  const walking = new Set(walkers);
  for (;;) {
    for (const walker of walking) if (walker.at === null || walker.rest) walking.delete(walker);
    const group = firstGroup(walking);
    if (!group) return outgoing;
    const [leader] = group as [Walker];
    const planned = leader.version.plan.steps.get(leader.at!);
    const step = planned?.step;
    const numbers = group.map(({ number }) => number);
    switch (step?.do) {
      case 'wait':
      case 'until':
        for (const walker of group) settleDown(walker, now, zone);
        break;
      case 'message':
        for (const walker of group) {
          const held = work.heldUntil(walker.number);
          if (held) stay(walker, held);
          else outgoing.push({ walker, step });
          walking.delete(walker);
        }
        break;
      case 'condition': {
        const found = await work.found(step.segment_id, leader.version, numbers);
        for (const walker of group) pass(walker, planned, now, planned!.branches[found.has(walker.number) ? 0 : 1]!);
        break;
      }
      case 'split':
        for (const walker of group) pass(walker, planned, now, planned!.branches[branchOf(step, walker, journeyId)]!);
        break;
      default:
        if (step?.do === 'set') await work.set(step, numbers);
        if (step?.do === 'tag') await work.tag(step, numbers);
        if (step?.do === 'callback') await work.call(step, numbers);
        for (const walker of group) pass(walker, planned, now);
    }
  }
}

/** Returns the people at the first step, in the order of their definition, of one version. */
function firstGroup(walking: ReadonlySet<Walker>): Walker[] | undefined {
  let first: Walker | undefined;
  const placeOf = ({ version, at }: Walker) => version.places.get(at!) ?? -1;
  for (const walker of walking) {
    const earlier =
      !first ||
      walker.version.id < first.version.id ||
      (walker.version === first.version && placeOf(walker) < placeOf(first));
    if (earlier) first = walker;
  }
  return first && [...walking].filter(({ version, at }) => version === first.version && at === first.at);
}

/** Returns the branch of a split that a person takes, by a hash of the number. */
export const branchOf = (step: SplitStep, { number }: Pick<Walker, 'number'>, journeyId: number): number =>
  branchAt(step.branches, hashOf(`${number} ${journeyId} ${step.id}`) % 100);

/** Hashes a text to 32 bits: FNV-1a, mixed so that the last bits depend on all characters. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
