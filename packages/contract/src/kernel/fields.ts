import { z } from 'zod';

/**
 * Kind of a field beyond its JSON type, so that tables, forms, exports and the database mapping treat it the same way.
 * `money` is a decimal string on the wire and thousandths in the database, `cost` the same with millionths. `instant` is an RFC 3339 UTC time.
 * `reference` is the id of another record.
 */
export type FieldKind = 'money' | 'cost' | 'instant' | 'reference' | 'msisdn' | 'secret';

const kinds = z.registry<{ kind: FieldKind; to?: string }>();

type Wrapper = z.ZodType & { unwrap?: () => z.ZodType };

/** Returns the schema inside optional, nullable and default ones: the first that `found` accepts, else the innermost. */
export function innerOf(schema: z.ZodType, found: (schema: z.ZodType) => boolean = () => false): z.ZodType {
  let inner: Wrapper = schema;
  while (!found(inner) && typeof inner.unwrap === 'function') inner = inner.unwrap();
  return inner;
}

const isKnown = (schema: z.ZodType) => kinds.has(schema);

/** Returns the words that an enumeration allows, also an optional, nullable or default one; none for other schemas. */
export function wordsOf(schema: z.ZodType): readonly string[] {
  const inner = innerOf(schema, (each) => 'options' in each) as z.ZodType & { options?: readonly string[] };
  return inner.options ?? [];
}

/** Returns the kind of a field, also of an optional, nullable or default one; undefined for plain fields. */
export function kindOf(schema: z.ZodType): FieldKind | undefined {
  return kinds.get(innerOf(schema, isKnown))?.kind;
}

/** Returns the resource of a reference, such as `corporations`. */
export function referenceOf(schema: z.ZodType): string | undefined {
  return kinds.get(innerOf(schema, isKnown))?.to;
}

/** Id of a record: a positive integer. */
export const id = z.int().positive();

/** Id of a record in a path or query, where every value is text. */
export const idText = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** Returns the schema of the id of another resource's record. */
export const reference = (to: string) => z.int().positive().register(kinds, { kind: 'reference', to });

/**
 * Returns the schema of an amount: a decimal string with up to `digits` digits and up to `decimals` decimals. With two
 * decimals a third one may be zero, because every amount on the wire has three. Negative only if `signed`.
 */
export function money(options: { digits?: number; decimals?: 2 | 3; signed?: boolean } = {}) {
  const { digits = 12, decimals = 3, signed = false } = options;
  const fraction = decimals === 3 ? '\\.\\d{1,3}' : '\\.\\d{1,2}0?';
  return z
    .string()
    .trim()
    .regex(new RegExp(`^${signed ? '-?' : ''}\\d{1,${digits}}(${fraction})?$`), {
      error: `${decimals === 3 ? 'money_format' : 'money_two_decimals'}_${digits}`,
    })
    .register(kinds, { kind: 'money' });
}

/** Returns the schema of an amount that a carrier takes: a decimal string with up to six decimals. */
export const cost = (options: { signed?: boolean } = {}) =>
  z
    .string()
    .trim()
    .regex(options.signed ? /^-?\d{1,9}(\.\d{1,6})?$/ : /^\d{1,9}(\.\d{1,6})?$/, { error: 'cost_format' })
    .register(kinds, { kind: 'cost' });

/** An RFC 3339 UTC time. */
export const instant = z.iso.datetime({ offset: true }).register(kinds, { kind: 'instant' });

/** A day of the calendar, such as 2026-01-31, from 1900 on; PostgreSQL has no year 0. */
export const day = z.iso.date().refine((value) => value >= '1900-01-01', { error: 'date' });

/** Calendar month, such as `2026-01`. */
export const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
  .refine((value) => value >= '1900', { error: 'date' });

/** A phone number in international format, digits only (E.164 without the plus). */
export const msisdn = z
  .string()
  .regex(/^\d{4,15}$/)
  .register(kinds, { kind: 'msisdn' });

/** A new password. The server checks it against the operator's `password_policy`. */
export const newSecret = z.string().min(8).max(200).register(kinds, { kind: 'secret' });

/** Returns the schema of a name that a person enters: 1 to `max` characters, no control characters, trimmed. */
export const label = (max = 100) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, { error: 'control_characters' });

/** Returns the schema of free text of at most `max` characters; it may have several lines. */
export const text = (max = 1000) => z.string().trim().max(max);

/** An http or https address. */
export const url = z.url({ protocol: /^https?$/, error: 'url' }).max(2000);

/** An email address. */
export const email = z.email({ error: 'email' }).trim().toLowerCase().max(254);

/** A time of day in some time zone, such as 21:30. */
export const timeOfDay = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'time_of_day' });

/** A route name without its slash, such as `number-lists`. */
export const routeName = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9-]{0,60}$/, { error: 'route_name' });
