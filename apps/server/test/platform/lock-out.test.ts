import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { countFailure, isForgotten } from '../../src/platform/access/lock-out.ts';
import { testDatabase } from '../template-database.ts';

const MOST = 3;
const MINUTE = 60_000;
const LOCK = 15 * MINUTE;

interface Count {
  failures: number;
  first: number | null;
  locked: number | null;
}

interface Counted {
  failures: number;
  first: string | null;
  locked: string | null;
  over: boolean;
}

/** Returns the count after a failure, by the rule in plain words. */
function counted({ failures, first, locked }: Count, now: number): Count {
  if (locked !== null && locked > now) return { failures, first, locked };
  if (locked !== null || first === null || first <= now - LOCK) return { failures: 1, first: now, locked: null };
  return { failures: failures + 1, first, locked: failures + 1 >= MOST ? now + LOCK : null };
}

test('locks as the rule says, whatever the times of the failures', async () => {
  const database = await testDatabase({ after });
  const owner = await database.pool('owner').connect();
  await owner.query('CREATE TEMPORARY TABLE tried (failures int DEFAULT 0, first timestamptz, locked timestamptz)');
  const columns = { failures: 'failures', first: 'first', locked: 'locked' };
  const set = countFailure(columns, 't', '$1::timestamptz', String(MOST));
  const pauses = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 12 });
  const inMs = (at: string | null) => (at === null ? null : Date.parse(at));
  await fc.assert(
    fc.asyncProperty(pauses, async (minutes) => {
      await owner.query('TRUNCATE tried');
      await owner.query('INSERT INTO tried DEFAULT VALUES');
      let now = Date.UTC(2026, 0, 1);
      let expected: Count = { failures: 0, first: null, locked: null };
      for (const pause of minutes) {
        now += pause * MINUTE;
        const { rows } = await owner.query<Counted>(
          `UPDATE tried t SET ${set} RETURNING *, ${isForgotten(columns, '$1')} AS over`,
          [new Date(now).toISOString()],
        );
        expected = counted(expected, now);
        const { failures, first, locked, over } = rows[0]!;
        assert.deepEqual({ failures, first: inMs(first), locked: inMs(locked) }, expected);
        assert.equal(over, false);
      }
    }),
    { numRuns: 50 },
  );
  owner.release();
});
