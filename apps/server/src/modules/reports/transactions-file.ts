import type { ReportCosts } from '@heliograph/contract/kernel/report-costs';
import type { Locale } from '@heliograph/contract/kernel/scope';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { stringify } from 'csv-stringify/sync';
import pg from 'pg';
import type { MessageAmounts } from '#modules/margins';
import { amountCell, type Cells, wallTimeCell } from '#platform/table/cells';
import { translate } from '#platform/text/i18n';
import { COST_COLUMNS, costHeading } from './cost-columns.ts';
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

/** Costs in the file: those of a batch, or the customers whose cost to their reseller is shown, null for all. */
export type BatchCosts =
  | { of: 'carriers'; currency: string; amounts: MessageAmounts }
  | { of: 'resale'; customers: readonly number[] | null };

const AMOUNTS = new Set(['charge', 'price', 'cost', 'margin']);

const columnsWith = (costs: ReportCosts | undefined): readonly string[] =>
  costs === undefined ? COLUMNS : [...COLUMNS, ...COST_COLUMNS[costs]];

/** Returns the names of the columns in a language. */
export const heading = (locale: Locale, costs: ReportCosts | undefined): string[] => [
  ...COLUMNS.map((field) => translate(locale, `resources.messages.fields.${field}`)),
  ...costHeading(costs, locale),
];

/** Returns the first line of the CSV. The mark before it shows spreadsheets that the file is UTF-8. */
export const headingLine = (locale: Locale, costs: ReportCosts | undefined): string =>
  stringify([heading(locale, costs)], { bom: true });

/** Writes values as literals, because COPY takes no parameters. */
const spelledOut: Bind = (value) => {
  if (typeof value === 'string') return pg.escapeLiteral(value);
  return typeof value === 'object' ? `'{${value.join()}}'` : String(value);
};

type Statement = [
  s: Selection,
  batch: Batch,
  before: number,
  zone: string,
  locale: Locale,
  costs: BatchCosts | undefined,
];

/** Writes numbers or decimals as an array. */
const listed = (values: readonly (number | string | null)[], type: string) =>
  `'{${values.map((value) => value ?? 'NULL').join()}}'::${type}[]`;

/** Builds the columns of costs, and the table with those of carriers. */
function costsIn(costs: BatchCosts | undefined): { written: Partial<Record<string, string>>; from: string } {
  if (costs === undefined) return { written: {}, from: '' };
  if (costs.of === 'resale')
    return {
      written: {
        cost: 'm.cost * 0.001',
        margin: 'CASE WHEN m.currency = m.cost_currency THEN (m.charge - m.cost) * 0.001 END',
      },
      from: '',
    };
  const { ids, price, cost, margin, unknown_parts } = costs.amounts;
  const lists = [listed(ids, 'bigint'), ...[price, cost, margin].map((each) => listed(each, 'numeric'))];
  return {
    written: { cost_currency: `CASE WHEN x.id IS NOT NULL THEN ${pg.escapeLiteral(costs.currency)} END` },
    from: `LEFT JOIN unnest(${lists.join()}, ${listed(unknown_parts, 'int')}) AS x (id, price, cost, margin, unknown_parts)
      ON x.id = m.id ORDER BY m.id DESC`,
  };
}

/** Builds the columns of a batch of messages, newest first, with times in `zone`, to the second. */
function columnsOf([s, batch, before, zone, locale, costs]: Statement, text: Shape['text']): string {
  const time: Shape['time'] = (column) => `date_trunc('second', ${column} AT TIME ZONE ${pg.escapeLiteral(zone)})`;
  const shape: Shape = { ofFile: true, text, time, ...(costs?.of === 'resale' && { resold: costs.customers }) };
  const messages = messagesOf(s, batch, before, null, spelledOut, shape);
  const more = costsIn(costs);
  // Thousandths times 0.001 have three decimals, like all amounts.
  const written = { state: stateLabel(locale), charge: 'charge * 0.001', ...more.written };
  const columns = columnsWith(costs?.of).map(
    (column) => (written as Partial<Record<string, string>>)[column] ?? column,
  );
  return `SELECT ${columns.join(', ')} FROM (${messages}) m ${more.from}`;
}

/**
 * Returns the COPY statement for a batch of messages as lines of CSV, with texts safe for spreadsheets. PostgreSQL
 * writes the lines, so no line passes through JavaScript.
 */
export const copyLines = (...statement: Statement): string =>
  `COPY (${columnsOf(statement, (column) => `spreadsheet_text(${column})`)}) TO STDOUT (FORMAT csv)`;

/**
 * Returns the COPY statement for a batch of messages as lines of CSV for programs, newest first. Times are RFC 3339 in
 * UTC, states are those of the API, and texts are exact. `columns` may include `corporation_id`.
 */
export function copyOfMessages(s: Selection, batch: Batch, before: number, columns: readonly string[]): string {
  const time: Shape['time'] = (column) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const messages = messagesOf(s, batch, before, null, spelledOut, {
    ofFile: true,
    text: (column) => column,
    time,
  });
  const written: Partial<Record<string, string>> = { charge: 'charge * 0.001', corporation_id: 'o.corporation_id' };
  return `COPY (SELECT ${columns.map((column) => written[column] ?? `m.${column}`).join(', ')} FROM (${messages}) m
    JOIN chunk o ON o.id = m.id >> 10 AND o.id = ANY (${spelledOut(batch.chunks)}::bigint[]) ORDER BY m.id DESC)
    TO STDOUT (FORMAT csv)`;
}

/** Returns the statement for a batch of messages as cells of a workbook, one array for each message. */
export function selectCells(...statement: Statement): string {
  const columns = columnsWith(statement[5]?.of);
  const cells = columns.map((column, i) => `c${i}${isTime(column) || AMOUNTS.has(column) ? '::text' : ''}`);
  return `SELECT json_build_array(${cells.join(', ')}) AS cells
   FROM (${columnsOf(statement, (column) => column)}) AS c(${columns.map((_, i) => `c${i}`).join(', ')})`;
}

/** Cells of a message as the statement returns them. */
export type SelectedCells = (string | number | null)[];

/** Converts the cells' times and amounts to typed ones. */
export function typedCells(cells: SelectedCells, costs: ReportCosts | undefined): Cells {
  const columns = columnsWith(costs);
  return cells.map((value, at) => {
    if (value === null) return null;
    if (AMOUNTS.has(columns[at]!)) return amountCell(String(value));
    return isTime(columns[at]!) ? wallTimeCell(value as string) : value;
  });
}

const isTime = (column: string) => column.endsWith('_at');
