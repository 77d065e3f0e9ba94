import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';

/** File that `mountFile` sends. */
export interface AttachedFile {
  stream: Readable;
  name: string;
  type: string;
}

const AMOUNT = /^-?\d+(\.\d+)?$/;
/** Beginning of a cell that a spreadsheet runs as a formula; after an apostrophe it stays text. */
const FORMULA = /^[=+\-@\t\n\r|%＝＋－＠]/;

/** Makes a cell safe for a spreadsheet: a text that would run as a formula stays a text. */
export const spreadsheetCell = <Value>(value: Value): Value | string =>
  typeof value === 'string' && FORMULA.test(value) && !AMOUNT.test(value) ? `'${value}` : value;

/** Makes a CSV for spreadsheets: texts that would run as a formula stay texts, amounts stay numbers. */
export function csvFile(
  name: string,
  heading: readonly string[],
  rows: readonly (readonly (string | number | boolean | null)[])[],
): AttachedFile {
  const text = stringify([heading, ...rows.map((row) => row.map(spreadsheetCell))], {
    bom: true,
    cast: { boolean: (value) => String(value) },
  });
  return { stream: Readable.from([Buffer.from(text)]), name, type: 'text/csv; charset=utf-8' };
}
