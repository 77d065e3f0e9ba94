import { z } from 'zod';
import { innerOf, kindOf } from './fields.ts';

/** Content of a field about people outside the house: a number, or a text or a document with numbers in it. */
export type Personal = 'number' | 'text';
const marks = z.registry<{ personal: Personal }>();
const isMarked = (schema: z.ZodType) => marks.has(schema);

/** Marks a schema of strings as the number of a recipient or a replier. Mark last: a changed schema has no mark. */
export const personNumber = <S extends z.ZodType>(schema: S): S => {
  marks.add(schema, { personal: 'number' });
  return schema;
};

/** Marks a schema of texts, lists or documents as one in which numbers of recipients or repliers can be. */
export const personText = <S extends z.ZodType>(schema: S): S => {
  marks.add(schema, { personal: 'text' });
  return schema;
};

/** Returns the mark of a field, also of an optional, nullable or default one; undefined for a field without. */
export const personalOf = (schema: z.ZodType): Personal | undefined => markOf(innerOf(schema, isMarked));

/** Returns the mark of a schema, without looking inside optional, nullable and default ones for another one. */
export const markOf = (schema: z.ZodType): Personal | undefined =>
  marks.get(schema)?.personal ?? (kindOf(schema) === 'msisdn' ? 'number' : undefined);
