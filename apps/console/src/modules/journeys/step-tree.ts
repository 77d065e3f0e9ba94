import {
  allSteps,
  branchesOf,
  JOURNEY_LIMITS,
  type JourneyDefinition,
  type JourneyStep,
  type SplitStep,
} from '@heliograph/contract/journeys/journey-definition';
import { findSteps, type Place } from '@heliograph/contract/journeys/journey-places';

/** Returns the definition with which a new journey begins. */
export const firstDefinition = (): JourneyDefinition => ({
  form: 1,
  trigger: { on: 'event' },
  again_days: null,
  steps: [],
  contact_fields: [],
});

/** Returns a number for a new step, above those of all others, so that a removed step's number is not used again soon. */
export const nextId = (steps: readonly JourneyStep[]): number =>
  allSteps(steps).reduce((most, { id }) => Math.max(most, id), 0) + 1;

/** Returns a new step of a kind. */
export function newStep(kind: JourneyStep['do'], id: number): JourneyStep {
  switch (kind) {
    case 'wait':
      return { id, do: 'wait', count: 1, unit: 'days' };
    case 'until':
      return { id, do: 'until', at: '09:00', weekdays: [] };
    case 'message':
      return { id, do: 'message', sender_id: 0, text: '', nameless: '', defaults: {} };
    case 'condition':
      return { id, do: 'condition', segment_id: 0, yes: [], no: [] };
    case 'split':
      return {
        id,
        do: 'split',
        branches: [
          { share: 50, steps: [] },
          { share: 50, steps: [] },
        ],
      };
    case 'set':
      return { id, do: 'set', field_id: 0, value: null };
    case 'tag':
      return { id, do: 'tag', tag: '', add: true };
    case 'callback':
      return { id, do: 'callback', name: '' };
    case 'end':
      return { id, do: 'end' };
  }
}

/** Returns the branches of a split with equal shares, the first with what is left over. */
export const equalShares = (branches: SplitStep['branches']): SplitStep['branches'] => {
  const share = Math.floor(100 / branches.length);
  return branches.map((branch, nth) => ({ ...branch, share: nth === 0 ? 100 - share * (branches.length - 1) : share }));
};

/** Returns a list with one item replaced, or removed if it is null. */
export const withStep = (steps: readonly JourneyStep[], at: number, step: JourneyStep | null): JourneyStep[] =>
  steps.flatMap((each, place) => (place !== at ? [each] : step === null ? [] : [step]));

/** Returns a list with one item moved to another place. */
export function moved(steps: readonly JourneyStep[], from: number, to: number): JourneyStep[] {
  const rest = steps.filter((_, place) => place !== from);
  return [...rest.slice(0, to), steps[from]!, ...rest.slice(to)];
}

type ChangeOfList = (list: readonly JourneyStep[], inside: number | null, branch: number) => JourneyStep[];

/** Returns the steps with each list changed, inner lists first. */
function withLists(
  steps: readonly JourneyStep[],
  change: ChangeOfList,
  inside: number | null = null,
  branch = 0,
): JourneyStep[] {
  const inner = (step: JourneyStep, nth: number) => withLists(branchesOf(step)[nth]!, change, step.id, nth);
  const changed = steps.map((step): JourneyStep => {
    if (step.do === 'condition') return { ...step, yes: inner(step, 0), no: inner(step, 1) };
    if (step.do !== 'split') return step;
    return { ...step, branches: step.branches.map((each, nth) => ({ ...each, steps: inner(step, nth) })) };
  });
  return change(changed, inside, branch);
}

/** Returns the steps with one more at a place. */
export const insertStep = (steps: readonly JourneyStep[], place: Place, step: JourneyStep): JourneyStep[] =>
  withLists(steps, (list, inside, branch) =>
    inside === place.inside && branch === place.branch
      ? [...list.slice(0, place.at), step, ...list.slice(place.at)]
      : [...list],
  );

/** Returns the steps with the one of this id replaced wherever it is, or removed if the other is null. */
export const replaceStep = (steps: readonly JourneyStep[], id: number, other: JourneyStep | null): JourneyStep[] =>
  withLists(steps, (list) => list.flatMap((each) => (each.id !== id ? [each] : other === null ? [] : [other])));

/** Returns the steps with the one of this id, and what is within it, moved to a place of the list as it is before. */
export function moveStep(steps: readonly JourneyStep[], id: number, to: Place): JourneyStep[] {
  const { step, place } = findSteps(steps).find((each) => each.step.id === id)!;
  const before = place.inside === to.inside && place.branch === to.branch && place.at < to.at;
  return insertStep(replaceStep(steps, id, null), { ...to, at: to.at - (before ? 1 : 0) }, step);
}

/** Number of lists within each other that a step has. */
const levelsOf = (step: JourneyStep): number => {
  const branches = branchesOf(step);
  return branches.length === 0 ? 0 : 1 + Math.max(0, ...branches.flat().map(levelsOf));
};

/** Returns the depth of the list of a place. */
export const depthOf = (steps: readonly JourneyStep[], { inside }: Place): number =>
  inside === null ? 1 : findSteps(steps).find(({ step }) => step.id === inside)!.depth + 1;

/** Tells if a step fits at a depth with all that is within it. */
export const fitsAt = (step: JourneyStep, depth: number): boolean => depth + levelsOf(step) <= JOURNEY_LIMITS.depth;

/** Tells if a step can be moved to a place: not within itself, not where it is, and not too deep. */
export function canMove(steps: readonly JourneyStep[], id: number, to: Place): boolean {
  const { step, place } = findSteps(steps).find((each) => each.step.id === id)!;
  const stays =
    place.inside === to.inside && place.branch === to.branch && (to.at === place.at || to.at === place.at + 1);
  const within = allSteps([step]).some((each) => each.id === to.inside);
  return !stays && !within && fitsAt(step, depthOf(steps, to));
}
