import { z } from 'zod';
import { id } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';

/** Field of contacts whose key a stored text uses. The id stays when a person renames the key later. */
export const keptField = z.object({ id, key: z.string() });

/** Fields of contacts that a stored content keeps. */
export const keptFields = z.object({
  contact_fields: z.array(keptField).default([]),
  /** Field whose value chooses the text; one of `contact_fields`. Null if the content has one text. */
  language_field_id: id.nullable().default(null),
});

/** Maximum numbers of one call. */
const MOST_NUMBERS = 20;

/**
 * Returns the values of some recipients' contacts as texts show them, to preview a message. A number without a contact,
 * and one that is not valid, has no values.
 */
export const contactValues = operation({
  method: 'POST',
  path: '/api/v1/campaigns/contact-values',
  permission: 'campaigns-create',
  body: z.object({ sender_id: id, numbers: z.array(z.string().max(40)).max(MOST_NUMBERS) }),
  /** One entry for each number, in their order: values by the keys of fields. */
  reply: z.object({ data: z.array(personText(z.record(z.string(), z.string()))) }),
  errors: ['sender_not_allowed', 'billing_account_missing'],
});
