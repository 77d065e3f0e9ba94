import { numberArray } from '#platform/database/array-literal';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import type { Program } from './program.ts';
import type { Entry } from './write-units.ts';

const USED =
  'SELECT corporation_id, messages FROM sandbox_use WHERE corporation_id = ANY ($1::bigint[]) AND day = $2::date';
const COUNT = `
  INSERT INTO sandbox_use (corporation_id, day, messages)
  SELECT corporation_id, $3::date, messages FROM unnest($1::bigint[], $2::integer[]) AS u(corporation_id, messages)
  ORDER BY corporation_id
  ON CONFLICT (corporation_id, day) DO UPDATE SET messages = sandbox_use.messages + excluded.messages`;

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** Returns the messages of test keys that corporations handed in today (UTC), by their ids. Live keys cost no statement. */
export async function testsToday(
  db: Queryable,
  programs: readonly { program: Program }[],
  now: Date,
): Promise<ReadonlyMap<number, number>> {
  const ids = new Set(programs.flatMap(({ program }) => (program.is_test ? program.corporation_id : [])));
  if (ids.size === 0) return new Map();
  const rows = await rowsOf<{ corporation_id: number; messages: number }>(db, USED, [
    numberArray([...ids]),
    dayOf(now),
  ]);
  return new Map(rows.map(({ corporation_id, messages }) => [corporation_id, messages]));
}

/** Counts the accepted messages of test keys. Live keys cost no statement. */
export async function countTests(db: Queryable, entries: readonly Entry[], now: Date): Promise<void> {
  const tests = entries.filter(({ program }) => program.is_test);
  if (tests.length === 0) return;
  const by = [...Map.groupBy(tests, ({ program }) => program.corporation_id)];
  await rowsOf(db, COUNT, [
    numberArray(by.map(([id]) => id)),
    numberArray(by.map(([, some]) => some.length)),
    dayOf(now),
  ]);
}
