import {
  carrierInvoiceLines,
  carrierInvoices,
  deleteCarrierInvoice,
  exportCarrierInvoice,
  getCarrierInvoice,
} from '@heliograph/contract/carrier-invoices/carrier-invoice';
import { fromMillionths } from '@heliograph/contract/kernel/money';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Kysely } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { amountCell } from '#platform/table/cells';
import { downloadJob } from '#platform/tasks/downloads';
import { askForList, type ExportedList, type ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { INVOICES } from './invoice-file.ts';

/** Job that writes the lines of a comparison to a file. */
export const exportInvoicesJob = downloadJob('export-carrier-invoices');

type Invoice = ReplyOf<typeof getCarrierInvoice>['data'];
type Line = ReplyOf<typeof carrierInvoiceLines>['data'][number];
type LineFilters = Omit<QueryOf<typeof carrierInvoiceLines>, 'limit' | 'cursor'> & { carrier_invoice_id: number };

const select = (db: Kysely<Database>) =>
  db
    .selectFrom('carrier_invoice as i')
    .innerJoin('link as l', 'l.id', 'i.link_id')
    .leftJoin('user_account as u', 'u.id', 'i.user_id')
    .selectAll('i')
    .select(['l.name as link_name', 'u.name as user_name']);
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

interface KindSum {
  kind: Invoice['sum_differences'][number]['kind'];
  lines: number;
  carrier_amount: number;
  own_amount: number;
}
const kindsOnWire = (sums: unknown) =>
  (sums as KindSum[]).map((sum) => ({
    ...sum,
    carrier_amount: fromMillionths(sum.carrier_amount),
    own_amount: fromMillionths(sum.own_amount),
  }));

function onWire({ from_day, to_day, file_sha256: _, ...row }: Row): Invoice {
  return {
    ...row,
    from: from_day,
    to: to_day,
    carrier_amount: fromMillionths(row.carrier_amount),
    own_amount: fromMillionths(row.own_amount),
    sum_differences: kindsOnWire(row.sum_differences),
    message_differences: kindsOnWire(row.message_differences),
  };
}

async function find({ db }: Pick<ListContext, 'db'>, id: number): Promise<Row> {
  const row = await select(db).where('i.id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

/** Returns the id in a cursor; null without one. Throws `malformed_request`. */
function placeOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  return Number(cursor);
}

function pageOf<R extends { id: number }>(rows: readonly R[], limit: number) {
  const data = rows.slice(0, limit);
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

/** Returns a page of the lines of a comparison. */
async function linePage(ctx: ListContext, query: LineFilters & { limit: number; cursor: string | undefined }) {
  const { currency } = await find(ctx, query.carrier_invoice_id);
  const after = placeOf(query.cursor);
  const rows = await ctx.db
    .selectFrom('carrier_invoice_line')
    .selectAll()
    .where('carrier_invoice_id', '=', query.carrier_invoice_id)
    .where('of_message', '=', query.level === 'messages')
    .$if(query.kind !== undefined, (q) => q.where('kind', '=', query.kind!))
    .$if(query.day !== undefined, (q) => q.where('day', '=', query.day!))
    .$if(query.network !== undefined, (q) => q.where('network', '=', query.network!))
    .$if(after !== null, (q) => q.where('id', '>', after!))
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const lines = rows.map(
    ({ carrier_invoice_id: _, of_message: __, ...row }): Line => ({
      ...row,
      kind: row.kind as Line['kind'],
      carrier_state: row.carrier_state as Line['carrier_state'],
      own_state: row.own_state as Line['own_state'],
      carrier_amount: row.carrier_amount === null ? null : fromMillionths(row.carrier_amount),
      own_amount: row.own_amount === null ? null : fromMillionths(row.own_amount),
      currency,
    }),
  );
  return pageOf(lines, query.limit);
}

const FILE_COLUMNS = [
  'kind',
  'day',
  'network',
  'carrier_id',
  'message_id',
  'carrier_parts',
  'own_parts',
  'carrier_amount',
  'own_amount',
  'currency',
  'carrier_state',
  'own_state',
] as const;

/** Lines of a comparison as a file. */
export const invoiceFile: ExportedList<LineFilters, Line> = {
  kind: INVOICES,
  withoutNumbers: true,
  permission: exportCarrierInvoice.permission!,
  filters: exportCarrierInvoice.body.omit({ format: true }),
  page: linePage,
  heading: (_, locale) => FILE_COLUMNS.map((field) => translate(locale, `resources.carrier-invoices.fields.${field}`)),
  cells: (row, _, locale) =>
    FILE_COLUMNS.map((field) => {
      const value = row[field];
      if (value === null) return null;
      if (field === 'kind') return translate(locale, `invoice_difference.${value as NonNullable<Line['kind']>}`);
      if (field === 'carrier_state' || field === 'own_state')
        return translate(locale, `invoice_state.${value as NonNullable<Line['own_state']>}`);
      return field.endsWith('_amount') ? amountCell(String(value)) : value;
    }),
};

/** Mounts the comparisons of carriers' files with the own traffic, and their lines. */
export function invoiceRoutes(app: App): void {
  mount(app, carrierInvoices, async ({ db }, { query }) => {
    const before = placeOf(query.cursor);
    const rows = await select(db)
      .$if(query.link_id !== undefined, (q) => q.where('i.link_id', '=', query.link_id!))
      .$if(before !== null, (q) => q.where('i.id', '<', before!))
      .orderBy('i.id', 'desc')
      .limit(query.limit + 1)
      .execute();
    return pageOf(rows.map(onWire), query.limit);
  });
  mount(app, getCarrierInvoice, async (ctx, { params }) => ({ data: onWire(await find(ctx, params.id)) }));
  mount(app, deleteCarrierInvoice, async (ctx, { params }) => {
    const row = await find(ctx, params.id);
    await ctx.db.deleteFrom('carrier_invoice').where('id', '=', row.id).execute();
    await audit(ctx, {
      name: INVOICES,
      description: 'deleted',
      subject_type: INVOICES,
      subject_id: row.id,
      before: { link_name: row.link_name, file_name: row.file_name },
    });
    return { message: translate(ctx.locale, 'delete.done') };
  });
  mount(app, carrierInvoiceLines, (ctx, { params, query }) =>
    linePage(ctx, { ...query, cursor: query.cursor, carrier_invoice_id: params.id }),
  );
  mount(app, exportCarrierInvoice, async (ctx, { body }) => {
    await find(ctx, body.carrier_invoice_id);
    return askForList(ctx, exportInvoicesJob, invoiceFile, body as never);
  });
}
