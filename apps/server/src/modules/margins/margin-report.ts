import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromMillionths } from '@heliograph/contract/kernel/money';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { exportMargins, type MARGIN_GROUPS, margins } from '@heliograph/contract/margins/margin';
import { type RawBuilder, sql } from 'kysely';
import { requirePlatform } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mount, mountReport } from '#platform/http/http';
import { readSettings } from '#platform/operator/settings';
import { checkPeriod, dateIn } from '#platform/records/period';
import { amountCell } from '#platform/table/cells';
import { downloadJob } from '#platform/tasks/downloads';
import { askForList, type ExportedList, type ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { type GivenDiscount, givenDiscounts } from './given-discounts.ts';

/** Job that writes margins to a file. */
export const exportMarginsJob = downloadJob('export-margins');

type Group = (typeof MARGIN_GROUPS)[number];
type Reply = ReplyOf<typeof margins>;
type Row = Reply['data'][number];
type Filters = Omit<QueryOf<typeof margins>, 'limit' | 'cursor'>;

/** Name of each group, as an expression over the sums with the names of their records. */
const NAMES: Readonly<Record<Group, RawBuilder<string>>> = {
  corporation: sql`c.name`,
  reseller: sql`coalesce(p.name, '')`,
  link: sql`coalesce(l.name, '')`,
  network: sql`coalesce(n.name || ' (' || n.country || ')', '')`,
  country: sql`coalesce(n.country, '')`,
  campaign: sql`coalesce(k.name, '')`,
  day: sql`d.day::text`,
};
/** Record of each group: two campaigns may have one name. */
const KEYS: Readonly<Record<Group, RawBuilder<unknown>>> = {
  corporation: sql`d.corporation_id`,
  reseller: sql`d.reseller_id`,
  link: sql`d.link_id`,
  network: sql`d.network_id`,
  country: sql`n.country`,
  campaign: sql`d.campaign_id`,
  day: sql`d.day`,
};

const SUMS = ['parts', 'price', 'cost', 'unknown_parts', 'unknown_price'] as const;
type Sums = Record<(typeof SUMS)[number], number>;

/** Groups to which volume discounts belong. They follow from a whole month of an account, so nothing smaller has a share. */
const WITH_DISCOUNTS: readonly Group[] = ['corporation', 'reseller', 'day'];

const sumsOnWire = ({ parts, price, cost, unknown_parts, unknown_price }: Sums, discounts: number | null) => ({
  parts,
  price: fromMillionths(price),
  cost: fromMillionths(cost),
  margin: fromMillionths(price - cost),
  unknown_parts,
  unknown_price: fromMillionths(unknown_price),
  discounts: discounts === null ? null : fromMillionths(discounts),
  margin_after_discounts: discounts === null ? null : fromMillionths(price - cost - discounts),
});

function conditionOf({ from, to, corporation_id, link_id, network_id }: Filters): RawBuilder<unknown> {
  return sql.join(
    [
      sql`d.day BETWEEN ${from}::date AND ${to}::date`,
      ...(corporation_id === undefined ? [] : [sql`d.corporation_id = ${corporation_id}`]),
      ...(link_id === undefined ? [] : [sql`d.link_id = ${link_id}`]),
      ...(network_id === undefined ? [] : [sql`d.network_id = ${network_id}`]),
    ],
    sql` AND `,
  );
}

const ADDED = sql.join(
  SUMS.map((field) => sql`coalesce(sum(${sql.ref(`d.${field}`)}), 0)::bigint AS ${sql.ref(field)}`),
);

/** Builds the figures of the days, and of the discounts of months if they belong to the groups. */
const figures = (where: RawBuilder<unknown>, given: readonly GivenDiscount[]): RawBuilder<unknown> => sql`(
  SELECT d.day, d.link_id, d.network_id, d.corporation_id, d.campaign_id, d.parts, d.price, d.cost, d.unknown_parts, d.unknown_price,
    CASE WHEN d.payer_id <> d.corporation_id THEN d.payer_id END AS reseller_id, 0::bigint AS discounts
  FROM margin_day d WHERE ${where}
  UNION ALL
  SELECT g.day, NULL, NULL, g.corporation_id, NULL, 0, 0, 0, 0, 0, g.reseller_id, g.amount
  FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb) AS g (day date, corporation_id bigint, reseller_id bigint, amount bigint)
)`;

/** Returns a page of the report, the smallest margin first; the cursor is the number of rows before the page. */
async function page(ctx: ListContext, query: Filters & { limit: number; cursor?: string | undefined }): Promise<Reply> {
  const settings = await readSettings(ctx.db, ['currency', 'timezone']);
  checkPeriod(query, dateIn(settings.get('timezone') || 'Asia/Manila', ctx.clock.now()));
  if (query.cursor !== undefined && !/^\d{1,9}$/.test(query.cursor)) throw new BusinessError('malformed_request');
  const skipped = Number(query.cursor ?? 0);
  const where = conditionOf(query);
  const currency = settings.get('currency') || 'PHP';
  const isWhole = query.link_id === undefined && query.network_id === undefined;
  const { given, unknown } = isWhole ? await givenDiscounts(ctx, currency, query) : { given: [], unknown: 0 };
  const inRows = isWhole && WITH_DISCOUNTS.includes(query.by);
  const { rows } = await sql<Sums & { name: string; discounts: number }>`
    SELECT ${NAMES[query.by]} AS name, ${ADDED}, coalesce(sum(d.discounts), 0)::bigint AS discounts
    FROM ${figures(where, inRows ? given : [])} d
      JOIN corporation c ON c.id = d.corporation_id LEFT JOIN corporation p ON p.id = d.reseller_id
      LEFT JOIN link l ON l.id = d.link_id LEFT JOIN network n ON n.id = d.network_id LEFT JOIN campaign k ON k.id = d.campaign_id
    GROUP BY ${KEYS[query.by]}, ${NAMES[query.by]}
    ORDER BY ${query.by === 'day' ? sql`name DESC` : sql`sum(d.price - d.cost - d.discounts), name`}, ${KEYS[query.by]}
    LIMIT ${query.limit + 1} OFFSET ${skipped}`.execute(ctx.db);
  const { rows: totals } = await sql<Sums>`SELECT ${ADDED} FROM margin_day d WHERE ${where}`.execute(ctx.db);
  const { rows: counted } = await sql<{ day: string | null }>`
    SELECT max(day)::text AS day FROM margin_counted`.execute(ctx.db);
  const data = rows.slice(0, query.limit).map((row, place) => ({
    id: skipped + place + 1,
    name: row.name,
    ...sumsOnWire(row, inRows ? row.discounts : null),
    rate: row.price === 0 ? null : (row.price - row.cost) / row.price,
    currency,
  }));
  const has_more = rows.length > data.length;
  const discounts = isWhole ? given.reduce((sum, { amount }) => sum + amount, 0) : null;
  return {
    ...{ data, next_cursor: has_more ? String(skipped + data.length) : null, has_more },
    totals: { ...sumsOnWire(totals[0]!, discounts), unknown_discounts: unknown },
    ...{ currency, counted_to: counted[0]?.day ?? null },
  };
}

const FILE_COLUMNS = [
  'name',
  'parts',
  'price',
  'cost',
  'margin',
  'discounts',
  'margin_after_discounts',
  'currency',
  'unknown_parts',
  'unknown_price',
] as const;

const FILE_AMOUNTS: readonly string[] = 'price cost margin discounts margin_after_discounts unknown_price'.split(' ');

/** Margins as a file. */
export const marginFile: ExportedList<Filters, Row> = {
  kind: 'margins',
  withoutNumbers: true,
  permission: exportMargins.permission!,
  filters: exportMargins.body.omit({ format: true }),
  page,
  heading: ({ by }, locale) =>
    FILE_COLUMNS.map((field) =>
      field === 'name'
        ? translate(locale, `margin_group.${by}`)
        : translate(locale, keyIn('resources', 'margins', 'fields', field)),
    ),
  cells: (row) =>
    FILE_COLUMNS.map((field) => {
      const value = row[field];
      return typeof value === 'string' && FILE_AMOUNTS.includes(field) ? amountCell(value) : value;
    }),
};

/** Mounts the report of margins and its file. */
export function marginRoutes(app: App): void {
  mountReport(app, margins, (ctx, { query }) => {
    requirePlatform(ctx.caller);
    return page(ctx, query);
  });
  mount(app, exportMargins, async (ctx, { body }) => {
    requirePlatform(ctx.caller);
    // A first row is read before the file is queued, so that a wrong period is refused immediately.
    await page(ctx, { ...body, limit: 1 });
    return askForList(ctx, exportMarginsJob, marginFile, body);
  });
}
