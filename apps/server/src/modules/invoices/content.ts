import { createHash } from 'node:crypto';
import { type Queryable, rowsOf } from '#platform/database/queryable';

// Facts of an issued document, in a fixed order. The statement is written here, because a function in the database could
// be replaced by the person it should expose.
const CONTENT = `
SELECT jsonb_build_array(v.id, v.invoice_issuer_id, v.seller_id, v.corporation_id, v.billing_account_id, v.kind, v.number, v.currency,
  v.timezone, v.language, v.issue_date, v.due_date, v.payment_days, v.period_from, v.period_to, v.reference, v.note, v.reason,
  v.prices_include_tax, v.credited_invoice_id, v.statement_id, v.payment_id, v.seller, v.buyer, v.taxes, v.net, v.tax, v.rounding,
  v.payable, v.withholding, to_char(v.issued_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  (SELECT jsonb_agg(jsonb_build_array(l.id, l.position, l.description, l.quantity, l.unit_price, l.tax_category, l.tax_rate, l.amount, l.net,
    l.credited_line_id) ORDER BY l.position) FROM invoice_line l WHERE l.invoice_id = v.id))::text AS text
FROM invoice v WHERE v.id = $1`;

/** Returns the SHA-256 of everything that a document states, in hexadecimal. */
export async function contentDigest(db: Queryable, id: number): Promise<string> {
  const [row] = await rowsOf<{ text: string }>(db, CONTENT, [id]);
  return createHash('sha256').update(row!.text).digest('hex');
}
