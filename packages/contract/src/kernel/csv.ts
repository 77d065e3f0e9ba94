const NUMBER = /^-?\d+(\.\d+)?$/;
/** Beginning of a cell that a spreadsheet runs as a formula; after an apostrophe it stays text. */
const FORMULA = /^[=+\-@\t\r\n|%＝＋－＠]/;

/** Makes a cell safe for a spreadsheet: a text that would run as a formula stays a text; numbers stay numbers. */
export const spreadsheetCell = <Value>(value: Value): Value | string =>
  typeof value === 'string' && FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;

/** Returns one cell of a CSV document according to RFC 4180, safe for a spreadsheet. */
export function csvCell(value: unknown): string {
  const safe = spreadsheetCell(String(value ?? ''));
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a CSV document with a byte order mark, so that spreadsheets read it as UTF-8. */
export function csvOf(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return `\ufeff${[header, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}
