import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutcomeWriter } from '../../src/modules/delivery/outcomes/outcome-writer.ts';
import type { CarrierSessions } from '../../src/modules/delivery/sending/carrier-sessions.ts';
import { LinkRates } from '../../src/modules/delivery/sending/link-rates.ts';
import { WindowBudget } from '../../src/modules/delivery/sending/window-budget.ts';

const WINDOW = 1_000;
/** Places that bulk leaves free. */
const KEPT = 50;

/** Answers the room for urgent messages and for bulk on link 1, with so many in flight and so many answers to record. */
function room(inFlight: number, unrecorded: Readonly<Record<number, number>>, reserved = 0) {
  const sessions = { inFlight, free: WINDOW - inFlight } as CarrierSessions;
  const writer = { unrecordedOf: (link: number) => unrecorded[link] ?? 0 } as OutcomeWriter;
  const link = { id: 1, window_size: WINDOW, binds: 1 };
  const budget = new WindowBudget(link, sessions, new LinkRates(null), writer, () => undefined);
  // The carrier answers soon, so the whole window helps.
  budget.answered(Array.from({ length: WINDOW }, () => ({ kind: 'answered', took: 1 }) as never));
  if (reserved > 0) budget.reserve(reserved, 0);
  return { urgent: budget.free, bulk: budget.freeForBulk };
}

test('a crash makes at most a window and as many unrecorded answers uncertain', () => {
  for (const inFlight of [0, 300, WINDOW - KEPT])
    for (const unrecorded of [0, 900, 1_500, 2 * WINDOW - KEPT])
      for (const reserved of [0, 200]) {
        const { urgent } = room(inFlight, { 1: unrecorded }, reserved);
        assert.ok(urgent === 0 || inFlight + unrecorded + reserved + urgent <= 2 * WINDOW, `${inFlight} ${unrecorded}`);
      }
});

test('urgent messages have places when unrecorded answers hold up bulk', () => {
  assert.deepEqual(room(0, { 1: 2 * WINDOW - KEPT }), { urgent: KEPT, bulk: 0 });
});

test('unrecorded answers of one link hold up no other', () => {
  assert.deepEqual(room(0, { 2: 20 * WINDOW }), room(0, {}));
  assert.equal(room(0, { 2: 20 * WINDOW }).urgent, WINDOW);
});
