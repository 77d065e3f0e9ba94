import { z } from 'zod';
import { id, label } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';

/** Kinds of records that the search finds, in the order of the answer. */
export const FOUND_KINDS = [
  'campaigns',
  'users',
  'corporations',
  'number-lists',
  'sender-ids',
  'message-templates',
  'articles',
] as const;

/**
 * Finds records by name, and articles by their words: at most `per_kind` of each kind that the caller may list, newest
 * first. Kinds without permission are left out.
 */
export const searchEverything = operation({
  method: 'GET',
  path: '/api/v1/search',
  permission: null,
  query: z.object({ search: label(100), per_kind: z.coerce.number().int().min(1).max(10).default(4) }),
  reply: z.object({
    data: z.array(
      z.object({
        kind: z.enum(FOUND_KINDS),
        id,
        name: z.string(),
        /** State of a campaign; null for other kinds. */
        state: z.string().nullable(),
      }),
    ),
  }),
});
