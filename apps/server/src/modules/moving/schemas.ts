import { referenceOf } from '@heliograph/contract/kernel/fields';
import type { z } from 'zod';
import type { Kind } from './kinds.ts';

interface Definition {
  type: string;
  innerType?: z.ZodType;
  in?: z.ZodType;
  element?: z.ZodType;
}

const definition = (schema: z.ZodType) => schema.def as unknown as Definition;

/** Returns the schema inside optional, nullable and default ones, but not that of a list's elements. */
export function bare(schema: z.ZodType): z.ZodType {
  const { innerType, type, in: before } = definition(schema);
  const inner = type === 'pipe' ? before : innerType;
  return inner === undefined ? schema : bare(inner);
}

/** Returns the type of a value: `string`, `number`, `array`, `object` and others. */
export const typeOf = (schema: z.ZodType): string => definition(bare(schema)).type;

/** Returns the schema of a list's elements; undefined for other values. */
export const elementOf = (schema: z.ZodType): z.ZodType | undefined => definition(bare(schema)).element;

/** Returns the fields of an object by their names; undefined for other values. */
export function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const inner = bare(schema);
  return 'shape' in inner ? (inner.shape as Record<string, z.ZodType>) : undefined;
}

/** Returns the resource that a field refers to; undefined for a plain field and for lists. */
export const referredBy = (schema: z.ZodType): string | undefined =>
  typeOf(schema) === 'array' ? undefined : referenceOf(schema);

/** Returns the name of a field in files: a reference is written by the name of its record, without `_id`. */
export const writtenName = (name: string, schema: z.ZodType): string =>
  referredBy(schema) === undefined ? name : name.replace(/_id$/, '');

/** Returns the fields that a file may give for a kind, by their names in calls. */
export function fieldsOf(kind: Kind): Readonly<Record<string, z.ZodType>> {
  const shape = (kind.fields ?? kind.resource.create).shape as Record<string, z.ZodType>;
  return Object.fromEntries(Object.entries(shape).filter(([name]) => !kind.without?.includes(name)));
}

/** Whether a field of a kind is a secret that no answer shows. */
export const isSecret = (kind: Kind, field: string): boolean =>
  kind.secrets?.includes(field) === true || Object.hasOwn(kind.resource.unshown, field);

/** Returns the name of a list that is nearest to a text, if it is near enough to be meant. */
export function nearest(text: string, names: Iterable<string>): string | undefined {
  const near = [...names]
    .map((name) => ({ name, distance: distance(text.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)[0];
  return near && near.distance <= Math.max(2, text.length / 3) ? near.name : undefined;
}

/** Counts the letters to add, remove or change between two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
