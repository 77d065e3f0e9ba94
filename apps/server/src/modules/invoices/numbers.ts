import { sql } from 'kysely';
import type { Db } from './db.ts';
import type { Issuer } from './parties.ts';

export type Kind = 'invoice' | 'credit_note' | 'receipt';

/** Returns the beginning of the numbers of a series on a day: its prefix and, if the series is yearly, the year. */
export const seriesOf = (issuer: Issuer, kind: Kind, day: string): string =>
  `${issuer[`${kind}_prefix`]}${issuer.number_yearly ? `${day.slice(0, 4)}-` : ''}`;

/**
 * Takes the next number of a series. The row of the series stays locked until the transaction ends: others wait, and a
 * rollback gives the number back. So numbers have no gaps and none is used twice.
 */
export async function takeNumber(db: Db, issuer: Issuer, kind: Kind, day: string): Promise<string> {
  const prefix = seriesOf(issuer, kind, day);
  const { rows } = await sql<{ taken: number }>`
    INSERT INTO invoice_series AS s (invoice_issuer_id, prefix, next_number) VALUES (${issuer.id}, ${prefix}, ${issuer.first_number + 1})
    ON CONFLICT (invoice_issuer_id, prefix) DO UPDATE SET next_number = s.next_number + 1
    RETURNING next_number - 1 AS taken`.execute(db);
  return `${prefix}${String(rows[0]!.taken).padStart(issuer.number_digits, '0')}`;
}
