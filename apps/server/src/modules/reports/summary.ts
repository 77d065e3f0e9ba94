import { deliveryRate } from '@heliograph/contract/kernel/figures';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { ReportCosts } from '@heliograph/contract/kernel/report-costs';
import {
  exportSummaryReports,
  type SummaryPeriod,
  type summaryReports,
} from '@heliograph/contract/reports/summary-report';
import { type RawBuilder, sql } from 'kysely';
import { consolidate } from '#modules/exchange-rates';
import { requireCosts } from '#modules/margins';
import { corporationsOf } from '#platform/access/scope-clause';
import { fieldError } from '#platform/errors';
import { homeOf } from '#platform/person/home';
import { checkPeriod, checkYear, dateIn, momentsOf } from '#platform/records/period';
import { amountCell, dateCell, percentCell } from '#platform/table/cells';
import type { ExportedList, ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { type CostValues, costCells, costHeading, type RowSums } from './cost-columns.ts';
import { summaryCosts } from './summary-costs.ts';
import { COUNTS, type Counts, NOTHING, SUMS } from './traffic-counts.ts';

type Query = QueryOf<typeof summaryReports> & { costs?: ReportCosts | undefined };
type Reply = ReplyOf<typeof summaryReports>;
type Row = Reply['data'][number] & { costs: CostValues };

const UNITS = { daily: 'day', weekly: 'week', monthly: 'month', annually: 'year' } as const satisfies Record<
  SummaryPeriod,
  string
>;

/** Returns the days that a row covers: its whole period, cut at the begin and end of the report. */
function daysOf(begins: string, { period, from, to }: Pick<Query, 'period' | 'from' | 'to'>) {
  const next = Temporal.PlainDate.from(begins).add({ [`${UNITS[period]}s`]: 1 });
  const last = next.subtract({ days: 1 }).toString();
  return { starts_on: begins < from ? from : begins, ends_on: last > to ? to : last };
}

const isByNetwork = ({ type, network_id }: Query) => type === 'network' || network_id !== undefined;

/** Builds the traffic of the selection from the statistics by network or the usual ones. Row level security narrows it. */
function trafficOf(ctx: ListContext, query: Query, zone: string, byNetwork: boolean): RawBuilder<unknown> {
  const { start, end } = momentsOf(query, zone);
  const corporations = corporationsOf(ctx.caller);
  const conditions = [
    sql`quarter >= ${start}::timestamptz`,
    sql`quarter < ${end}::timestamptz`,
    ...(corporations === null ? [] : [sql`corporation_id = ANY (${corporations}::bigint[])`]),
    ...(query.corporation_id === undefined ? [] : [sql`corporation_id = ${query.corporation_id}`]),
    ...(query.sender_id ? [sql`sender_id = ${query.sender_id}`] : []),
    ...(byNetwork && query.network_id !== undefined ? [sql`network_id = ${query.network_id}`] : []),
  ];
  return sql`FROM ${sql.table(byNetwork ? 'traffic_network' : 'traffic_quarter')} WHERE ${sql.join(conditions, sql` AND `)}`;
}

interface SummaryRow extends Counts {
  begins: string;
  corporation_id: number;
  corporation_name: string;
  currency: string;
  sender_id: string | null;
  network_id: number | null;
  network_name: string | null;
  sums: RowSums;
}

/** Returns a page of the report, with the sums of the whole selection. */
export async function summaryPage(ctx: ListContext, query: Query): Promise<Omit<Reply, 'data'> & { data: Row[] }> {
  requireCosts(ctx.caller, query.costs);
  const { timezone } = await homeOf(ctx);
  const today = dateIn(timezone, ctx.clock.now());
  if (query.period === 'daily') checkPeriod(query, today);
  else checkYear(query, today);
  if (query.cursor !== undefined && !/^\d{1,9}$/.test(query.cursor)) throw fieldError('cursor', 'invalid');
  const offset = Number(query.cursor ?? 0);
  const begins = sql`date_trunc(${UNITS[query.period]}, quarter AT TIME ZONE ${timezone})::date::text`;
  const traffic = trafficOf(ctx, query, timezone, isByNetwork(query));
  const group = {
    sender: query.type === 'sender' ? sql`sender_id` : sql`NULL::text`,
    network: query.type === 'network' ? sql`network_id` : sql`NULL::bigint`,
  };
  const costs = await summaryCosts(ctx, query, UNITS[query.period], sql`${group.sender}, ${group.network}`);
  const { rows } = await sql<SummaryRow>`
    WITH t AS MATERIALIZED (
      SELECT ${begins} AS begins, corporation_id, ${group.sender} AS sender_id, ${group.network} AS network_id, ${SUMS},
        ${costs.ofTraffic}
      ${traffic} GROUP BY 1, 2, 3, 4 ${costs.more}
    ), s AS (
      SELECT begins, corporation_id, sender_id, network_id, ${SUMS}, sum(resale_cost) AS resale_cost, sum(price) AS price,
        sum(cost) AS cost, sum(unknown_parts) AS unknown_parts FROM t GROUP BY 1, 2, 3, 4
    )
    SELECT begins, corporation_id, sender_id, network_id,
      CASE WHEN network_id IS NOT NULL THEN coalesce(n.label, '') END AS network_name, ${sql.raw([...COUNTS, 'spend'].join(', '))}, c.name AS corporation_name, c.currency,
      json_build_object('price', price, 'cost', cost, 'unknown_parts', unknown_parts, 'resale_cost', resale_cost,
        'resale_currency', r.currency) AS sums
    FROM s JOIN traffic_owner c ON c.id = s.corporation_id LEFT JOIN corporation o ON o.id = s.corporation_id
      LEFT JOIN corporation r ON r.id = o.reseller_id LEFT JOIN network_row n ON n.id = s.network_id
    ORDER BY s.begins DESC, s.messages DESC, c.name, c.id, s.sender_id, s.network_id LIMIT ${query.limit + 1} OFFSET ${offset}`.execute(
    ctx.db,
  );
  const more = rows.length > query.limit;
  return {
    data: rows.slice(0, query.limit).map((row, place) => ({
      ...onWire(row, offset + place + 1, query),
      costs: costs.valuesOf(row, daysOf(row.begins, query)),
    })),
    next_cursor: more ? String(offset + query.limit) : null,
    has_more: more,
    networks: await networksOf(ctx, trafficOf(ctx, { ...query, network_id: undefined }, timezone, true)),
    uncounted: isByNetwork(query) ? await uncountedOf(ctx, query, timezone) : 0,
    ...(await sumsOf(ctx, query, traffic, begins)),
  };
}

/** Most networks that can be chosen as a filter; no country has more. */
const MOST_NETWORKS = 500;

/** Returns the networks of the selected messages. */
async function networksOf(ctx: ListContext, traffic: RawBuilder<unknown>): Promise<Reply['networks']> {
  const { rows } = await sql<Reply['networks'][number]>`
    SELECT t.network_id AS id, coalesce(n.label, '') AS name
    FROM (SELECT network_id, sum(messages) AS messages ${traffic} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_NETWORKS}) t
      LEFT JOIN network_row n ON n.id = t.network_id ORDER BY t.messages DESC, t.network_id`.execute(ctx.db);
  return rows;
}

/** Counts the messages, of any network, that are not in the statistics by network yet. */
async function uncountedOf(ctx: ListContext, query: Query, zone: string): Promise<number> {
  const count = (byNetwork: boolean) =>
    sql`(SELECT coalesce(sum(messages), 0) ${trafficOf(ctx, { ...query, network_id: undefined }, zone, byNetwork)})`;
  const { rows } = await sql<{ messages: number }>`
    SELECT greatest(${count(false)} - ${count(true)}, 0)::bigint AS messages`.execute(ctx.db);
  return rows[0]!.messages;
}

function onWire({ begins, sums: _, ...row }: SummaryRow, id: number, query: Query): Omit<Row, 'costs'> {
  return {
    ...row,
    id,
    ...daysOf(begins, query),
    delivery_rate: deliveryRate(row),
    spend: fromThousandths(row.spend),
  };
}

/** Sums the selection by period and in total. */
async function sumsOf(ctx: ListContext, query: Query, traffic: RawBuilder<unknown>, begins: RawBuilder<unknown>) {
  const { rows } = await sql<Counts & { begins: string; currency: string }>`
    WITH t AS MATERIALIZED (SELECT ${begins} AS begins, corporation_id, ${SUMS} ${traffic} GROUP BY 1, 2)
    SELECT begins, c.currency, ${SUMS} FROM t JOIN traffic_owner c ON c.id = t.corporation_id
    GROUP BY 1, 2 ORDER BY 1`.execute(ctx.db);
  const { spend: _, ...none } = NOTHING;
  const totals = { ...none };
  const series = new Map<string, Reply['series'][number]>();
  const spend = new Map<string, number>();
  for (const row of rows) {
    const bar = series.get(row.begins) ?? { ...daysOf(row.begins, query), ...none };
    for (const count of COUNTS) {
      bar[count] += row[count];
      totals[count] += row[count];
    }
    series.set(row.begins, bar);
    spend.set(row.currency, (spend.get(row.currency) ?? 0) + row.spend);
  }
  const amounts = [...spend].map(([currency, amount]) => ({ currency, amount: fromThousandths(amount) }));
  const { currency } = await homeOf(ctx);
  const all_spend = amounts.length > 1 ? await consolidate(ctx, amounts, currency, query.to) : null;
  return { totals, series: [...series.values()], spend: amounts, all_spend };
}

const FILE_COLUMNS = [
  'starts_on',
  'ends_on',
  'corporation_name',
  'sender_id',
  'network_name',
  ...COUNTS,
  'delivery_rate',
  'spend',
  'currency',
] as const;

type Filters = Omit<Query, 'limit' | 'cursor'>;
/** Columns that only one type of report has. */
const TYPES: Readonly<Partial<Record<(typeof FILE_COLUMNS)[number], Filters['type']>>> = {
  sender_id: 'sender',
  network_name: 'network',
};
const columnsOf = ({ type }: Filters) => FILE_COLUMNS.filter((column) => (TYPES[column] ?? type) === type);

/** The report as a file. */
export const summaryFile: ExportedList<Filters, Row> = {
  kind: 'summary-reports',
  withoutNumbers: true,
  permission: exportSummaryReports.permission!,
  filters: exportSummaryReports.body.omit({ format: true }),
  page: summaryPage,
  heading: (filters, locale) => [
    ...columnsOf(filters).map((field) => translate(locale, `resources.summary-reports.fields.${field}`)),
    ...costHeading(filters.costs, locale),
    ...(filters.costs === 'carriers' ? [translate(locale, 'resources.summary-reports.fields.counted_to')] : []),
  ],
  cells: (row, filters) => [
    ...columnsOf(filters).map((field) => {
      if (field === 'starts_on' || field === 'ends_on') return dateCell(row[field]);
      if (field === 'delivery_rate') return percentCell(row.delivery_rate);
      return field === 'spend' ? amountCell(row.spend) : row[field];
    }),
    ...costCells(filters.costs, row.costs),
    ...(filters.costs === 'carriers' ? [row.costs.counted_to ? dateCell(row.costs.counted_to) : null] : []),
  ],
};
