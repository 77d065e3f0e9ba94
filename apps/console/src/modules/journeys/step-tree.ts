import {
  allSteps,
  type JourneyDefinition,
  type JourneyStep,
  type SplitStep,
} from '@heliograph/contract/journeys/journey-definition';

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
