import { kindOf, referenceOf } from '@heliograph/contract/kernel/fields';
import type { z } from 'zod';

// Values for schemas nobody told us about: the first of these that a field takes.
const CANDIDATES: readonly unknown[] = [
  true,
  '639170009876',
  'Sample one',
  'sample@heliograph.test',
  'https://example.com/hook',
  'PHP',
  'Asia/Manila',
  'SAMPLE',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  '21:30',
  '1/1',
  'sample-one',
  '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  7,
  1,
  [],
  ['dashboard-index'],
  [{ link_id: 1, position: 1, weight: 1 }],
  {},
  null,
];

export type Fields = Record<string, unknown>;
export const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> =>
  'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {};
const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

/** A password that keeps every rule. */
const SECRET = 'Lantern#41';

/** A value a field takes; the first choice of an enumeration. */
export function sampleValue(schema: z.ZodType): unknown {
  if (kindOf(schema) === 'secret' && takes(schema, SECRET)) return SECRET;
  let inner = schema as z.ZodType & { unwrap?: () => z.ZodType; options?: readonly unknown[] };
  while (!inner.options && typeof inner.unwrap === 'function') inner = inner.unwrap() as typeof inner;
  const value = [...(inner.options ?? []), ...CANDIDATES].find((candidate) => takes(schema, candidate));
  if (value === undefined && !takes(schema, undefined)) throw new Error('a field takes none of the candidates');
  return value;
}

/**
 * A body that a schema takes: required fields, and with `whole` the optional ones too. References are asked of
 * `referTo`, which answers an id of that resource.
 */
export function sampleBody(
  schema: z.ZodType,
  referTo: (resource: string) => number | undefined,
  { whole = false } = {},
): Fields {
  const body: Fields = {};
  for (const [place, [name, field]] of Object.entries(shapeOf(schema)).entries()) {
    const to = referenceOf(field);
    // Where none is allowed none is given: which one would fit is often a rule of its own.
    if (to && (whole || !takes(field, undefined)))
      body[name] = takes(field, null) ? null : takes(field, [1]) ? [referTo(to)] : referTo(to);
    else if (!to && (whole || !takes(field, undefined))) {
      // Limits stand in their order, so each amount is more than the one before.
      body[name] = kindOf(field) === 'money' ? `${10 + place}.500` : sampleValue(field);
    }
  }
  return body;
}

/** A value a field cannot take, whatever its type; undefined where it takes everything. */
export function wrongValue(schema: z.ZodType): unknown {
  return [{ no: 'such' }, 'no such value', -1.5, [{ no: 'such' }]].find((value) => !takes(schema, value));
}

/** A text that a field of a query, where everything is text, cannot take; undefined where it takes every text. */
export function wrongText(schema: z.ZodType): string | undefined {
  return ['no-such-value!', '-1', 'x'.repeat(3_000)].find((value) => !takes(schema, value));
}
