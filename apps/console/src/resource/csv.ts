/**
 * Returns one CSV cell according to RFC 4180. An apostrophe disarms a leading formula character; numbers stay
 * unchanged.
 */
export function csvCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const armed = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text);
  const safe = armed ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a CSV document with a byte order mark, so that spreadsheets read it as UTF-8. */
export function csvOf(header: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return `\ufeff${[header, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}
