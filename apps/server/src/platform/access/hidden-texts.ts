import type { Caller, Context } from '../context.ts';
import { fieldError } from '../errors.ts';

/**
 * Throws a 422 on `field` if the caller may not read texts or numbers: they would be sent to a place where the caller
 * can read them.
 */
export function requireReader(ctx: Pick<Context, 'caller'>, field: string): void {
  requireTexts(ctx, field);
  requireNumbers(ctx, field);
}

/** Throws a 422 on `field` if the caller may not read texts, which would be sent to a place where they can. */
export function requireTexts({ caller }: Pick<Context, 'caller'>, field: string): void {
  if (!caller.content_visible) throw fieldError(field, 'texts_hidden');
}

/** Throws a 422 on `field` if the caller may not read numbers, which would be sent to a place where they can. */
export function requireNumbers({ caller }: Pick<Context, 'caller'>, field: string): void {
  if (!caller.numbers_visible) throw fieldError(field, 'numbers_hidden');
}

/** Throws a 422 on `field` if a person reads what the caller may not: the caller could then act as that person. */
export function requireReaderLike(
  ctx: Pick<Context, 'caller'>,
  field: string,
  person: Pick<Caller, 'content_visible' | 'numbers_visible'>,
): void {
  if (person.content_visible) requireTexts(ctx, field);
  if (person.numbers_visible) requireNumbers(ctx, field);
}
