import {
  allSteps,
  fieldKeysIn,
  type JourneyDefinition,
  type JourneyStep,
} from '@heliograph/contract/journeys/journey-definition';
import { findSteps } from '@heliograph/contract/journeys/journey-places';
import { compileText, type MergeValues, renderText } from '@heliograph/contract/kernel/merge-fields';
import { type Kysely, sql } from 'kysely';
import { readContactFields } from '#modules/audience';
import { keysOf, type TextField, usableFields, valuesOfContacts } from '#modules/campaigns';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, type FieldFaults } from '#platform/errors';

type MessageStep = Extract<JourneyStep, { do: 'message' }>;

/**
 * Returns a definition with the contact fields that its texts use. A key that no field has now is the field that had it
 * when the definition was saved before. Throws a 422 at each text with a key that the caller may not use.
 */
export async function withTextFields(
  ctx: Context,
  corporationId: number,
  definition: JourneyDefinition,
  before: JourneyDefinition | undefined,
): Promise<JourneyDefinition> {
  const keys = new Set(allSteps(definition.steps).flatMap((step) => (step.do === 'message' ? usedKeys(step) : [])));
  if (keys.size === 0) return { ...definition, contact_fields: [] };
  const usable = new Map((await usableFields(ctx, corporationId)).map(({ id, key }) => [key, id]));
  const present = new Set((await readContactFields(ctx.db, corporationId)).map(({ id }) => id));
  const kept = (before?.contact_fields ?? []).filter(({ id }) => present.has(id));
  const known = new Map([...kept.map(({ id, key }) => [key, id] as const), ...usable]);
  const faults: FieldFaults = {};
  for (const { step, path } of findSteps(definition.steps)) {
    const unknown = step.do === 'message' ? usedKeys(step).filter((key) => !known.has(key)) : [];
    if (unknown.length > 0)
      faults[`${path}.text`] = [
        { key: 'journey_field_key', params: { keys: unknown.map((key) => `{${key}}`).join() } },
      ];
  }
  if (Object.keys(faults).length > 0) throw new BusinessError('validation_failed', { fields: faults });
  return { ...definition, contact_fields: [...keys].sort().map((key) => ({ id: known.get(key)!, key })) };
}

const usedKeys = ({ text }: MessageStep): readonly string[] => fieldKeysIn(text);

/** Contact fields of a definition, as far as they exist, by the keys that its texts have. */
export async function textFieldsOf(
  db: Kysely<Database>,
  corporationId: number,
  { contact_fields }: JourneyDefinition,
): Promise<TextField[]> {
  if (contact_fields.length === 0) return [];
  const byId = new Map((await readContactFields(db, corporationId)).map((field) => [field.id, field]));
  return contact_fields.flatMap(({ id, key }) => {
    const field = byId.get(id);
    return field ? [{ ...field, key }] : [];
  });
}

/** Tells if a text uses a contact field that is not among those that exist. */
export const lacksField = (step: MessageStep, fields: readonly TextField[]): boolean => {
  const keys = keysOf(fields);
  return usedKeys(step).some((key) => !keys.has(key));
};

/** Returns the function that makes a text of a message for the values of a person. */
export function textMaker(
  step: MessageStep,
  fields: readonly TextField[],
): (values: MergeValues | undefined) => string {
  const compiled = compileText(step.text, keysOf(fields));
  const instead = { ...step.defaults, name: step.nameless };
  return (values = {}) => renderText(compiled, values, instead).text;
}

/** Returns the names of people and the values of their contacts that texts show, by number. */
export async function valuesFor(
  db: Kysely<Database>,
  corporationId: number,
  fields: readonly TextField[],
  numbers: readonly string[],
): Promise<ReadonlyMap<string, MergeValues>> {
  if (numbers.length === 0) return new Map();
  const people = await sql<{ number: string; name: string | null }>`SELECT number, name FROM contact
    WHERE corporation_id = ${corporationId} AND number = ANY (${numbers}::text[])`.execute(db);
  const values = await valuesOfContacts(fields, corporationId)?.(db, numbers);
  return new Map(people.rows.map(({ number, name }) => [number, { ...values?.get(number), name }]));
}
