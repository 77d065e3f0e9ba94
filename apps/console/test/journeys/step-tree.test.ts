import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allSteps, JOURNEY_LIMITS, type JourneyStep } from '@heliograph/contract/journeys/journey-definition';
import { findSteps } from '@heliograph/contract/journeys/journey-places';
import fc from 'fast-check';
import { GAP, layoutOf } from '../../src/modules/journeys/picture-layout.ts';
import { canMove, insertStep, moveStep, newStep, replaceStep } from '../../src/modules/journeys/step-tree.ts';

/** Steps of any shape, with an end only where nothing follows, and ids in the order of reading. */
const anySteps = fc
  .letrec<{ list: JourneyStep[]; step: JourneyStep }>((tie) => ({
    list: fc.array(tie('step'), { maxLength: 3 }),
    step: fc.oneof(
      { depthSize: 'small', maxDepth: JOURNEY_LIMITS.depth - 1, depthIdentifier: 'steps' },
      fc.constant(0).map(() => newStep('wait', 0)),
      fc.record({
        id: fc.constant(0),
        do: fc.constant('condition' as const),
        segment_id: fc.constant(1),
        yes: tie('list'),
        no: tie('list'),
      }),
      fc.record({
        id: fc.constant(0),
        do: fc.constant('split' as const),
        branches: fc.array(fc.record({ share: fc.constant(50), steps: tie('list') }), { minLength: 2, maxLength: 3 }),
      }),
    ),
  }))
  .list.map((steps) => {
    const numbered = structuredClone(steps);
    for (const [at, step] of allSteps(numbered).entries()) step.id = at + 1;
    return numbered;
  })
  .filter((steps) => steps.length > 0);

test('a step is moved to each place that takes it, and nothing else changes', () => {
  fc.assert(
    fc.property(anySteps, fc.nat(), fc.nat(), (steps, nthStep, nthSpot) => {
      const all = findSteps(steps);
      const { step } = all[nthStep % all.length]!;
      const { spots } = layoutOf(steps, GAP.edit);
      const { place } = spots[nthSpot % spots.length]!;
      if (!canMove(steps, step.id, place)) return;
      const after = moveStep(steps, step.id, place);
      assert.deepEqual(ids(after).sort(), ids(steps).sort(), 'no step is lost or doubled');
      const found = findSteps(after).find((each) => each.step.id === step.id)!;
      assert.equal(found.place.inside, place.inside);
      assert.deepEqual(found.step, step, 'what is within it goes along');
      assert.deepEqual(replaceStep(after, step.id, null), replaceStep(steps, step.id, null), 'the others keep theirs');
      assert.ok(Math.max(...findSteps(after).map(({ depth }) => depth)) <= JOURNEY_LIMITS.depth);
    }),
  );
});

test('a step that is added in a spot of the picture stands where the spot is', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const { spots } = layoutOf(steps, GAP.edit);
      assert.equal(spots.length, ids(steps).length + listsOf(steps), 'before each step, and at the end of each list');
      for (const spot of spots) {
        const after = insertStep(steps, spot.place, newStep('wait', 9_999));
        const { boxes } = layoutOf(after, GAP.edit);
        const added = boxes.find(({ step }) => step.id === 9_999)!;
        const next = boxes.find(({ step }) => step.id === nextOf(steps, spot.place));
        if (next) assert.ok(next.y > added.y && next.x === added.x);
        assert.deepEqual(findSteps(after).find(({ step }) => step.id === 9_999)!.place, spot.place);
      }
    }),
  );
});

test('no two boxes of a picture touch, and each line goes down', () => {
  fc.assert(
    fc.property(anySteps, fc.constantFrom(GAP.read, GAP.edit), (steps, gap) => {
      const { boxes, lines, width, height } = layoutOf(steps, gap);
      for (const [at, a] of boxes.entries()) {
        assert.ok(a.x > 0 && a.x < width && a.y < height);
        for (const b of boxes.slice(at + 1)) assert.ok(Math.abs(a.x - b.x) >= 190 || Math.abs(a.y - b.y) >= 62 + gap);
      }
      for (const { from, to, turn } of lines) assert.ok(from.y <= turn && turn <= to.y);
    }),
  );
});

test('a step does not move into itself, to where it is, or deeper than steps may be', () => {
  let inner: JourneyStep[] = [newStep('wait', 9)];
  for (let id = 8; id > 4; id -= 1) inner = [{ id, do: 'condition', segment_id: 1, yes: inner, no: [] }];
  const steps: JourneyStep[] = [...inner, { id: 1, do: 'condition', segment_id: 1, yes: [], no: [] }];
  assert.equal(canMove(steps, 5, { inside: 7, branch: 1, at: 0 }), false, 'into itself');
  assert.equal(canMove(steps, 5, { inside: null, branch: 0, at: 1 }), false, 'where it is');
  assert.equal(canMove(steps, 1, { inside: 8, branch: 0, at: 0 }), false, 'too deep');
  assert.equal(canMove(steps, 1, { inside: 7, branch: 1, at: 0 }), true);
  assert.equal(canMove(steps, 5, { inside: null, branch: 0, at: 2 }), true);
});

const ids = (steps: readonly JourneyStep[]) => allSteps(steps).map(({ id }) => id);
const listsOf = (steps: readonly JourneyStep[]): number =>
  1 +
  allSteps(steps).reduce(
    (sum, step) => sum + (step.do === 'condition' ? 2 : step.do === 'split' ? step.branches.length : 0),
    0,
  );
const nextOf = (steps: readonly JourneyStep[], { inside, branch, at }: ReturnType<typeof findSteps>[number]['place']) =>
  findSteps(steps).find(({ place }) => place.inside === inside && place.branch === branch && place.at === at)?.step.id;
