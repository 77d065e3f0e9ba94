import { z } from 'zod';
import { id } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply } from '../kernel/resource.ts';
import { contact } from './contact.ts';

/** Values that a merge can take from either contact: `name`, or the key of a field. */
const mergedValue = z.string().max(40);

/**
 * Merges another contact of the same corporation into this one, and deletes the other. This one keeps its number and its
 * values; empty ones are filled from the other, and so are those named in `take`. Tags are united. Messages, lists,
 * consents and opt-outs belong to numbers, and stay as they are.
 */
export const mergeContacts = operation({
  method: 'POST',
  path: '/api/v1/contacts/:id/merge',
  permission: contact.permissions.delete,
  params: idParams,
  body: z.object({ other_id: id, take: z.array(mergedValue).max(51).default([]) }),
  reply: oneReply(contact.row),
  errors: ['not_found'],
});
