import type pg from 'pg';
import type { Period } from '#platform/period';
import { StartError } from '#platform/start-error';

const HOURS = 24;

/**
 * Counts the statistics of UTC days anew from what is recorded of each message, an hour at a time, and answers how many
 * days. Whoever records outcomes meanwhile waits for that hour, so that nothing is counted twice or missed: what is
 * recorded but not added yet is not seen, and is added to the new sums. Throws a StartError where messages of the days were
 * removed: their statistics are all that is left of them.
 */
export async function rebuildTraffic(client: pg.ClientBase, { from, to }: Period): Promise<number> {
  const { rows } = await client.query<{ oldest: string | null }>(
    'SELECT min(d)::text AS oldest FROM partitioned_days() AS d',
  );
  const { oldest } = rows[0]!;
  if (oldest === null || from < oldest)
    throw new StartError(
      `Messages before ${oldest ?? to} are not kept any more: their statistics can not be counted anew.`,
    );
  const last = Temporal.PlainDate.from(to);
  let days = 0;
  for (
    let day = Temporal.PlainDate.from(from);
    Temporal.PlainDate.compare(day, last) <= 0;
    day = day.add({ days: 1 })
  ) {
    const start = day.toZonedDateTime('UTC');
    for (let hour = 0; hour < HOURS; hour++) {
      const starts = start.add({ hours: hour }).toInstant().toString();
      const ends = start
        .add({ hours: hour + 1 })
        .toInstant()
        .toString();
      await client.query('BEGIN');
      await client.query('LOCK TABLE traffic_quarter IN SHARE ROW EXCLUSIVE MODE');
      await client.query('SELECT rebuild_traffic($1, $2)', [starts, ends]);
      await client.query('DELETE FROM counted_quarter WHERE quarter >= $1 AND quarter < $2', [starts, ends]);
      await client.query('COMMIT');
    }
    days++;
  }
  return days;
}
