/** Functions that write PostgreSQL array literals by hand: a tenth of the cost of binding each value. */

/** Writes numbers. */
export const numberArray = (values: readonly (number | null)[]): string => `{${values.map((v) => v ?? 'NULL').join()}}`;

/** Writes texts that hold no quotes, backslashes, commas, braces or spaces: digits, ids, names of states. */
export const plainArray = (values: readonly string[]): string => `{${values.join()}}`;

const SPECIAL = /[\\"]/;
const SPECIALS = /[\\"]/g;

/** Writes any texts. */
export function textArray(values: readonly (string | null)[]): string {
  let out = '{';
  for (let i = 0; i < values.length; i++) {
    if (i > 0) out += ',';
    const value = values[i];
    if (value === null || value === undefined) out += 'NULL';
    else out += SPECIAL.test(value) ? `"${value.replace(SPECIALS, '\\$&')}"` : `"${value}"`;
  }
  return `${out}}`;
}

/** Writes booleans. */
export const booleanArray = (values: readonly boolean[]): string => `{${values.map((v) => (v ? 't' : 'f')).join()}}`;
