import type { Caller } from './context.ts';

/**
 * The corporations that a statement of this caller names by itself; null for the platform's own people, who see all. Row
 * level security says the same once more, and more closely: this is the wall in front of it, which an index can serve.
 */
export const corporationsOf = (caller: Pick<Caller, 'scope_level' | 'corporations'>): readonly number[] | null =>
  caller.scope_level < 2 ? null : caller.corporations;
