import { findUnstorable } from '@heliograph/contract/kernel/storable';
import type { z } from 'zod';
import { fieldError, schemaError } from './errors.ts';

/**
 * What somebody sent, parsed by its schema: the one door for bodies, queries and parameters of all calls. Throws
 * `validation_failed`, also where a text in it cannot be stored. The texts of the field `judgedLater` are left to the
 * handler, which refuses its entries one by one; fields that are `fixed` are refused as what cannot be changed.
 */
export function readInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { judgedLater, fixed }: { judgedLater?: string | undefined; fixed?: readonly string[] } = {},
): z.output<S> {
  const unstorable = findUnstorable(judgedLater === undefined ? value : { ...(value as object), [judgedLater]: null });
  if (unstorable !== undefined) throw fieldError(unstorable || 'body', 'unstorable');
  // Sentences depend on the value: only what was left out is required.
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw schemaError(parsed.error.issues, fixed);
  return parsed.data;
}
