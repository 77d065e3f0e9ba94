import { type Queryable, rowsOf } from '#platform/database/queryable';

// The oldest open test of a phone is the one that it answers.
const TAKE = `
  WITH l AS (
    UPDATE test_number SET answered_at = now() WHERE kind = 'loop' AND enabled AND number = ANY ($1::text[]) RETURNING number
  ), t AS (
    UPDATE link_test SET answered_at = now() WHERE id IN (
      SELECT min(id) FROM link_test JOIN l USING (number)
      WHERE kind = 'loop' AND answered_at IS NULL AND sent_at > now() - interval '1 day' GROUP BY number)
  )
  SELECT number FROM l`;

/** Takes the answers of test phones, and returns the numbers of those phones: their messages belong to nobody. */
export async function takeTestAnswers(db: Queryable, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await rowsOf<{ number: string }>(db, TAKE, [[...new Set(numbers)]]);
  return new Set(rows.map(({ number }) => number));
}
