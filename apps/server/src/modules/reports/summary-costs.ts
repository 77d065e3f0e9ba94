import type { ReportCosts } from '@heliograph/contract/kernel/report-costs';
import type { SummaryPeriod } from '@heliograph/contract/reports/summary-report';
import { type RawBuilder, sql } from 'kysely';
import { customersOf } from '#modules/margins';
import type { ListContext } from '#platform/tasks/exported-list';
import { type CostValues, costValues, platformCurrency, type RowSums } from './cost-columns.ts';
import { COUNTS } from './traffic-counts.ts';

/** Selection of a summary report with costs. */
interface Selection {
  costs?: ReportCosts | undefined;
  period: SummaryPeriod;
  from: string;
  to: string;
  corporation_id?: number | undefined;
  sender_id?: string | undefined;
  network_id?: number | undefined;
}

/** Costs as parts of the report's statement, and the values that they have in a row. */
export interface SummaryCosts {
  /** Columns of the traffic, after the counts. */
  ofTraffic: RawBuilder<unknown>;
  /** Further rows beside the traffic: a part may be accepted on another day than its message was written. */
  more: RawBuilder<unknown>;
  valuesOf(row: { spend: number; currency: string; sums: RowSums }, days: Days): CostValues;
}
interface Days {
  starts_on: string;
  ends_on: string;
}

const NONE = sql`NULL::bigint`;
const NO_COUNTS = sql.raw([...COUNTS, 'spend'].map(() => '0').join(', '));

/** Prepares the costs of a report. `unit` is its period for date_trunc, `group` its two expressions for sender ID and network. */
export async function summaryCosts(
  ctx: ListContext,
  selection: Selection,
  unit: string,
  group: RawBuilder<unknown>,
): Promise<SummaryCosts> {
  const { costs, from, to, corporation_id, sender_id, network_id } = selection;
  const columns = (charged: RawBuilder<unknown>) =>
    sql`${charged} AS resale_cost, ${NONE} AS price, ${NONE} AS cost, ${NONE} AS unknown_parts`;
  if (costs === undefined) return { ofTraffic: columns(NONE), more: sql``, valuesOf: () => ({}) };
  if (costs === 'resale') {
    const customers = customersOf(ctx.caller);
    const known = customers === null ? sql`true` : sql`corporation_id = ANY (${customers}::bigint[])`;
    return {
      ofTraffic: columns(sql`sum(cost) FILTER (WHERE ${known})`),
      more: sql``,
      valuesOf: (row) => costValues(costs, '', { ...row, ...row.sums }),
    };
  }
  const conditions = [
    sql`day BETWEEN ${from}::date AND ${to}::date`,
    ...(corporation_id === undefined ? [] : [sql`corporation_id = ${corporation_id}`]),
    ...(sender_id ? [sql`sender_id = ${sender_id}`] : []),
    ...(network_id === undefined ? [] : [sql`network_id = ${network_id}`]),
  ];
  const currency = await platformCurrency(ctx.db);
  const { rows } = await sql<{ day: string }>`SELECT day::text AS day FROM margin_counted
    WHERE day BETWEEN ${from}::date AND ${to}::date ORDER BY day DESC`.execute(ctx.db);
  return {
    ofTraffic: columns(NONE),
    more: sql`UNION ALL SELECT date_trunc(${unit}, day::timestamp)::date::text, corporation_id, ${group}, ${NO_COUNTS},
      NULL, sum(price), sum(cost), sum(unknown_parts) FROM margin_day WHERE ${sql.join(conditions, sql` AND `)} GROUP BY 1, 2, 3, 4`,
    valuesOf(row, { starts_on, ends_on }) {
      const counted_to = rows.find(({ day }) => day >= starts_on && day <= ends_on)?.day ?? null;
      if (counted_to === null) return {};
      const { price, cost, unknown_parts } = row.sums;
      const sums = { price: price ?? 0, cost: cost ?? 0, unknown_parts: unknown_parts ?? 0 };
      return { ...costValues(costs, currency, { ...row, ...row.sums, ...sums }), counted_to };
    },
  };
}
