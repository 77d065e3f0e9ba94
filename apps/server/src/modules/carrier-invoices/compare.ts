import { INVOICE_DIFFERENCES } from '@heliograph/contract/carrier-invoices/carrier-invoice';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import type { InvoiceRow } from './invoice-row.ts';
import { type OwnPart, ownTraffic } from './own-traffic.ts';

/** Traffic that a file is compared with, and the rules of the comparison. */
export interface Comparison {
  link_id: number;
  from: string;
  to: string;
  timezone: string;
  currency: string;
  /** Millionths by which the amounts of a line may differ. */
  tolerance: number;
  by_message: boolean;
  /** True if the file names networks. */
  by_network: boolean;
  file_name: string;
  file_sha256: string;
  user_id: number | null;
}

/** Lines of messages that are stored; the sums count all. */
const MOST_LINES = 100_000;

// A line is an entry of either side with the kind of its difference. `own_unknown` counts parts without a known cost.
const KIND_OF_SUM = `CASE
  WHEN o.own_parts IS NULL THEN 'missing_here' WHEN c.carrier_parts IS NULL THEN 'missing_there'
  WHEN c.carrier_parts <> 0 AND c.carrier_parts <> o.own_parts THEN 'count'
  WHEN c.carrier_amount IS NULL THEN NULL
  WHEN o.own_unknown > 0 THEN 'cost_unknown'
  WHEN abs(c.carrier_amount - o.own_amount) > $1 THEN 'price' END`;
const KIND_OF_MESSAGE = `CASE
  WHEN o.key IS NULL THEN 'missing_here' WHEN c.key IS NULL THEN 'missing_there'
  WHEN c.parts <> o.parts THEN 'count'
  WHEN c.state IS NOT NULL AND c.state IS DISTINCT FROM o.state THEN 'state'
  WHEN c.amount IS NULL THEN NULL
  WHEN o.amount IS NULL THEN 'cost_unknown'
  WHEN abs(c.amount - o.amount) > $1 THEN 'price' END`;

const run = async <Row>(db: Kysely<Database>, text: string, values: readonly unknown[] = []) =>
  (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows as Row[];

/** Makes the place for the rows of a file; it is gone with the transaction. */
export async function openComparison(db: Kysely<Database>): Promise<void> {
  await run(
    db,
    'CREATE TEMP TABLE carrier_row (key text, day date, network text, parts bigint, amount bigint, state text) ON COMMIT DROP',
  );
  await run(
    db,
    `CREATE TEMP TABLE own_row (key text, message_id bigint, day date, network text, parts bigint, amount bigint,
    unknown bigint, state text) ON COMMIT DROP`,
  );
}

/** Adds rows of the file. */
export const addCarrierRows = (db: Kysely<Database>, rows: readonly InvoiceRow[]) =>
  run(
    db,
    `INSERT INTO carrier_row SELECT * FROM unnest($1::text[], $2::date[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])`,
    [
      rows.map((row) => row.carrier_id),
      rows.map((row) => row.day),
      rows.map((row) => row.network),
      rows.map((row) => row.parts),
      rows.map((row) => row.amount),
      rows.map((row) => row.state),
    ],
  );

const addOwnRows = (
  db: Kysely<Database>,
  rows: readonly (OwnRow & { key: string | null; message_id: number | null })[],
) =>
  run(
    db,
    `INSERT INTO own_row SELECT * FROM unnest($1::text[], $2::bigint[], $3::date[], $4::text[], $5::bigint[], $6::bigint[],
      $7::bigint[], $8::text[])`,
    [
      rows.map((row) => row.key),
      rows.map((row) => row.message_id),
      rows.map((row) => row.day),
      rows.map((row) => row.network),
      rows.map((row) => row.parts),
      rows.map((row) => row.amount),
      rows.map((row) => row.unknown),
      rows.map((row) => row.state),
    ],
  );

interface OwnRow {
  day: string;
  network: string;
  parts: number;
  /** Known cost, in millionths. */
  amount: number | null;
  /** Parts without a known cost. */
  unknown: number;
  state: string | null;
}

/** Reads the own traffic, message by message if the file has messages, else added up by day and network. */
async function readOwn(db: Kysely<Database>, comparison: Comparison, keyOf: (id: string) => string): Promise<void> {
  const { by_message, by_network, from, to } = comparison;
  const sums = new Map<string, OwnRow & { amount: number }>();
  const networkOf = (part: OwnPart) => (by_network ? part.network : '');
  for await (const parts of ownTraffic(db, comparison)) {
    if (by_message) {
      await addOwnRows(
        db,
        parts.map((part) => ({
          ...part,
          key: keyOf(part.carrier_id),
          network: networkOf(part),
          parts: 1,
          unknown: part.amount === null ? 1 : 0,
        })),
      );
      continue;
    }
    for (const part of parts) {
      if (part.day < from || part.day > to) continue;
      const key = `${part.day} ${networkOf(part)}`;
      const sum = sums.get(key) ?? {
        day: part.day,
        network: networkOf(part),
        parts: 0,
        amount: 0,
        unknown: 0,
        state: null,
      };
      sum.parts++;
      sum.amount += part.amount ?? 0;
      if (part.amount === null) sum.unknown++;
      sums.set(key, sum);
    }
  }
  if (!by_message)
    await addOwnRows(
      db,
      [...sums.values()].map((sum) => ({ ...sum, key: null, message_id: null })),
    );
}

/**
 * Compares the rows of the file with the own traffic and stores the result. Messages are paired by the carrier's id; a
 * message of the day before or after the period only answers for a row of the file.
 */
export async function compare(
  db: Kysely<Database>,
  comparison: Comparison,
  keyOf: (id: string) => string,
): Promise<number> {
  await readOwn(db, comparison, keyOf);
  const { from, to, tolerance } = comparison;
  await run(db, 'ANALYZE carrier_row');
  await run(db, 'ANALYZE own_row');
  if (comparison.by_message) {
    // A row without a day or network gets those of the message; what is outside the period and unpaired is left out.
    await run(
      db,
      `UPDATE carrier_row c SET day = coalesce(c.day, o.day), network = coalesce(nullif(c.network, ''), o.network)
      FROM own_row o WHERE o.key = c.key AND (c.day IS NULL OR c.network = '')`,
    );
    await run(
      db,
      `DELETE FROM own_row o WHERE (o.day < $1 OR o.day > $2) AND NOT EXISTS (SELECT FROM carrier_row c WHERE c.key = o.key)`,
      [from, to],
    );
    // Both sides count a message on the carrier's day.
    await run(
      db,
      'UPDATE own_row o SET day = c.day FROM carrier_row c WHERE c.key = o.key AND c.day IS NOT NULL AND o.day <> c.day',
    );
  }
  const invoice = await insertInvoice(db, comparison);
  await run(
    db,
    `INSERT INTO carrier_invoice_line (carrier_invoice_id, of_message, kind, day, network, carrier_parts, carrier_amount, own_parts, own_amount)
    SELECT $2, false, ${KIND_OF_SUM}, day, network, coalesce(c.carrier_parts, 0), c.carrier_amount, coalesce(o.own_parts, 0),
      CASE WHEN o.own_unknown < o.own_parts OR o.own_parts = 0 THEN o.own_amount END
    FROM (SELECT day, network, sum(parts)::bigint AS carrier_parts, sum(amount)::bigint AS carrier_amount
      FROM carrier_row GROUP BY 1, 2) c
    FULL JOIN (SELECT day, network, sum(parts)::bigint AS own_parts, coalesce(sum(amount), 0)::bigint AS own_amount,
      sum(unknown)::bigint AS own_unknown FROM own_row GROUP BY 1, 2) o USING (day, network)
    ORDER BY day, network`,
    [tolerance, invoice],
  );
  if (comparison.by_message) await compareMessages(db, invoice, tolerance);
  await storeSums(db, invoice);
  return invoice;
}

/** Stores the messages that differ, the worst kinds first. A carrier that lists an id twice charges it twice. */
async function compareMessages(db: Kysely<Database>, invoice: number, tolerance: number): Promise<void> {
  await run(
    db,
    `CREATE TEMP TABLE differing ON COMMIT DROP AS
    SELECT ${KIND_OF_MESSAGE} AS kind, coalesce(c.day, o.day) AS day, coalesce(c.network, o.network) AS network,
      coalesce(c.key, o.key) AS carrier_id, o.message_id, coalesce(c.parts, 0) AS carrier_parts, c.amount AS carrier_amount,
      c.state AS carrier_state, coalesce(o.parts, 0) AS own_parts, o.amount AS own_amount, o.state AS own_state
    FROM (SELECT key, min(day) AS day, min(network) AS network, sum(parts)::bigint AS parts, sum(amount)::bigint AS amount,
      min(state) AS state FROM carrier_row GROUP BY key) c
    FULL JOIN (SELECT key, min(message_id) AS message_id, min(day) AS day, min(network) AS network, sum(parts)::bigint AS parts,
      CASE WHEN sum(unknown) = 0 THEN sum(amount)::bigint END AS amount, min(state) AS state FROM own_row GROUP BY key) o USING (key)`.replace(
      '$1',
      String(Math.trunc(tolerance)),
    ),
  );
  await run(db, 'DELETE FROM differing WHERE kind IS NULL');
  await run(
    db,
    `INSERT INTO carrier_invoice_line (carrier_invoice_id, of_message, kind, day, network, carrier_id, message_id,
      carrier_parts, carrier_amount, carrier_state, own_parts, own_amount, own_state)
    SELECT $1, true, kind, day, network, carrier_id, message_id, carrier_parts, carrier_amount, carrier_state, own_parts,
      own_amount, own_state
    FROM differing ORDER BY array_position($2::text[], kind), day, carrier_id LIMIT $3`,
    [invoice, [...INVOICE_DIFFERENCES], MOST_LINES],
  );
  await run(db, `UPDATE carrier_invoice SET message_differences = ${sumsOf('differing', 'true')} WHERE id = $1`, [
    invoice,
  ]);
}

const sumsOf = (from: string, condition: string) => `(
  SELECT coalesce(jsonb_agg(s), '[]') FROM (
    SELECT kind, count(*) AS lines, coalesce(sum(carrier_amount), 0) AS carrier_amount, coalesce(sum(own_amount), 0) AS own_amount
    FROM ${from} WHERE ${condition} AND kind IS NOT NULL GROUP BY kind) s)`;

async function insertInvoice(db: Kysely<Database>, comparison: Comparison): Promise<number> {
  const { link_id, file_name, file_sha256, by_message, from, to, timezone, currency, user_id } = comparison;
  const { id } = await db
    .insertInto('carrier_invoice')
    .values({
      ...{ link_id, file_name, file_sha256, by_message, from_day: from, to_day: to, timezone, currency, user_id },
      carrier_parts: sql`(SELECT coalesce(sum(parts), 0)::bigint FROM carrier_row)`,
      carrier_amount: sql`(SELECT coalesce(sum(amount), 0)::bigint FROM carrier_row)`,
      own_parts: sql`(SELECT coalesce(sum(parts), 0)::bigint FROM own_row)`,
      own_amount: sql`(SELECT coalesce(sum(amount), 0)::bigint FROM own_row)`,
      own_unknown: sql`(SELECT coalesce(sum(unknown), 0)::bigint FROM own_row)`,
      sum_differences: '[]',
      message_differences: '[]',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const storeSums = (db: Kysely<Database>, invoice: number) =>
  run(
    db,
    `UPDATE carrier_invoice SET sum_differences = ${sumsOf('carrier_invoice_line', 'carrier_invoice_id = $1 AND NOT of_message')} WHERE id = $1`,
    [invoice],
  );
