import { StartError } from '@heliograph/installation/start-error';
import type pg from 'pg';
import type { Period } from '#platform/records/period';

const HOURS = 24;

/**
 * Counts the statistics of UTC days again from the records of each message, an hour at a time. Returns the number of
 * days. Processes that record outcomes wait for the running hour, so that nothing is counted twice or missed. Outcomes
 * that are recorded but not added yet are not seen, and are added to the new sums. Throws a StartError if messages of
 * the days were removed, because only their statistics are left.
 */
export async function rebuildTraffic(client: pg.ClientBase, { from, to }: Period): Promise<number> {
  const { rows } = await client.query<{ oldest: string | null }>(
    'SELECT min(d)::text AS oldest FROM partitioned_days() AS d',
  );
  const { oldest } = rows[0]!;
  if (oldest === null || from < oldest)
    throw new StartError(
      `Messages before ${oldest ?? to} are no longer kept: their statistics cannot be counted again.`,
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
      for (const counted of ['counted_quarter', 'counted_network_quarter'])
        await client.query(`DELETE FROM ${counted} WHERE quarter >= $1 AND quarter < $2`, [starts, ends]);
      await client.query('COMMIT');
    }
    days++;
  }
  return days;
}
