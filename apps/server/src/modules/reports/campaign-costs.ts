import type { ReportCosts } from '@heliograph/contract/kernel/report-costs';
import { sql } from 'kysely';
import { customersOf } from '#modules/margins';
import type { ListContext } from '#platform/tasks/exported-list';
import { type CostValues, costValues, platformCurrency, type RowSums } from './cost-columns.ts';

/** Adds costs to campaigns: of carriers by the counted days, of resale by the statistics. */
export async function addCosts<Row extends { id: number; currency: string; charged: string }>(
  ctx: ListContext,
  costs: ReportCosts,
  campaigns: readonly Row[],
): Promise<(Row & { costs: CostValues })[]> {
  const ids = campaigns.map(({ id }) => id);
  const customers = customersOf(ctx.caller);
  const { rows } = await sql<RowSums & { campaign_id: number; spend: number; currency: string }>`
    SELECT k.id AS campaign_id, t.spend, c.currency, m.price, m.cost, m.unknown_parts, t.cost AS resale_cost, r.currency AS resale_currency
    FROM campaign k JOIN corporation c ON c.id = k.corporation_id LEFT JOIN corporation r ON r.id = c.reseller_id
    LEFT JOIN LATERAL (
      SELECT sum(price)::bigint AS price, sum(cost)::bigint AS cost, sum(unknown_parts)::bigint AS unknown_parts
      FROM margin_day WHERE campaign_id = k.id AND campaign_id > 0
    ) m ON ${costs === 'carriers'}
    LEFT JOIN LATERAL (
      SELECT coalesce(sum(spend), 0)::bigint AS spend, coalesce(sum(cost), 0)::bigint AS cost
      FROM traffic_quarter WHERE campaign_id = k.id AND campaign_id > 0
    ) t ON ${costs === 'resale'} AND ${customers === null ? sql`true` : sql`k.corporation_id = ANY (${customers}::bigint[])`}
    WHERE k.id = ANY (${ids}::bigint[])`.execute(ctx.db);
  const currency = await platformCurrency(ctx.db);
  const values = new Map(rows.map((row) => [row.campaign_id, costValues(costs, currency, row)]));
  return campaigns.map((row) => ({ ...row, costs: values.get(row.id) ?? {} }));
}
