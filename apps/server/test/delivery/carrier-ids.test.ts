import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { messageId } from '../../src/modules/delivery/message-id.ts';
import { CarrierIds } from '../../src/modules/delivery/outcomes/carrier-ids.ts';
import { type ChunkContext, type Segment, WHOLE } from '../../src/modules/delivery/segment.ts';

const chunks = Array.from({ length: 5 }, (_, place) => ({ id: 20_700 * 2 ** 28 + place }) as ChunkContext);

/** Makes a segment as it is sent. All its numbers derive from `number`. */
function segmentOf(number: number): Segment {
  const chunk = chunks[number % chunks.length]!;
  const parts = 1 + (number % 10);
  return {
    message: {
      id: messageId(chunk.id, number % 1_000),
      chunk,
      msisdn: `63917${String(number % 10_000_000).padStart(7, '0')}`,
      text: null,
      parts,
      unit_price: number * 1_000_003,
      reference: number % 7 === 0 ? WHOLE : number % 65_536,
      answered_at: 1_780_000_000_000 + number,
    },
    part: parts,
    tries: 0,
  };
}

test('finds a segment by its carrier id after adds, removals and repeated adds', () => {
  const step = fc.tuple(fc.constantFrom('add', 'forget', 'find'), fc.nat(300), fc.nat(1_000_000));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2_000 }), fc.nat(20_000), (steps, crowd) => {
      const [ids, model] = [new CarrierIds(), new Map<string, Segment>()];
      const add = (id: string, segment: Segment) => {
        ids.add(id, segment);
        model.set(id, segment);
      };
      const check = (id: string) => {
        const expected = model.get(id);
        assert.deepEqual(ids.find(id), expected);
        assert.equal(ids.recipientTail(id), expected?.message.msisdn.slice(-7));
      };
      // Enough entries that the table grows while it holds others.
      for (let i = 0; i < crowd; i++) add(`crowd-${i.toString(16)}`, segmentOf(i));
      for (const [what, place, number] of steps) {
        const id = place.toString(16).padStart(8, '0');
        if (what === 'add') add(id, segmentOf(number));
        else if (what === 'forget') {
          ids.forget(id);
          model.delete(id);
        } else check(id);
      }
      for (const id of model.keys()) check(id);
    }),
    { numRuns: 20 },
  );
});

test('keeps the newest of very many segments', () => {
  const ids = new CarrierIds();
  for (let i = 0; i < 1_100_000; i++) ids.add(String(i), segmentOf(i));
  assert.deepEqual(ids.find('1099999'), segmentOf(1_099_999));
  assert.deepEqual(ids.find('600001'), segmentOf(600_001));
  assert.equal(ids.find('0'), undefined);
});

test('recalled segments displace nothing that was sent since', () => {
  const ids = new CarrierIds();
  ids.add('sent', segmentOf(1));
  ids.recall('sent', segmentOf(2));
  for (let i = 0; i < 500_000; i++) ids.recall(String(i), segmentOf(i));
  assert.deepEqual(ids.find('sent'), segmentOf(1));
  assert.deepEqual(ids.find('499999'), segmentOf(499_999));
  assert.equal(ids.recipientTail('499999'), segmentOf(499_999).message.msisdn.slice(-7));
  assert.equal(ids.find('0'), undefined, 'only so many are recalled');
  ids.add('499999', segmentOf(3));
  assert.deepEqual(ids.find('499999'), segmentOf(3), 'an id that came again means the newer message');
  ids.forget('sent');
  assert.equal(ids.find('sent'), undefined);
});
