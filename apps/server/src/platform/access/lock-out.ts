/** Minutes in which failures are counted together, and minutes of a lock. */
const MINUTES = 15;
const PERIOD = `interval '${MINUTES} minutes'`;

/** Names of the three columns in which a table counts failures. */
interface Columns {
  failures: string;
  first: string;
  locked: string;
}

/**
 * Returns the assignments of an UPDATE that counts a failure. The `most`th failure within 15 minutes of the first one
 * locks for 15 minutes; a failure during a lock changes nothing. `of` is the table's name in the statement; `now` and
 * `most` are expressions of SQL.
 */
export function countFailure({ failures, first, locked }: Columns, of: string, now: string, most: string): string {
  const isLocked = `${of}.${locked} > ${now}`;
  const counts = `${of}.${locked} IS NULL AND ${of}.${first} > ${now} - ${PERIOD}`;
  return `
    ${failures} = CASE WHEN ${isLocked} THEN ${of}.${failures} WHEN ${counts} THEN ${of}.${failures} + 1 ELSE 1 END,
    ${first} = CASE WHEN ${isLocked} OR ${counts} THEN ${of}.${first} ELSE ${now} END,
    ${locked} = CASE WHEN ${isLocked} THEN ${of}.${locked}
      WHEN ${counts} AND ${of}.${failures} + 1 >= ${most} THEN ${now} + ${PERIOD} END`;
}

/** Returns the condition that neither a lock nor the count of failures is in force any more. */
export const isForgotten = ({ first, locked }: Omit<Columns, 'failures'>, now: string): string =>
  `coalesce(${locked}, ${first} + ${PERIOD}) < ${now}`;
