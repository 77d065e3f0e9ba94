import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { personNumber } from '../kernel/personal.ts';
import { idParams } from '../kernel/resource.ts';

/** Rule that applied: its place from 1 and its line; null for none. */
const applied = z.object({ place: z.int().positive(), rule: z.string() }).nullable();

/** Shows how a link would write a number, a sender ID and a text. Sends nothing. */
export const tryRewriting = operation({
  method: 'POST',
  path: '/api/v1/links/:id/try',
  permission: 'links-show',
  params: idParams,
  body: z.object({
    number: z
      .string()
      .trim()
      .regex(/^\d{4,15}$/, { error: 'try_number' }),
    sender_id: z.string().trim().min(1).max(15),
    text: z.string().min(1).max(1530),
  }),
  reply: z.object({
    data: z.object({
      number: personNumber(z.string()),
      number_rule: applied,
      /** Name of the number's network; null if it is unknown. */
      network: z.string().nullable(),
      sender_id: z.string(),
      sender_rule: applied,
      text: z.string(),
      /** Parts of the text before, which stay the price. */
      parts: z.int().positive(),
      text_rules: z.array(z.object({ rule: z.string(), result: z.enum(['changed', 'unchanged', 'too_long']) })),
    }),
  }),
  errors: ['not_found'],
});
