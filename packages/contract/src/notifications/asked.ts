import { z } from 'zod';
import { id, instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';

/** Hours for which a request of support for consent waits. */
export const REQUEST_HOURS = 24;

/**
 * Lists what others ask of the caller, for the bell: consent to a support session, and the confirmation of an erasure or
 * of the removal of a second factor that another person asked for.
 */
export const askedOfMe = operation({
  method: 'GET',
  path: '/api/v1/asked-notify',
  permission: null,
  reply: z.array(
    z.object({
      kind: z.enum(['support', 'erasure', 'recovery']),
      id,
      /** Person whose console is to be seen or whose second factor is lost, or the corporation of an erasure; null for the whole platform. */
      name: z.string().nullable(),
      /** Person who asks; null if they are gone. */
      by: z.string().nullable(),
      at: instant,
      /** Screen on which the caller decides. */
      place: z.string(),
    }),
  ),
});
