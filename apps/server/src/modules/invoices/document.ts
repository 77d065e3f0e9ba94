import type { TaxCategory } from '@heliograph/contract/invoices/amounts';
import type { InvoicePreset } from '@heliograph/contract/invoices/invoice-issuer';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { readAppLook } from '#platform/operator/brand';
import type { Db } from './db.ts';
import type { Kind } from './numbers.ts';
import type { NamedBuyer, Seller } from './parties.ts';

/** Line of a document; amounts and quantities are thousandths, rates thousandths of a percent. */
export interface DocumentLine {
  position: number;
  description: string;
  quantity: number;
  unit_price: number;
  tax_category: TaxCategory;
  tax_rate: number;
  amount: number;
  net: number;
}

/** Issued document, with all that its files state. */
export interface IssuedDocument {
  id: number;
  corporation_id: number;
  /** Corporation of the seller; null for the platform. */
  seller_id: number | null;
  kind: Kind;
  number: string;
  currency: string;
  locale: Locale;
  issue_date: string;
  due_date: string | null;
  period_from: string | null;
  period_to: string | null;
  reference: string | null;
  note: string | null;
  reason: string | null;
  prices_include_tax: boolean;
  /** Number and day of the invoice that a credit note is about. */
  credited: { number: string; issue_date: string } | null;
  seller: Seller & { preset: InvoicePreset };
  buyer: NamedBuyer;
  lines: readonly DocumentLine[];
  taxes: readonly { tax_category: TaxCategory; tax_rate: number; taxable: number; tax: number }[];
  net: number;
  tax: number;
  rounding: number;
  payable: number;
  withholding: number;
  /** Color and picture of the seller; a picture that a PDF cannot hold is left out. */
  look: { color: string; logo: Buffer | null };
}

async function lookOf(db: Db, sellerId: number | null): Promise<IssuedDocument['look']> {
  const { color } = await readAppLook(db);
  if (sellerId === null) return { color, logo: null };
  const { rows } = await sql<{ color: string | null; logo: Buffer | null }>`
    SELECT r.theme_color AS color, (SELECT data FROM reseller_image i
      WHERE i.reseller_id = r.id AND i.kind = 'logo' AND i.type IN ('image/png', 'image/jpeg')) AS logo
    FROM reseller r WHERE r.corporation_id = ${sellerId}`.execute(db);
  return { color: rows[0]?.color ?? color, logo: rows[0]?.logo ?? null };
}

/** Loads an issued document with its lines; undefined if there is none. */
export async function loadDocument(db: Db, id: number): Promise<IssuedDocument | undefined> {
  const row = await db
    .selectFrom('invoice as v')
    .leftJoin('invoice as o', 'o.id', 'v.credited_invoice_id')
    .selectAll('v')
    .select(['o.number as credited_number', 'o.issue_date as credited_date'])
    .where('v.id', '=', id)
    .where('v.state', '=', 'issued')
    .executeTakeFirst();
  if (!row) return undefined;
  const lines = await db
    .selectFrom('invoice_line')
    .select(['position', 'description', 'quantity', 'unit_price', 'tax_category', 'tax_rate', 'amount', 'net'])
    .where('invoice_id', '=', id)
    .orderBy('position')
    .execute();
  const { credited_number: number, credited_date: issue_date, language, taxes, seller, buyer, ...facts } = row;
  return {
    ...(facts as unknown as IssuedDocument),
    locale: language as Locale,
    credited: number === null || issue_date === null ? null : { number, issue_date },
    seller: seller as unknown as IssuedDocument['seller'],
    buyer: buyer as unknown as NamedBuyer,
    taxes: taxes as unknown as IssuedDocument['taxes'],
    lines: lines as DocumentLine[],
    look: await lookOf(db, row.seller_id),
  };
}
