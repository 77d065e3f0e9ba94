import { Readable } from 'node:stream';
import { spreadsheetCell } from '@heliograph/contract/kernel/csv';
import { stringify } from 'csv-stringify/sync';

/** File that `mountFile` sends. */
export interface AttachedFile {
  stream: Readable;
  name: string;
  type: string;
}

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
