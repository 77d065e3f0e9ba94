import type { Locale } from '@heliograph/contract/kernel/scope';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { stringify } from 'csv-stringify/sync';
import pg from 'pg';
import { translate } from '#platform/i18n';
import { type Batch, type Bind, messagesOf } from './find-messages.ts';
import type { Selection } from './selection.ts';

/** The columns of the file: their heading's field and what stands in them, by the columns of `messagesOf`. */
const time = (column: string, zone: string) =>
  `to_char(${column} AT TIME ZONE ${pg.escapeLiteral(zone)}, 'YYYY-MM-DD HH24:MI:SS')`;
const text = (column: string) => `spreadsheet_text(${column})`;
const COLUMNS: Readonly<Record<string, (zone: string, locale: Locale) => string>> = {
  created_at: (zone) => time('created_at', zone),
  campaign_name: () => text('campaign_name'),
  corporation_name: () => text('corporation_name'),
  user_name: () => text('user_name'),
  sender_id: () => text('sender_id'),
  number: () => 'number',
  name: () => text('name'),
  text: () => text('text'),
  encoding: () => 'encoding',
  parts: () => 'parts',
  state: (_, locale) => stateLabel(locale),
  error_code: () => text('error_code'),
  charge: () => '(charge / 1000.0)::numeric(15, 3)',
  currency: () => 'currency',
  done_at: (zone) => time('done_at', zone),
};

function stateLabel(locale: Locale): string {
  const labels = MESSAGE_STATES.map(
    (state) => `WHEN '${state}' THEN ${pg.escapeLiteral(translate(locale, `message_state.${state}`))}`,
  );
  return `CASE state ${labels.join(' ')} END`;
}

/** The file's first line in a language; the mark before it tells spreadsheets that the file is UTF-8. */
export function heading(locale: Locale): string {
  const labels = Object.keys(COLUMNS).map((field) => translate(locale, `resources.messages.fields.${field}`));
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
  const columns = Object.values(COLUMNS).map((column) => column(zone, locale));
  return `COPY (SELECT ${columns.join(', ')} FROM (${messagesOf(s, batch, before, null, spelledOut)}) m)
    TO STDOUT (FORMAT csv)`;
}
