import type pg from 'pg';
import { CopyRows, copyIn } from '#platform/copy-rows';
import { dayOf } from '../message-id.ts';
import { together } from '../postgres-session.ts';

/** PostgreSQL holds the rows of a COPY in slots whose book-keeping grows with their square: several short ones are faster. */
const ROWS_A_COPY = 200;

/** The suffix of the partitions of a UTC day, from its first millisecond. */
const partition = (day: number) => new Date(day).toISOString().slice(0, 10).replaceAll('-', '');

/**
 * Appends rows by COPY to the partition of `table` of each row's UTC day (epoch milliseconds), which costs half of an
 * INSERT. Rows of a day keep their order.
 */
export async function copyRows<Row>(
  client: pg.Client,
  table: string,
  columns: string,
  rows: readonly Row[],
  dayOfRow: (row: Row) => number,
  write: (into: CopyRows, row: Row) => void,
): Promise<void> {
  const fields = columns.split(',').length;
  const copies: Promise<void>[] = [];
  // Around midnight two days alternate.
  for (const [day, ofDay] of Map.groupBy(rows, dayOfRow)) {
    for (let from = 0; from < ofDay.length; from += ROWS_A_COPY) {
      const copy = new CopyRows(fields);
      for (const row of ofDay.slice(from, from + ROWS_A_COPY)) write(copy, row);
      copies.push(copyIn(client, `${table}_${partition(day)}`, columns, copy));
    }
  }
  await together(copies);
}

/** The same for rows that belong to a message, whose id names the day. */
export const copyByDay = <Row>(
  client: pg.Client,
  table: string,
  columns: string,
  rows: readonly Row[],
  messageIdOf: (row: Row) => number,
  write: (into: CopyRows, row: Row) => void,
): Promise<void> => copyRows(client, table, columns, rows, (row) => dayOf(messageIdOf(row)), write);
