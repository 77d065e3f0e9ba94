import { kindOf } from '@heliograph/contract/kernel/fields';
import type { z } from 'zod';

export type Values = Record<string, unknown>;

/** The fields of a record: a form may keep more, for itself. */
export const fieldsIn = (schema: z.ZodObject, values: Values) =>
  Object.entries(values).filter(([field]) => Object.hasOwn(schema.shape, field));

/** A value for every field of the schema: the record's, else the schema's default, else empty. */
export function initialValues(schema: z.ZodObject, known: Values): Values {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([field, type]) => {
      const schemaOf = type as z.ZodType;
      const fallback = schemaOf.safeParse(undefined);
      // What may be left out and is nothing stays out where nothing is no value.
      const empty = fallback.success && !schemaOf.safeParse(null).success ? undefined : null;
      const value = known[field] ?? (fallback.success ? fallback.data : null) ?? empty;
      return [field, kindOf(schemaOf) === 'money' ? shortAmount(value) : value];
    }),
  );
}

/** An amount as a person would write it: the third decimal only where it says something. */
const shortAmount = (value: unknown) => (typeof value === 'string' ? value.replace(/(\.\d\d)0$/, '$1') : value);
