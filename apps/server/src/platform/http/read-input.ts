import { findUnstorable } from '@heliograph/contract/kernel/storable';
import type { z } from 'zod';
import { fieldError, schemaError } from '../errors.ts';

/**
 * Parses the input of a call by its schema: bodies, queries and parameters of all calls pass here. Throws
 * `validation_failed`, also if a text in it cannot be stored. Texts of the field `judgedLater` are left to the handler,
 * which refuses its entries one by one. Fields that are `fixed` are refused because they cannot be changed.
 */
export function readInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  { judgedLater, fixed }: { judgedLater?: string | undefined; fixed?: readonly string[] } = {},
): z.output<S> {
  const unstorable = findUnstorable(judgedLater === undefined ? value : { ...(value as object), [judgedLater]: null });
  if (unstorable !== undefined) throw fieldError(unstorable || 'body', 'unstorable');
  // Sentences depend on the value: only a missing field is called required.
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) throw schemaError(parsed.error.issues, fixed);
  return parsed.data;
}
