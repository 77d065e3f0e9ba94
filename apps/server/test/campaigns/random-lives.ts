import fc from 'fast-check';

// Random lives of a campaign: the steps that people, the clock and workers take, in any order.

export const PEOPLE = ['boss', 'asker', 'second'] as const;
const minutes = fc.integer({ min: 1, max: 600 });
const person = fc.constantFrom(...PEOPLE);
const schedule = fc.record({
  start: fc.option(minutes, { nil: null }),
  lasts: fc.option(minutes, { nil: null }),
  quiet: fc.boolean(),
  canary: fc.boolean(),
});
export type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  // This step moves the campaign onward from its current state; all other steps disturb it.
  { weight: 14, arbitrary: fc.record({ do: fc.constant('onward' as const), chance: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), person, schedule, text: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('approve' as const), person, stale: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('discard' as const, 'cancel' as const), person }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reschedule' as const), person, schedule }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('prepare' as const), crash: fc.boolean(), twice: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), person }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('stop' as const, 'stop-scheduled' as const), person }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('look' as const), workers: fc.integer({ min: 1, max: 2 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('jump' as const), minutes: fc.integer({ min: -30, max: 90 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('hand' as const), messages: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('blackout' as const), on: fc.boolean() }) },
);
export const life = fc.record({
  person,
  schedule,
  steps: fc.array(step, { minLength: 4, maxLength: 14 }),
});
export type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** Rare lives: approved and scheduled, then edited by a person who needs approval, and by one who does not. */
export const SELDOM: Life[] = (['asker', 'boss'] as const).map((editor) => {
  const later: Schedule = { start: 300, lasts: null, quiet: false, canary: false };
  return {
    person: 'asker',
    schedule: later,
    steps: [
      { do: 'approve', person: 'boss', stale: false },
      { do: 'prepare', crash: false, twice: false },
      { do: 'edit', person: editor, schedule: { ...later, start: 400 }, text: false },
    ],
  };
});
