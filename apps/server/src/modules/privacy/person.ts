import { checkNumber, type NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { Kysely } from 'kysely';
import type { ConnectedConfig } from '#platform/config/config';
import type { Database } from '#platform/database/db';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { readNumberRules } from '#platform/operator/number-rules';
import { readSettings } from '#platform/operator/settings';
import { open, secretKey } from '#platform/process/seal';

/** Person that a request is about, and the tenants in which they are looked for. */
export interface Person {
  request_id: number;
  msisdn: string;
  /** Regular expression, for PostgreSQL and JavaScript, of the number as people write it within a text. */
  pattern: string;
  /** Corporations that are searched; null for the whole platform, including what belongs to no corporation. */
  corporations: readonly number[] | null;
  rules: NumberRules;
}

/** Context with which the number of a request is sealed. */
export const numberContext = (id: number): string => `person_request.number.${id}`;

/** Marks that people write between the digits of a number. */
const BETWEEN = '[\\s().-]*';

/** Returns the expression of a number in a text: international, with + or 00, or as at home with its trunk prefix. */
export function patternOf(msisdn: string, home: { code: string; trunk: string }): string {
  const spaced = (digits: string) => [...digits].join(BETWEEN);
  const abroad = `(?:\\+|00)?${BETWEEN}${spaced(msisdn)}`;
  const national =
    home.code !== '' && home.trunk !== '' && msisdn.startsWith(home.code)
      ? `|${spaced(home.trunk + msisdn.slice(home.code.length))}`
      : '';
  return `(?<![0-9])(?:${abroad}${national})(?![0-9])`;
}

/** Reads the person of a request; undefined if their number is not kept any more. */
export async function readPerson(
  db: Kysely<Database> & Queryable,
  config: ConnectedConfig,
  id: number,
): Promise<Person | undefined> {
  const [row] = await rowsOf<{ number_sealed: string | null; corporations: number[] | null }>(
    db,
    'SELECT number_sealed, covered_corporations(corporation_id) AS corporations FROM person_request WHERE id = $1',
    [id],
  );
  if (!row?.number_sealed) return undefined;
  const msisdn = open(secretKey(config), row.number_sealed, numberContext(id));
  return {
    request_id: id,
    msisdn,
    pattern: await readPattern(db, msisdn),
    corporations: row.corporations,
    rules: await readNumberRules(db),
  };
}

/** Returns the expression of a number in a text, with the home country of the settings. */
export async function readPattern(db: Kysely<Database>, msisdn: string): Promise<string> {
  const home = await readSettings(db, ['number_country_code', 'number_trunk_prefix']);
  return patternOf(msisdn, {
    code: home.get('number_country_code') ?? '',
    trunk: home.get('number_trunk_prefix') ?? '',
  });
}

/** Returns a function that tells whether a cell of a file has the number of a person. */
export function cellFinder({ msisdn, pattern, rules }: Person): (cell: string) => boolean {
  const written = new RegExp(pattern);
  const end = msisdn.slice(-2);
  return (cell) => cell.includes(end) && (written.test(cell) || checkNumber(cell, rules).msisdn === msisdn);
}
