import { innerOf, kindOf } from '@heliograph/contract/kernel/fields';
import { issueText } from '@heliograph/contract/kernel/issues';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import i18next from 'i18next';
import type { z } from 'zod';

export type Values = Record<string, unknown>;

/** Returns the fields of a record. A form may hold more values for its own use. */
export const fieldsIn = (schema: z.ZodObject, values: Values) =>
  Object.entries(values).filter(([field]) => Object.hasOwn(schema.shape, field));

/** Returns a value for every field of the schema: the record's, otherwise the schema's default, otherwise empty. */
export function initialValues(schema: z.ZodObject, known: Values): Values {
  return Object.fromEntries(
    Object.entries(schema.shape).map(([field, type]) => {
      const schemaOf = type as z.ZodType;
      const fallback = schemaOf.safeParse(undefined);
      // An optional field without a value is left out if the schema does not accept null.
      const empty = fallback.success && !schemaOf.safeParse(null).success ? undefined : null;
      const value = known[field] ?? (fallback.success ? fallback.data : null) ?? empty;
      return [field, kindOf(schemaOf) === 'money' ? shortAmount(value) : value];
    }),
  );
}

/** Returns an amount as a person would write it: the third decimal is kept only if it is not zero. */
const shortAmount = (value: unknown) => (typeof value === 'string' ? value.replace(/(\.\d\d)0$/, '$1') : value);

/** Returns the sentence for one issue of a schema, in the user's language. */
function sentenceOfIssue(issue: z.core.$ZodIssue): string {
  const { key, params } = issueText(issue);
  return i18next.t([keyIn('validation', key), 'validation.invalid'], params);
}

/** Returns the fields whose value is a list of rows, such as the tiers of a discount. */
export const rowFieldsOf = (schema: z.ZodObject): Set<string> =>
  new Set(
    Object.entries(schema.shape)
      .filter(([, type]) => {
        const list = innerOf(type as z.ZodType, (inner) => inner.def.type === 'array');
        return list.def.type === 'array' && innerOf(list).def.type === 'object';
      })
      .map(([field]) => field),
  );

/** Returns errors of a form after its field `rows` was changed: rows are checked again only if one of them had a fault. */
export function errorsAfterRows<Shown>(
  errors: Record<string, Shown>,
  rows: string,
  faults: () => Record<string, string>,
): Record<string, Shown | string> {
  const isBelow = ([key]: readonly [string, unknown]) => key === rows || key.startsWith(`${rows}.`);
  const all = Object.entries(errors);
  return {
    ...Object.fromEntries(all.filter((entry) => !isBelow(entry))),
    ...(all.some(isBelow) ? Object.fromEntries(Object.entries(faults()).filter(isBelow)) : {}),
  };
}

/** Returns the faults of values, one sentence per field (`a.b.0` for nested ones). */
export function faultsOf(schema: z.ZodType, values: unknown): Record<string, string> {
  const result = schema.safeParse(values, { reportInput: true });
  const faults: Record<string, string> = {};
  for (const issue of result.error?.issues ?? []) faults[issue.path.join('.')] ??= sentenceOfIssue(issue);
  return faults;
}
