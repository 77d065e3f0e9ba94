import type { Context } from './context.ts';
import { fieldError } from './errors.ts';

/** Throws a 422 on `field` where the caller may not read texts: they would be sent where the caller reads them after all. */
export function requireReader({ caller }: Pick<Context, 'caller'>, field: string): void {
  if (!caller.content_visible) throw fieldError(field, 'texts_hidden');
}
