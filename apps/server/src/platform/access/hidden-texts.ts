import type { Context } from '../context.ts';
import { fieldError } from '../errors.ts';

/**
 * Throws a 422 on `field` if the caller may not read texts: they would be sent to a place where the caller can read
 * them.
 */
export function requireReader({ caller }: Pick<Context, 'caller'>, field: string): void {
  if (!caller.content_visible) throw fieldError(field, 'texts_hidden');
}
