import type { JourneyStep } from './journey-definition.ts';

/** Step with the places where it leads. Null is the end of the journey. */
export interface PlannedStep {
  step: JourneyStep;
  /** Step after it; of a condition or a split the one after its branches. */
  next: number | null;
  /** First steps of the branches, in their order; an empty branch leads to `next`. */
  branches: readonly (number | null)[];
}
/** Steps by their ids, and the first one. */
export interface JourneyPlan {
  first: number | null;
  steps: ReadonlyMap<number, PlannedStep>;
}

/** Plans where each step of a journey leads. */
export function planOf(steps: readonly JourneyStep[]): JourneyPlan {
  const planned = new Map<number, PlannedStep>();
  return { first: walk(steps, null, planned), steps: planned };
}

/** Plans a list of steps that is followed by `after`, and returns its first step. */
function walk(steps: readonly JourneyStep[], after: number | null, planned: Map<number, PlannedStep>): number | null {
  for (const [place, step] of steps.entries()) {
    const next = step.do === 'end' ? null : (steps[place + 1]?.id ?? after);
    const inner =
      step.do === 'condition'
        ? [step.yes, step.no]
        : step.do === 'split'
          ? step.branches.map((each) => each.steps)
          : [];
    // The map keeps the order of reading: a step comes before those of its branches, and these before the next one.
    planned.set(step.id, { step, next, branches: [] });
    planned.set(step.id, { step, next, branches: inner.map((each) => walk(each, next, planned)) });
  }
  return steps[0]?.id ?? after;
}

/**
 * Returns the branch of a split that a place in 0…99 belongs to. The places of a person come from a hash, so that they
 * take the same branch however often it is asked.
 */
export function branchAt(branches: readonly { share: number }[], place: number): number {
  let below = 0;
  for (const [nth, { share }] of branches.entries()) {
    below += share;
    if (place < below) return nth;
  }
  return branches.length - 1;
}
