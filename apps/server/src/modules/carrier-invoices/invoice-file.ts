import {
  INVOICE_COLUMNS,
  type InvoiceColumn,
  type uploadCarrierInvoice,
} from '@heliograph/contract/carrier-invoices/carrier-invoice';
import { plainName } from '@heliograph/contract/kernel/column-names';
import { toMillionths } from '@heliograph/contract/kernel/money';
import type { QueryOf } from '@heliograph/contract/kernel/operation';
import { type Kysely, sql } from 'kysely';
import { keyByRule } from '#modules/delivery';
import { readNetworks } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError, fieldError } from '#platform/errors';
import type { BulkKind } from '#platform/tasks/bulk-upload';
import { addCarrierRows, compare, openComparison } from './compare.ts';
import { findInvoiceColumns, INVOICED } from './invoice-columns.ts';
import { type InvoiceReading, type InvoiceRow, namesOfNetworks, parseInvoiceRow } from './invoice-row.ts';

type Query = QueryOf<typeof uploadCarrierInvoice>;
/** Values that a file is read with. */
type Parameters = Pick<
  Query,
  'link_id' | 'currency' | 'from' | 'to' | 'timezone' | 'id_form' | 'tolerance' | 'columns'
>;
/** Name of the record. */
export const INVOICES = 'carrier-invoices';

/** Maximum days of a file. */
const MOST_DAYS = 93;

/** Checks the values that a file is read with. Throws `validation_failed`. */
export function checkReading({ from, to, columns }: Pick<Query, 'from' | 'to' | 'columns'>): void {
  if (to < from) throw fieldError('to', 'date_order');
  if (Temporal.PlainDate.from(from).until(to).total('days') >= MOST_DAYS) throw fieldError('to', 'invoice_period');
  if (columns !== undefined && !INVOICED.assigned(columns)) throw fieldError('columns', 'invoice_columns');
}

/** Carriers' invoices and lists of messages. A file is compared with the traffic in the transaction that reads it. */
export const carrierInvoiceKind: BulkKind<InvoiceRow & { key: string }> = {
  name: INVOICES,
  columns: INVOICE_COLUMNS,
  required: [],
  key: 'message_id',
  nothing: 'invoice_file_empty',
  async begin(db, upload) {
    const parameters = upload.parameters as Parameters;
    const { link_id, from, to, currency, id_form } = parameters;
    const link = await db.selectFrom('link').select('id').where('id', '=', link_id).executeTakeFirst();
    if (!link) throw new BusinessError('not_found');
    const networks = await readNetworks(<Row>(text: string, values: readonly unknown[]) =>
      rowsOf<Row>(db, text, values),
    );
    let reading: InvoiceReading = {
      ...{ from, to, currency, id_form, networks, names: namesOfNetworks(networks), by_message: false },
    };
    let by_network = false;
    let line = 0;
    await openComparison(db);
    return {
      async columnsOf(cells) {
        const found = await columnsFor(db, link_id, parameters.columns, cells);
        const has = (field: InvoiceColumn) => found.columns.some((column) => column.field === field);
        reading = { ...reading, by_message: has('message_id') };
        by_network = has('network') || has('mccmnc') || has('mcc');
        return { columns: found.columns, fault: found.complete ? undefined : 'invoice_columns_missing' };
      },
      parse(cell, exact) {
        const row = parseInvoiceRow(cell, exact, reading);
        // Rows of a file may repeat each other; the carrier charges each of them.
        return 'fault' in row ? row : { ...row, key: String(line++) };
      },
      keyOf: ({ key }) => key,
      async add(trx, rows) {
        await addCarrierRows(trx, rows);
        return new Set(rows.map(({ key }) => key));
      },
      async finish() {
        const { file_name, file_sha256, user_id } = upload;
        const comparison = {
          ...{
            link_id,
            from,
            to,
            timezone: parameters.timezone,
            currency,
            tolerance: toMillionths(parameters.tolerance),
          },
          ...{ by_message: reading.by_message, by_network },
          ...{ file_name: file_name ?? '', file_sha256: file_sha256 ?? '', user_id: user_id ?? null },
        };
        await compare(db, comparison, (id) => keyByRule(id, 'as_is'));
      },
    };
  },
};

/** Finds the columns of a file, and remembers those that were assigned for the next file of the link. */
async function columnsFor(db: Kysely<Database>, linkId: number, given: string | undefined, cells: readonly string[]) {
  const layout = await db
    .selectFrom('carrier_invoice_layout')
    .select('columns')
    .where('link_id', '=', linkId)
    .executeTakeFirst();
  const chosen = given === undefined ? null : INVOICED.assigned(given);
  const assigned = new Map([
    ...Object.entries((layout?.columns ?? {}) as Record<string, InvoiceColumn | null>),
    ...(chosen ?? []),
  ]);
  const found = findInvoiceColumns(cells, assigned);
  if (found.complete && chosen) {
    const here = new Set(cells.map(plainName));
    const columns = JSON.stringify(Object.fromEntries([...assigned].filter(([name]) => here.has(name))));
    await db
      .insertInto('carrier_invoice_layout')
      .values({ link_id: linkId, columns })
      .onConflict((on) => on.column('link_id').doUpdateSet({ columns, changed_at: sql`now()` }))
      .execute();
  }
  return found;
}
