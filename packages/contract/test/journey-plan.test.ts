import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allSteps, type JourneyStep, journeyDefinition, unreachable } from '../src/journeys/journey-definition.ts';
import { branchAt, planOf } from '../src/journeys/journey-plan.ts';

/** Random lists of steps: simple ones, ends, conditions and splits, without their ids. */
const { steps } = fc.letrec<{ steps: JourneyStep[]; step: JourneyStep }>((tie) => ({
  steps: fc.array(tie('step'), { maxLength: 4 }),
  step: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constant({ id: 0, do: 'wait', count: 1, unit: 'days' } as JourneyStep),
    fc.constant({ id: 0, do: 'end' } as JourneyStep),
    fc.record({
      id: fc.constant(0),
      do: fc.constant('condition'),
      segment_id: fc.constant(1),
      yes: tie('steps'),
      no: tie('steps'),
    }) as fc.Arbitrary<JourneyStep>,
    fc.tuple(tie('steps'), tie('steps'), fc.integer({ min: 1, max: 99 })).map(
      ([first, second, share]): JourneyStep => ({
        id: 0,
        do: 'split',
        branches: [
          { share, steps: first as JourneyStep[] },
          { share: 100 - share, steps: second as JourneyStep[] },
        ],
      }),
    ),
  ),
}));

/** Gives each step a number of its own. */
function numbered(list: readonly JourneyStep[]): JourneyStep[] {
  let next = 0;
  const walk = (each: readonly JourneyStep[]): JourneyStep[] =>
    each.map((step) => {
      const id = ++next;
      if (step.do === 'condition') return { ...step, id, yes: walk(step.yes), no: walk(step.no) };
      if (step.do === 'split')
        return { ...step, id, branches: step.branches.map((branch) => ({ ...branch, steps: walk(branch.steps) })) };
      return { ...step, id };
    });
  return walk(list);
}

/** Steps that somebody can reach, found by walking every branch of the plan. */
function reached(list: readonly JourneyStep[]): Set<number> {
  const { first, steps: planned } = planOf(list);
  const found = new Set<number>();
  const visit = (id: number | null, seen: readonly number[]): void => {
    if (id === null) return;
    assert.ok(!seen.includes(id), 'nobody comes to a step twice');
    found.add(id);
    const { next, branches } = planned.get(id)!;
    for (const to of branches.length > 0 ? branches : [next]) visit(to, [...seen, id]);
  };
  visit(first, []);
  return found;
}

test('everybody comes to the end of a journey, and passes no step twice', () => {
  fc.assert(
    fc.property(steps.map(numbered), (list) => void reached(list)),
    { numRuns: 300 },
  );
});

test('a definition is refused exactly if a step of it cannot be reached', () => {
  fc.assert(
    fc.property(steps.map(numbered), (list) => {
      const all = allSteps(list);
      const found = reached(list);
      const whole = all.every(({ id }) => found.has(id));
      assert.equal(unreachable(list) === undefined, whole);
      fc.pre(all.length <= 50);
      const { success } = journeyDefinition.safeParse({ trigger: { on: 'event' }, steps: list });
      assert.equal(success, whole);
    }),
    { numRuns: 300 },
  );
});

test('a step comes before those of its branches, and these before the next one', () => {
  fc.assert(
    fc.property(steps.map(numbered), (list) => {
      const planned = [...planOf(list).steps.entries()];
      const placeOf = new Map(planned.map(([id], place) => [id, place]));
      for (const [id, { next, branches }] of planned)
        for (const to of [next, ...branches]) if (to !== null) assert.ok(placeOf.get(to)! > placeOf.get(id)!);
    }),
    { numRuns: 300 },
  );
});

test('a split divides the places of people by its shares', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 98 }), fc.integer({ min: 1, max: 98 }), (one, two) => {
      fc.pre(one + two < 100);
      const branches = [one, two, 100 - one - two].map((share) => ({ share }));
      const counts = [0, 0, 0];
      for (let place = 0; place < 100; place++) counts[branchAt(branches, place)]! += 1;
      assert.deepEqual(
        counts,
        branches.map(({ share }) => share),
      );
    }),
  );
});
