import type { resale } from '@heliograph/contract/dashboard/resale';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { homeOf } from '#platform/person/home';
import { dateIn, momentsOf } from '#platform/records/period';

type Reply = ReplyOf<typeof resale>;
interface Sums {
  revenue: number;
  cost: number;
}
interface Row extends Sums {
  date: string;
  corporation_id: number;
  corporation_name: string;
  currency: string;
  messages: number;
}

const MOST = 8;
const onWire = ({ revenue, cost }: Sums) => ({
  revenue: fromThousandths(revenue),
  cost: fromThousandths(cost),
  margin: fromThousandths(revenue - cost),
});
const sumOf = (rows: readonly Sums[]): Sums => ({
  revenue: rows.reduce((sum, { revenue }) => sum + revenue, 0),
  cost: rows.reduce((sum, { cost }) => sum + cost, 0),
});

/** Shows what a reseller's customers paid, and what their messages cost the reseller; nothing for those without customers. */
export async function showResale(ctx: Context, wanted: number): Promise<Reply> {
  const { caller } = ctx;
  const own = caller.corporation_id;
  const customers = caller.scope_level === 2 ? caller.corporations.filter((id) => id !== own) : [];
  const { timezone, currency } = await homeOf(ctx);
  const today = Temporal.PlainDate.from(dateIn(timezone, ctx.clock.now()));
  const dates = Array.from({ length: 2 * wanted }, (_, i) => today.subtract({ days: 2 * wanted - 1 - i }).toString());
  const { start, end } = momentsOf({ from: dates[0]!, to: dates.at(-1)! }, timezone);
  const { rows } = await sql<Row>`
    WITH t AS MATERIALIZED (
      SELECT (quarter AT TIME ZONE ${timezone})::date::text AS date, corporation_id, sum(messages)::bigint AS messages,
        sum(spend)::bigint AS revenue, sum(cost)::bigint AS cost
      FROM traffic_quarter WHERE quarter >= ${start} AND quarter < ${end} AND corporation_id = ANY (${customers}::bigint[])
      GROUP BY 1, 2
    )
    SELECT t.*, c.name AS corporation_name, c.currency FROM t JOIN traffic_owner c ON c.id = t.corporation_id`.execute(
    ctx.db,
  );
  const shown = rows.filter(({ date }) => date >= dates[wanted]!);
  const ours = shown.filter((row) => row.currency === currency);
  const byCustomer = Map.groupBy(ours, ({ corporation_id }) => corporation_id);
  const others = Map.groupBy(
    shown.filter((row) => row.currency !== currency),
    (row) => row.currency,
  );
  return {
    currency,
    totals: onWire(sumOf(ours)),
    before: onWire(sumOf(rows.filter((row) => row.currency === currency && row.date < dates[wanted]!))),
    other_revenue: [...others].map(([other, some]) => ({
      currency: other,
      amount: fromThousandths(sumOf(some).revenue),
    })),
    days: dates.slice(wanted).map((date) => ({ date, ...onWire(sumOf(ours.filter((row) => row.date === date))) })),
    customers: [...byCustomer.values()]
      .map((some) => ({ ...some[0]!, ...sumOf(some), messages: some.reduce((sum, { messages }) => sum + messages, 0) }))
      .sort((a, b) => b.revenue - a.revenue || a.corporation_name.localeCompare(b.corporation_name))
      .slice(0, MOST)
      .map(({ corporation_id, corporation_name, messages, ...sums }) => ({
        corporation_id,
        corporation_name,
        messages,
        ...onWire(sums),
      })),
  };
}
