import type { Locale } from '@heliograph/contract/kernel/scope';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { stringify } from 'csv-stringify/sync';
import pg from 'pg';
import { translate } from '#platform/i18n';
import { type Batch, type Bind, messagesOf, type Shape } from './find-messages.ts';
import type { Selection } from './selection.ts';

/** The columns of the file, in their order. */
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

/** The file's first line in a language; the mark before it tells spreadsheets that the file is UTF-8. */
export function heading(locale: Locale): string {
  const labels = COLUMNS.map((field) => translate(locale, `resources.messages.fields.${field}`));
  return stringify([labels], { bom: true });
}

/** COPY takes no parameters: values are spelled out, texts as quoted literals. */
const spelledOut: Bind = (value) => {
  if (typeof value === 'string') return pg.escapeLiteral(value);
  return typeof value === 'object' ? `'{${value.join()}}'` : String(value);
};

/**
 * The COPY statement that answers a batch of messages as lines of CSV, newest first: times in `zone`, texts safe for
 * spreadsheets. PostgreSQL writes the lines, so that none of them passes through JavaScript.
 */
export function copyLines(s: Selection, batch: Batch, before: number, zone: string, locale: Locale): string {
  const shape: Shape = {
    text: (column) => `spreadsheet_text(${column})`,
    time: (column) => `date_trunc('second', ${column} AT TIME ZONE ${pg.escapeLiteral(zone)})`,
  };
  const messages = messagesOf(s, batch, before, null, spelledOut, shape);
  // Thousandths times 0.001 have three decimals, as amounts do everywhere.
  const written: Partial<Record<string, string>> = { state: stateLabel(locale), charge: 'charge * 0.001' };
  const columns = COLUMNS.map((column) => written[column] ?? column);
  return `COPY (SELECT ${columns.join(', ')} FROM (${messages}) m) TO STDOUT (FORMAT csv)`;
}
