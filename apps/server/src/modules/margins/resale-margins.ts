import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { exportResaleMargins, type RESALE_GROUPS, resaleMargins } from '@heliograph/contract/margins/resale-margin';
import { type RawBuilder, sql } from 'kysely';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Caller } from '#platform/context';
import { fieldError } from '#platform/errors';
import { type App, mount, mountReport } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { checkPeriod, dateIn, momentsOf } from '#platform/records/period';
import { amountCell } from '#platform/table/cells';
import { askForList, type ExportedList, type ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { ownDiscounts, resoldDiscounts } from './given-discounts.ts';
import { exportMarginsJob } from './margin-report.ts';

type Group = (typeof RESALE_GROUPS)[number];
type Reply = ReplyOf<typeof resaleMargins>;
type Row = Reply['data'][number];
type Filters = Omit<QueryOf<typeof resaleMargins>, 'limit' | 'cursor'>;

/** Record and name of each group. Two records may have one name. */
const GROUPS: Readonly<Record<Group, { key: RawBuilder<unknown>; name: RawBuilder<string> }>> = {
  corporation: { key: sql`q.corporation_id`, name: sql`c.name` },
  department: { key: sql`q.department_id`, name: sql`coalesce(d.name, '')` },
  user: { key: sql`q.user_id`, name: sql`coalesce(u.name, '')` },
  campaign: { key: sql`q.campaign_id`, name: sql`coalesce(k.name, '')` },
  sender: { key: sql`q.sender_id`, name: sql`q.sender_id` },
  day: { key: sql`q.day`, name: sql`q.day::text` },
};

const COUNTED = sql`sum(q.messages)::bigint AS messages, sum(q.parts)::bigint AS parts, sum(q.spend)::bigint AS revenue,
  sum(q.cost)::bigint AS cost, sum(q.discounts)::bigint AS discounts, c.currency, r.currency AS cost_currency`;

interface Sums {
  messages: number;
  parts: number;
  revenue: number;
  cost: number;
  discounts: number;
  currency: string;
  cost_currency: string;
}

/** Groups to which volume discounts belong. They follow from a whole month of an account, so nothing smaller has a share. */
const WITH_DISCOUNTS: readonly Group[] = ['corporation', 'day'];

function sumsOnWire({ messages, parts, revenue, cost, discounts, currency, cost_currency }: Sums, known: boolean) {
  const isComparable = currency === cost_currency;
  return {
    ...{ messages, parts, currency, cost_currency, revenue: fromThousandths(revenue), cost: fromThousandths(cost) },
    margin: isComparable ? fromThousandths(revenue - cost) : null,
    discounts: known ? fromThousandths(discounts) : null,
    margin_after_discounts: known && isComparable ? fromThousandths(revenue - cost - discounts) : null,
  };
}

const rateOf = ({ revenue, cost, currency, cost_currency }: Sums): number | null =>
  revenue === 0 || currency !== cost_currency ? null : (revenue - cost) / revenue;

/**
 * Returns the customers whose cost a person may learn; null for all. A person who sees only one corporation has none: what
 * its messages cost is its reseller's secret.
 */
export function customersOf(caller: Caller): readonly number[] | null {
  return corporationsOf(caller)?.filter((id) => id !== caller.corporation_id) ?? null;
}

/** Builds the messages of resellers' customers, and their discounts if asked. Row level security narrows both further. */
function resold(ctx: ListContext, query: Filters, zone: string, withDiscounts: boolean): RawBuilder<unknown> {
  const { start, end } = momentsOf(query, zone);
  const customers = customersOf(ctx.caller);
  const conditions = [
    sql`t.quarter >= ${start}::timestamptz AND t.quarter < ${end}::timestamptz`,
    ...(customers === null ? [] : [sql`t.corporation_id = ANY (${customers}::bigint[])`]),
    ...(query.corporation_id === undefined ? [] : [sql`t.corporation_id = ${query.corporation_id}`]),
    ...(query.sender_id ? [sql`t.sender_id = ${query.sender_id}`] : []),
  ];
  const discounts = sql`UNION ALL
    SELECT g.corporation_id, g.reseller_id, NULL, NULL, NULL, NULL, g.day, 0, 0, 0, 0, g.amount
    FROM (${resoldDiscounts(query, customers)}) g`;
  return sql`FROM (
      SELECT t.corporation_id, b.reseller_id, t.department_id, t.user_id, t.campaign_id, t.sender_id,
        ${query.by === 'day' ? sql`(t.quarter AT TIME ZONE ${zone})::date` : sql`NULL::date`} AS day, t.messages, t.parts, t.spend, t.cost,
        0::bigint AS discounts
      FROM traffic_quarter t JOIN corporation b ON b.id = t.corporation_id WHERE ${sql.join(conditions, sql` AND `)}
      ${withDiscounts ? discounts : sql``}
    ) q JOIN corporation c ON c.id = q.corporation_id JOIN corporation r ON r.id = q.reseller_id
    LEFT JOIN department d ON d.id = q.department_id LEFT JOIN user_account u ON u.id = q.user_id
    LEFT JOIN campaign k ON k.id = q.campaign_id`;
}

/** Returns a page of the report; the cursor is the number of rows before the page. */
async function page(ctx: ListContext, query: Filters & { limit: number; cursor?: string | undefined }): Promise<Reply> {
  const { timezone } = await homeOf(ctx);
  checkPeriod(query, dateIn(timezone, ctx.clock.now()));
  if (query.cursor !== undefined && !/^\d{1,9}$/.test(query.cursor)) throw fieldError('cursor', 'invalid');
  const skipped = Number(query.cursor ?? 0);
  const { key, name } = GROUPS[query.by];
  const isWhole = !query.sender_id;
  const inRows = isWhole && WITH_DISCOUNTS.includes(query.by);
  const some = sql`HAVING sum(q.parts) > 0 OR sum(q.spend) <> 0 OR sum(q.cost) <> 0 OR sum(q.discounts) <> 0`;
  // Places, because a parameter makes two expressions of the same text differ.
  const { rows } = await sql<Sums & { name: string }>`
    SELECT ${key} AS key, ${name} AS name, ${COUNTED} ${resold(ctx, query, timezone, inRows)} GROUP BY 1, 2, c.currency, r.currency ${some}
    ORDER BY ${query.by === 'day' ? sql`2 DESC` : sql`sum(q.spend - q.cost - q.discounts), 2`}, 1, c.currency, r.currency
    LIMIT ${query.limit + 1} OFFSET ${skipped}`.execute(ctx.db);
  const { rows: totals } = await sql<Sums>`
    SELECT ${COUNTED} ${resold(ctx, query, timezone, isWhole)} GROUP BY c.currency, r.currency ${some}
    ORDER BY c.currency, r.currency`.execute(ctx.db);
  const isNarrowed = query.corporation_id !== undefined || !isWhole;
  const own = isNarrowed ? [] : await ownDiscounts(ctx, query, customersOf(ctx.caller));
  const data = rows
    .slice(0, query.limit)
    .map((row, place) => ({ id: skipped + place + 1, name: row.name, ...sumsOnWire(row, inRows), rate: rateOf(row) }));
  const has_more = rows.length > data.length;
  const next_cursor = has_more ? String(skipped + data.length) : null;
  return {
    ...{ data, next_cursor, has_more, totals: totals.map((sums) => sumsOnWire(sums, isWhole)) },
    own_discounts: own.map(({ amount, currency }) => ({ amount: fromThousandths(amount), currency })),
  };
}

const FILE_COLUMNS = [
  'name',
  'messages',
  'parts',
  'revenue',
  'currency',
  'cost',
  'cost_currency',
  'margin',
  'discounts',
  'margin_after_discounts',
] as const;
const FILE_AMOUNTS: readonly string[] = ['revenue', 'cost', 'margin', 'discounts', 'margin_after_discounts'];

/** The report as a file. */
export const resaleFile: ExportedList<Filters, Row> = {
  kind: 'resale-margins',
  withoutNumbers: true,
  permission: exportResaleMargins.permission!,
  filters: exportResaleMargins.body.omit({ format: true }),
  page,
  heading: ({ by }, locale) =>
    FILE_COLUMNS.map((field) =>
      field === 'name'
        ? translate(locale, `resale_group.${by}`)
        : translate(locale, keyIn('resources', 'resale-margins', 'fields', field)),
    ),
  cells: (row) =>
    FILE_COLUMNS.map((field) => {
      const value = row[field];
      return typeof value === 'string' && FILE_AMOUNTS.includes(field) ? amountCell(value) : value;
    }),
};

/** Mounts the report of a reseller's margins and its file. */
export function resaleRoutes(app: App): void {
  mountReport(app, resaleMargins, (ctx, { query }) => page(ctx, query));
  mount(app, exportResaleMargins, async (ctx, { body }) => {
    // A first row is read before the file is queued, so that a wrong period is refused immediately.
    await page(ctx, { ...body, limit: 1 });
    return askForList(ctx, exportMarginsJob, resaleFile, body);
  });
}
