import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CarrierIds } from '../../src/modules/delivery/outcomes/carrier-ids.ts';
import type { Segment } from '../../src/modules/delivery/segment.ts';

test('segments are found by their carrier id as in a Map, whatever is added, forgotten and added again', () => {
  const step = fc.tuple(fc.constantFrom('add', 'forget', 'find'), fc.nat(300));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2_000 }), fc.nat(20_000), (steps, crowd) => {
      const [ids, model] = [new CarrierIds(), new Map<string, Segment>()];
      const add = (id: string) => {
        const segment = { part: 1, tries: 0 } as Segment;
        ids.add(id, segment);
        model.set(id, segment);
      };
      // Enough of them that the table grows while others are in it.
      for (let i = 0; i < crowd; i++) add(`crowd-${i.toString(16)}`);
      for (const [what, number] of steps) {
        const id = number.toString(16).padStart(8, '0');
        if (what === 'add') add(id);
        else if (what === 'forget') {
          ids.forget(id);
          model.delete(id);
        } else assert.equal(ids.find(id), model.get(id));
      }
      for (const [id, segment] of model) assert.equal(ids.find(id), segment);
    }),
    { numRuns: 30 },
  );
});

test('of very many segments the newest are kept', () => {
  const ids = new CarrierIds();
  const segment = { part: 1, tries: 0 } as Segment;
  for (let i = 0; i < 500_000; i++) ids.add(String(i), segment);
  assert.equal(ids.find('499999'), segment);
  assert.equal(ids.find('350001'), segment);
  assert.equal(ids.find('0'), undefined);
});
