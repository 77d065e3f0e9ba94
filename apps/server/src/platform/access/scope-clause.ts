import type { Caller } from '../context.ts';

/**
 * Answers the corporations to which this caller's statements are limited; null for the platform's own people, who see
 * all. Row level security checks the same again, and more closely. This condition comes first, because an index can
 * serve it.
 */
export const corporationsOf = (caller: Pick<Caller, 'scope_level' | 'corporations'>): readonly number[] | null =>
  caller.scope_level < 2 ? null : caller.corporations;
