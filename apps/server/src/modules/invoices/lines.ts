import { type PricedLine, type Sums, sumsOf } from '@heliograph/contract/invoices/amounts';
import { BusinessError } from '#platform/errors';
import type { Db } from './db.ts';

/** Line before it is stored. */
export interface NewLine extends PricedLine {
  description: string;
  credited_line_id?: number | null;
}

/** Lines that are written with one statement. */
const AT_ONCE = 1_000;

/** Calculates the sums of lines; throws `invoice_too_large` if they cannot be counted exactly. */
export function sumsOrThrow(lines: readonly PricedLine[], terms: Parameters<typeof sumsOf>[1]): Sums {
  try {
    return sumsOf(lines, terms);
  } catch {
    throw new BusinessError('invoice_too_large');
  }
}

/** Replaces the lines of a draft. */
export async function storeLines(db: Db, invoiceId: number, lines: readonly NewLine[], sums: Sums): Promise<void> {
  await db.deleteFrom('invoice_line').where('invoice_id', '=', invoiceId).execute();
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const rows = lines.slice(from, from + AT_ONCE).map(({ credited_line_id = null, ...line }, place) => ({
      invoice_id: invoiceId,
      position: from + place + 1,
      ...line,
      credited_line_id,
      ...sums.lines[from + place]!,
    }));
    await db.insertInto('invoice_line').values(rows).execute();
  }
}

/** Columns of a document that follow from its lines. */
export const sumColumns = ({ taxes, net, tax, rounding, payable, withholding }: Omit<Sums, 'lines'>) => ({
  taxes: JSON.stringify(taxes),
  net,
  tax,
  rounding,
  payable,
  withholding,
});
