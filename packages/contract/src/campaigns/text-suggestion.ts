import { z } from 'zod';
import { id } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** Wishes for a text that a language model can be asked for. */
export const TEXT_WISHES = ['shorter', 'plain_words', 'friendlier'] as const;

/**
 * Asks the operator's language model for another form of a text. The person decides about it; nothing is stored or
 * sent. `text` is null if the answer is no usable text: it lost a placeholder or a web address, or is too long.
 */
export const suggestText = operation({
  method: 'POST',
  path: '/api/v1/campaigns/text-suggestions',
  permission: 'campaigns-create',
  body: z.object({ sender_id: id, text: z.string().trim().min(1).max(1530), wish: z.enum(TEXT_WISHES) }),
  reply: oneReply(z.object({ text: z.string().nullable() })),
  errors: ['sender_not_allowed', 'billing_account_missing', 'not_found', 'unavailable', 'too_many_requests'],
});
