import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { Kysely } from 'kysely';
import type { Database } from '../database/db.ts';
import { readSettings } from './settings.ts';

/** Digits that E.164 allows at most; no setting goes beyond. */
const E164_DIGITS = 15;

/** The operator's rules for recipients' numbers, from the global configuration, with their defaults. */
export async function readNumberRules(db: Kysely<Database>): Promise<NumberRules> {
  const values = await readSettings(db, [
    'number_min',
    'number_max',
    'number_start',
    'number_start_with_any_msisdn',
    'number_read_national',
    'number_country_code',
    'number_trunk_prefix',
    'number_national_start',
  ]);
  const country_code = values.get('number_country_code') ?? '';
  const reads = values.get('number_read_national') === 'true' && country_code !== '';
  return {
    min: Number(values.get('number_min') || 10),
    max: Math.min(Number(values.get('number_max') || 13), E164_DIGITS),
    start: values.get('number_start') ?? '63',
    start_with_any_msisdn: values.get('number_start_with_any_msisdn') === 'true',
    national: reads
      ? {
          country_code,
          trunk_prefix: values.get('number_trunk_prefix') ?? '',
          start: values.get('number_national_start') ?? '',
        }
      : null,
  };
}
