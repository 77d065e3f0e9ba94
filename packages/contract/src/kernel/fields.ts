import { z } from 'zod';

/**
 * What a field is beyond its JSON type, so that tables, forms, exports and the database mapping treat it alike:
 * `money` is a decimal string on the wire and thousandths in the database, `instant` an RFC 3339 UTC time,
 * `reference` the id of another record.
 */
export type FieldKind = 'money' | 'instant' | 'reference' | 'msisdn' | 'secret';

const kinds = z.registry<{ kind: FieldKind; to?: string }>();

function unwrap(schema: z.ZodType): z.ZodType {
  let s = schema as z.ZodType & { unwrap?: () => z.ZodType };
  while (!kinds.has(s) && typeof s.unwrap === 'function') s = s.unwrap() as typeof s;
  return s;
}

/** The kind of a field, seen through optional, nullable and default; undefined for plain ones. */
export function kindOf(schema: z.ZodType): FieldKind | undefined {
  return kinds.get(unwrap(schema))?.kind;
}

/** The resource a reference points to, such as `corporations`. */
export function referenceOf(schema: z.ZodType): string | undefined {
  return kinds.get(unwrap(schema))?.to;
}

/** A record's id: a positive integer. */
export const id = z.int().positive();

/** A record's id in a path or query, where everything is text. */
export const idText = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);

/** The id of a record of another resource. */
export const reference = (to: string) => z.int().positive().register(kinds, { kind: 'reference', to });

/**
 * An amount as a decimal string with up to `digits` digits and as many `decimals`, zeros behind them apart, which every
 * amount on the wire has; negative only where `signed`.
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

/** An RFC 3339 UTC time. */
export const instant = z.iso.datetime({ offset: true }).register(kinds, { kind: 'instant' });

/** A day of the calendar, such as 2026-01-31; PostgreSQL knows no year 0. */
export const day = z.iso.date().refine((value) => value >= '1900-01-01', { error: 'date' });

/** A phone number in international format, digits only (E.164 without the plus). */
export const msisdn = z
  .string()
  .regex(/^\d{4,15}$/)
  .register(kinds, { kind: 'msisdn' });

/** A password that is chosen; whether it is good enough is the operator's `password_policy`, which the server knows. */
export const newSecret = z.string().min(8).max(200).register(kinds, { kind: 'secret' });

/** A name a person gives: 1 to `max` characters, no control characters, trimmed. */
export const label = (max = 100) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, { error: 'control_characters' });

/** Free text of at most `max` characters; may span lines. */
export const text = (max = 1000) => z.string().trim().max(max);

/** An http or https address. */
export const url = z.url({ protocol: /^https?$/, error: 'url' }).max(2000);

/** An e-mail address. */
export const email = z.email({ error: 'email' }).trim().toLowerCase().max(254);

/** A time of day by somebody's clock, such as 21:30. */
export const timeOfDay = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'time_of_day' });
