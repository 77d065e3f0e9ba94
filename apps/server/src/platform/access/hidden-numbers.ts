import { findMask, hasMask, isMask, maskReply } from '@heliograph/contract/kernel/masking';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { personalOf } from '@heliograph/contract/kernel/personal';
import { z } from 'zod';
import type { Caller } from '../context.ts';
import { BusinessError, fieldError } from '../errors.ts';

type Reader = Pick<Caller, 'numbers_visible'>;

/** Returns a value of a schema as a caller may see it: with the numbers of people masked if they lack the right. */
export const shownTo = <T>({ numbers_visible }: Reader, schema: z.ZodType, value: T): T =>
  numbers_visible ? value : maskReply(schema, value);

/**
 * Throws a 422 if a body has a masked number: it would replace the real one. A caller without the right sees them within
 * texts too.
 */
export function refuseMasks(body: unknown, reader?: Reader): void {
  const field = findMask(body, reader?.numbers_visible === false ? hasMask : isMask);
  if (field !== undefined) throw fieldError(field, 'number_masked');
}

/**
 * Throws a 422 if a caller without the right orders a list by a number: the place among known numbers would show the
 * hidden digits one by one.
 */
export function refuseOrderByNumber({ numbers_visible }: Reader, { reply }: Pick<Operation, 'reply'>, query: unknown) {
  const sort = (query as { sort?: unknown }).sort;
  if (numbers_visible || typeof sort !== 'string') return;
  const row = rowOf(reply);
  const field = row?.shape[sort.replace(/^-/, '')] as z.ZodType | undefined;
  if (field && personalOf(field)) throw fieldError('sort', 'sort_hidden');
}

/**
 * Returns whether a search may look inside texts and documents, where it would find parts of numbers: not for digits of
 * a caller without the right.
 */
export const mayTryNumbers = ({ numbers_visible }: Reader, search: string): boolean =>
  numbers_visible || !/\d.*\d.*\d/.test(search);

/** Returns whether a search may look inside the texts of messages. */
export const mayTryText = (caller: Reader & Pick<Caller, 'content_visible'>, search: string): boolean =>
  caller.content_visible && mayTryNumbers(caller, search);

/** Returns the pattern of LIKE for numbers with a beginning; only that number for a caller without the right. */
export const beginningOf = ({ numbers_visible }: Reader, digits: string): string =>
  numbers_visible ? `${digits}%` : digits;

/** Returns the record of a reply of the form `{ data }`, or of a row of its list. */
function rowOf(reply: z.ZodType): z.ZodObject | undefined {
  if (!(reply instanceof z.ZodObject)) return undefined;
  const data: unknown = reply.shape['data'];
  const row = data instanceof z.ZodArray ? data.element : data;
  return row instanceof z.ZodObject ? row : undefined;
}

/** Returns an error with the numbers masked that a stale save shows. */
export function hideConflict(caller: Reader | undefined, { reply }: Pick<Operation, 'reply'>, error: unknown): unknown {
  if (caller?.numbers_visible !== false || !(error instanceof BusinessError) || !error.conflict) return error;
  const row = rowOf(reply);
  if (!row) return error;
  const { etag, fields, current } = error.conflict;
  const side = (of: 'yours' | 'theirs') =>
    shownTo(caller, row, Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, each[of]])));
  const [yours, theirs] = [side('yours'), side('theirs')];
  const shown = Object.keys(fields).map((name) => [name, { yours: yours[name], theirs: theirs[name] }]);
  return new BusinessError(error.code, {
    conflict: { etag, fields: Object.fromEntries(shown), current: shownTo(caller, row, current) },
    cause: error,
  });
}
