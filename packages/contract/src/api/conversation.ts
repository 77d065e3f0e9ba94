import { z } from 'zod';
import { instant } from '../kernel/fields.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { idString } from './message.ts';

const conversation = z.object({
  id: idString,
  number: personNumber(
    z
      .string()
      .describe(
        'Number of the phone. Masked, such as `63917•••••67`, if the owner or the maker of the key may not see numbers.',
      ),
  ),
  to: z.string().describe('Short code, number or sender ID that the phone sent to last.'),
  open: z.boolean().describe('False after somebody closed it. A new message of the phone opens it again.'),
  unread: z.int().describe('Number of unread messages.'),
  assigned_to: idString.nullable().describe('User in charge.'),
  last_at: instant.describe('Time of the latest message, or of the latest answer by a person.'),
});

const params = z.object({ id: idString });

const page = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(80).optional().describe('`next_cursor` of the previous page.'),
});

export const listConversations = publicOperation({
  name: 'listConversations',
  method: 'GET',
  path: '/v1/conversations',
  scope: 'inbound:read',
  tag: 'Inbound',
  summary: 'List conversations with phones',
  description: 'One for each phone that wrote to you, the latest first. A test key gets an empty list.',
  query: page.extend({
    state: z.enum(['open', 'closed']).default('open'),
    number: z.string().trim().max(20).optional().describe('Number of a phone, in international form.'),
  }),
  reply: z.object({ data: z.array(conversation), next_cursor: z.string().nullable(), has_more: z.boolean() }),
  errors: ['cursor_invalid'],
});

export const getConversation = publicOperation({
  name: 'getConversation',
  method: 'GET',
  path: '/v1/conversations/:id',
  scope: 'inbound:read',
  tag: 'Inbound',
  summary: 'Get a conversation',
  description: 'The id of a conversation stays the same while the phone writes to you.',
  params,
  reply: conversation,
  errors: ['not_found'],
});

export const listConversationMessages = publicOperation({
  name: 'listConversationMessages',
  method: 'GET',
  path: '/v1/conversations/:id/messages',
  scope: 'inbound:read',
  tag: 'Inbound',
  summary: 'Read the messages of a conversation',
  description: 'In both directions, the latest first. Internal notes are not included.',
  params,
  query: page,
  reply: z.object({
    data: z.array(
      z.object({
        id: idString,
        direction: z.enum(['in', 'out']).describe('`in` from the phone, `out` to it.'),
        text: personText(z.string()).nullable().describe('Null if your user may not read texts.'),
        number: z.string().describe('Short code, number or sender ID on your side.'),
        binary: z.boolean().describe('The text is hexadecimal.'),
        status: z.string().nullable().describe('State of a message to the phone.'),
        at: instant,
      }),
    ),
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
  }),
  errors: ['not_found', 'cursor_invalid'],
});

export const updateConversation = publicOperation({
  name: 'updateConversation',
  method: 'PATCH',
  path: '/v1/conversations/:id',
  scope: 'inbound:write',
  tag: 'Inbound',
  summary: 'Assign, close or reopen a conversation',
  description: 'Closing it marks its messages as read. Fields that are absent stay as they are.',
  params,
  body: z.object({
    open: z.boolean().optional(),
    assigned_to: idString.nullable().optional().describe('User who may read the inbox; null for nobody.'),
  }),
  reply: conversation,
  errors: ['not_found', 'forbidden'],
  example: { open: false },
});
