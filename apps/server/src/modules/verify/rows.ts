import { fromThousandths } from '@heliograph/contract/kernel/money';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import type { GuardSignal, listVerifications, VerificationState } from '@heliograph/contract/verify/verification';
import { sql } from 'kysely';
import type { z } from 'zod';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';

type Row = z.output<(typeof listVerifications)['reply']>['data'][number];

const expired = (now: string) => sql`(v.state = 'pending' AND v.expires_at <= ${now}::timestamptz)`;

/** Condition on the state that people see. */
function inState(state: VerificationState, now: string) {
  if (state === 'expired') return expired(now);
  return state === 'pending' ? sql`(v.state = 'pending' AND NOT ${expired(now)})` : sql`v.state = ${state}`;
}

/** Lists the verifications that the caller sees, the newest first. */
export const verificationRows: Handler<typeof listVerifications> = async (ctx, { query }) => {
  const { limit, cursor, service_id, state, decision, number } = query;
  if (cursor !== undefined && !/^\d{1,16}$/.test(cursor)) throw new BusinessError('cursor_invalid');
  const now = ctx.clock.now().toISOString();
  const digits = number ? plainDigits(number) : undefined;
  // Only a whole number finds something, so nobody finds hidden digits by trying.
  if (number && digits === undefined) return { data: [], next_cursor: null, has_more: false };
  const conditions = [
    cursor === undefined ? sql`true` : sql`v.id < ${cursor}::bigint`,
    ...(service_id === undefined ? [] : [sql`v.service_id = ${service_id}`]),
    ...(state === undefined ? [] : [inState(state, now)]),
    ...(decision === undefined ? [] : [sql`v.decision = ${decision}`]),
    ...(digits === undefined ? [] : [sql`v.number = ${digits}`]),
  ];
  const { rows } = await sql<
    Omit<Row, 'price' | 'saved' | 'signals'> & { price: number; saved: number; signals: GuardSignal[] }
  >`
    SELECT v.id, v.corporation_id, c.name AS corporation_name, v.service_id, s.name AS service_name, v.number,
      CASE WHEN ${expired(now)} THEN 'expired' ELSE v.state END AS state, v.decision, v.signals,
      cardinality(v.message_ids) AS messages, v.checks, v.price, v.saved, c.currency, v.created_at,
      CASE WHEN ${expired(now)} THEN v.expires_at ELSE v.done_at END AS done_at, v.is_test
    FROM verification v JOIN verify_service s ON s.id = v.service_id JOIN corporation c ON c.id = v.corporation_id
    WHERE ${sql.join(conditions, sql` AND `)} ORDER BY v.id DESC LIMIT ${limit + 1}`.execute(ctx.db);
  const has_more = rows.length > limit;
  const data = rows.slice(0, limit).map(({ price, saved, ...row }) => ({
    ...row,
    price: fromThousandths(price),
    saved: fromThousandths(saved),
  }));
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
};
