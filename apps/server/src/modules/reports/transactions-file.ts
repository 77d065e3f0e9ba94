import type { Locale } from '@heliograph/contract/kernel/scope';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { stringify } from 'csv-stringify/sync';
import pg from 'pg';
import { amountCell, type Cells, wallTimeCell } from '#platform/table/cells';
import { translate } from '#platform/text/i18n';
import { type Batch, type Bind, messagesOf, type Shape } from './find-messages.ts';
import type { Selection } from './selection.ts';

/** Columns of the file, in order. */
const COLUMNS = [
  'created_at',
  'campaign_name',
  'corporation_name',
  'user_name',
  'sender_id',
  'number',
  'name',
  'text',
  'encoding',
  'parts',
  'state',
  'error_code',
  'charge',
  'currency',
  'done_at',
] as const;

function stateLabel(locale: Locale): string {
  const labels = MESSAGE_STATES.map(
    (state) => `WHEN '${state}' THEN ${pg.escapeLiteral(translate(locale, `message_state.${state}`))}`,
  );
  return `CASE state ${labels.join(' ')} END`;
}

/** Returns the names of the columns in a language. */
export const heading = (locale: Locale): string[] =>
  COLUMNS.map((field) => translate(locale, `resources.messages.fields.${field}`));

/** Returns the first line of the CSV. The mark before it shows spreadsheets that the file is UTF-8. */
export const headingLine = (locale: Locale): string => stringify([heading(locale)], { bom: true });

/** Writes values as literals, because COPY takes no parameters. */
const spelledOut: Bind = (value) => {
  if (typeof value === 'string') return pg.escapeLiteral(value);
  return typeof value === 'object' ? `'{${value.join()}}'` : String(value);
};

type Statement = [s: Selection, batch: Batch, before: number, zone: string, locale: Locale];

/** Builds the columns of a batch of messages, newest first, with times in `zone`, to the second. */
function columnsOf([s, batch, before, zone, locale]: Statement, text: Shape['text']): string {
  const time: Shape['time'] = (column) => `date_trunc('second', ${column} AT TIME ZONE ${pg.escapeLiteral(zone)})`;
  const messages = messagesOf(s, batch, before, null, spelledOut, { text, time });
  // Thousandths times 0.001 have three decimals, like all amounts.
  const written: Partial<Record<string, string>> = { state: stateLabel(locale), charge: 'charge * 0.001' };
  return `SELECT ${COLUMNS.map((column) => written[column] ?? column).join(', ')} FROM (${messages}) m`;
}

/**
 * Returns the COPY statement for a batch of messages as lines of CSV, with texts safe for spreadsheets. PostgreSQL
 * writes the lines, so no line passes through JavaScript.
 */
export const copyLines = (...statement: Statement): string =>
  `COPY (${columnsOf(statement, (column) => `spreadsheet_text(${column})`)}) TO STDOUT (FORMAT csv)`;

/** Returns the statement for a batch of messages as cells of a workbook, one array for each message. */
export const selectCells = (...statement: Statement): string =>
  `SELECT json_build_array(${COLUMNS.map((column, i) => `c${i}${isTime(column) ? '::text' : ''}`).join(', ')}) AS cells
   FROM (${columnsOf(statement, (column) => column)}) AS c(${COLUMNS.map((_, i) => `c${i}`).join(', ')})`;

/** Cells of a message as the statement returns them. */
export type SelectedCells = (string | number | null)[];

/** Converts the cells' times and amounts to typed ones. */
export const typedCells = (cells: SelectedCells): Cells =>
  cells.map((value, at) => {
    if (COLUMNS[at] === 'charge') return amountCell(Number(value).toFixed(3));
    return isTime(COLUMNS[at]!) ? wallTimeCell(value as string | null) : value;
  });

const isTime = (column: string) => column.endsWith('_at');
