import type { ContactFieldType } from '@heliograph/contract/audience/contact-field';
import { day } from '@heliograph/contract/kernel/fields';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { BusinessError, type FieldFaults } from '#platform/errors';

/** Field of a corporation's contacts, with the column in which its values are stored. */
export interface ContactField {
  id: number;
  key: string;
  name: string;
  type: ContactFieldType;
  choices: readonly string[];
  slot: string;
  /** Whether its value is the language of the contact. */
  is_language: boolean;
}
/** Value of a field as it is stored. */
export type Value = string | number | boolean | null;

/** Reads the fields of a corporation, in the order in which they were made. */
export const readContactFields = (db: Queryable, corporationId: number): Promise<ContactField[]> =>
  rowsOf<ContactField>(
    db,
    'SELECT id, key, name, type, choices, slot, is_language FROM contact_field_row WHERE corporation_id = $1 ORDER BY id',
    [corporationId],
  );

const WORDS: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  '1': true,
  no: false,
  false: false,
  '0': false,
};
/** A number as people and programs write it, without separators of thousands. */
const NUMBER = /^[+-]?\d{1,15}(\.\d{1,10})?$/;

/** Keys under `validation.` of the sentences for a value that does not fit its field. */
export const FAULTS = {
  text: 'contact_value_text',
  number: 'contact_value_number',
  date: 'contact_value_date',
  choice: 'contact_value_choice',
  yes_no: 'contact_value_yes_no',
} as const;

/** Returns a value as it is stored; undefined if it does not fit the field. An empty text is no value. */
export function storedValue(field: Pick<ContactField, 'type' | 'choices'>, value: Value): Value | undefined {
  if (value === null) return null;
  const text = typeof value === 'string' ? value.trim() : String(value);
  if (text === '') return null;
  switch (field.type) {
    case 'text':
      return typeof value === 'boolean' || text.includes('\0') ? undefined : text;
    case 'number':
      if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
      return typeof value === 'string' && NUMBER.test(text) ? Number(text) : undefined;
    case 'date':
      return typeof value === 'string' && day.safeParse(text).success ? text : undefined;
    case 'choice':
      return field.choices.find((choice) => choice === text);
    case 'yes_no':
      return typeof value === 'boolean' ? value : WORDS[text.toLowerCase()];
  }
}

/**
 * Returns the columns for values by the keys of their fields. Throws a 422 that names each value that does not fit, and
 * each unknown field.
 */
export function valueColumns(
  fields: readonly ContactField[],
  values: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const columns: Record<string, Value> = {};
  const faults: FieldFaults = {};
  for (const [key, value] of Object.entries(values)) {
    const field = byKey.get(key);
    const stored = field && storedValue(field, value);
    if (field === undefined) faults[`fields.${key}`] = [{ key: 'contact_field_unknown', params: { field: key } }];
    else if (stored === undefined)
      faults[`fields.${key}`] = [
        { key: FAULTS[field.type], params: { field: field.name, choices: field.choices.join(', ') } },
      ];
    else columns[field.slot] = stored;
  }
  if (Object.keys(faults).length > 0) throw new BusinessError('validation_failed', { fields: faults });
  return columns;
}
