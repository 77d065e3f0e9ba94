import { kindOf, referenceOf, wordsOf } from '@heliograph/contract/kernel/fields';
import type { z } from 'zod';

// Values for schemas without a sample of their own; the first one that a field takes is used.
const CANDIDATES: readonly unknown[] = [
  true,
  '639170009876',
  '515',
  '03',
  'Sample one',
  'sample@heliograph.test',
  'https://example.com/hook',
  'PHP',
  'Asia/Manila',
  'SAMPLE',
  '2026-01-01',
  '2026-01',
  '2026-01-01T00:00:00Z',
  '21:30',
  '1/1',
  'sample-one',
  'sample_one',
  'sample.example.com',
  '56.25',
  '1,2',
  'PH',
  '515',
  '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  `SHA256:${'A'.repeat(43)}`,
  7,
  1,
  60,
  [],
  ['dashboard-index'],
  [{ link_id: 1, position: 1, weight: 1 }],
  {},
  // A rule of segments.
  { match: 'all', rules: [{ on: 'tag', tag: 'vip' }] },
  // A definition of journeys.
  { trigger: { on: 'event' }, steps: [{ id: 1, do: 'end' }] },
  null,
];

export type Fields = Record<string, unknown>;
export const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> =>
  'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {};
const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

/** A password that follows every rule. */
const SECRET = 'Lantern#41';

/** Returns a value that a field takes; the first choice of an enumeration. */
export function sampleValue(schema: z.ZodType): unknown {
  if (kindOf(schema) === 'secret' && takes(schema, SECRET)) return SECRET;
  const value = [...wordsOf(schema), ...CANDIDATES].find((candidate) => takes(schema, candidate));
  if (value === undefined && !takes(schema, undefined)) throw new Error('a field takes none of the candidates');
  return value;
}

/**
 * Builds a body that a schema takes: required fields, and with `whole` the optional ones too. References come from
 * `referTo`, which returns an id of that resource.
 */
export function sampleBody(
  schema: z.ZodType,
  referTo: (resource: string) => number | undefined,
  { whole = false } = {},
): Fields {
  const body: Fields = {};
  for (const [place, [name, field]] of Object.entries(shapeOf(schema)).entries()) {
    const to = referenceOf(field);
    // An optional reference is left out, because its own rules often decide which record would fit.
    if (to && (whole || !takes(field, undefined)))
      body[name] = takes(field, null) ? null : takes(field, [1]) ? [referTo(to)] : referTo(to);
    else if (!to && (whole || !takes(field, undefined))) {
      // Limits must ascend, so each amount is more than the one before.
      body[name] = ['money', 'cost'].includes(kindOf(field) ?? '') ? `${10 + place}.500` : sampleValue(field);
    }
  }
  return body;
}

/** Returns a value that a field cannot take, whatever its type; undefined if it takes everything. */
export function wrongValue(schema: z.ZodType): unknown {
  return [{ no: 'such' }, 'no such value', -1.5, [{ no: 'such' }]].find((value) => !takes(schema, value));
}

/**
 * Returns a text that a field of a query cannot take; undefined if it takes every text. Every value in a query is text.
 */
export function wrongText(schema: z.ZodType): string | undefined {
  return ['no-such-value!', '-1', 'x'.repeat(3_000)].find((value) => !takes(schema, value));
}
