import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';

/** Days before the last day of a key on which people are told. */
export const TOLD_BEFORE = [14, 3, 0] as const;

/** Returns the SQL of today in the time zone of a corporation. */
export const todayIn = (now: Date, timezone = sql.ref('c.timezone')) =>
  sql<string>`(${now.toISOString()}::timestamptz AT TIME ZONE ${timezone})::date`;

/**
 * Returns the columns of a key with this last day. News that would have come before now are not sent later. Throws a 422
 * on `field` for a day that is over.
 */
export async function lastDayColumns(
  ctx: Pick<Context, 'db' | 'clock'>,
  corporationId: number,
  lastDay: string | null,
  field = 'last_day',
): Promise<{ last_day: string | null; told_days: number | null }> {
  if (lastDay === null) return { last_day: null, told_days: null };
  const { rows } = await sql<{ days: number }>`
    SELECT ${lastDay}::date - ${todayIn(ctx.clock.now())} AS days FROM corporation c WHERE c.id = ${corporationId}`.execute(
    ctx.db,
  );
  const days = rows[0]!.days;
  if (days < 0) throw fieldError(field, 'last_day_over');
  const missed = TOLD_BEFORE.filter((each) => each > days);
  return { last_day: lastDay, told_days: missed.length > 0 ? Math.min(...missed) : null };
}
