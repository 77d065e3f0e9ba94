import { branchesOf, type JourneyStep } from './journey-definition.ts';

/** Place in the list of the journey itself (`inside` is null) or of a branch of a step. */
export interface Place {
  inside: number | null;
  branch: number;
  /** Place among the steps of the list; their count is its end. */
  at: number;
}
/** Step with its place, its path in the definition, and the depth of its list; the journey's own list has 1. */
export interface FoundStep {
  step: JourneyStep;
  place: Place;
  path: string;
  depth: number;
}

/** Returns all steps with their places, in the order in which they are read. */
export function findSteps(
  steps: readonly JourneyStep[],
  path = 'definition.steps',
  inside: number | null = null,
  branch = 0,
  depth = 1,
): FoundStep[] {
  return steps.flatMap((step, at) => {
    const own = `${path}.${at}`;
    const inner = branchesOf(step).flatMap((list, nth) => {
      const name = step.do === 'split' ? `branches.${nth}.steps` : nth === 0 ? 'yes' : 'no';
      return findSteps(list, `${own}.${name}`, step.id, nth, depth + 1);
    });
    return [{ step, place: { inside, branch, at }, path: own, depth }, ...inner];
  });
}
