/** Rows in PostgreSQL's COPY text format. */

const SPECIAL = /[\\\t\n\r]/;
const SPECIALS = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** One value of a row; null is `\N`. A NUL, which PostgreSQL cannot hold, is left out. */
export function copyValue(value: string | number | null): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value;
  return SPECIAL.test(text) ? text.replace(SPECIALS, (found) => ESCAPES[found]!) : text;
}
