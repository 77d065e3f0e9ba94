import { z } from 'zod';
import { id, idText, instant, label, text } from '../kernel/fields.ts';
import { cursorQuery, cursorReply, listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { removal } from '../kernel/removal.ts';
import { abilities, doneReply, idParams, oneReply } from '../kernel/resource.ts';
import { MESSAGE_STATES } from '../kernel/states.ts';

/** Lists of the inbox. `mine` and `unassigned` are parts of `open`. */
export const CONVERSATION_VIEWS = ['open', 'mine', 'unassigned', 'closed'] as const;
export type ConversationView = (typeof CONVERSATION_VIEWS)[number];

/** Messages between one phone and one corporation, as far as the caller may see them. */
const row = z.object({
  id,
  corporation_id: id.nullable(),
  corporation_name: z.string().nullable(),
  /** Number of the phone. */
  oa: personNumber(z.string()),
  /** Name of the person in the number lists that the caller may see. */
  name: personText(z.string()).nullable(),
  /** Short code, number or sender ID that the phone wrote to last. */
  number: z.string(),
  /** Latest text of the phone, or the answer to it by one of our people; null if the caller may not read texts. */
  message: personText(z.string()).nullable(),
  /** Direction of that text: `in` from the phone, `out` to it. */
  direction: z.enum(['in', 'out']),
  is_binary: z.boolean(),
  unread: z.int(),
  important: z.boolean(),
  assigned_to: id.nullable(),
  assigned_to_name: z.string().nullable(),
  /** False after somebody closed the conversation. A new message of the phone opens it again. */
  open: z.boolean(),
  last_at: instant,
  abilities: abilities.extend({ reply: z.boolean() }),
});

/** Lists conversations, the one with the latest message first. */
export const conversations = listing({
  path: '/api/v1/conversations',
  permission: 'inbox-index',
  row,
  filters: z.object({
    view: z.enum(CONVERSATION_VIEWS).default('open'),
    /** Part of a text, beginning of a name's word, or beginning of the phone's number. */
    search: z.string().trim().max(100).optional(),
    /** Whole number of the phone. */
    oa: z.string().trim().max(20).optional(),
    corporation_id: z.coerce.number().int().optional(),
  }),
});

/** Largest count of conversations; a higher one is not counted. */
export const MOST_COUNTED = 1_000;

/** Counts the conversations of each list, up to 1,000, and all unread messages. */
export const conversationCounts = operation({
  method: 'GET',
  path: '/api/v1/conversations/counts',
  permission: 'inbox-index',
  reply: z.object({
    open: z.int(),
    mine: z.int(),
    unassigned: z.int(),
    closed: z.int(),
    unread: z.int(),
    /** True if some texts are encrypted: a search does not find what is in them. */
    encrypted: z.boolean(),
  }),
});

/** Opt-out of the person, with its proof. */
const optOutOfPerson = z.object({
  at: instant,
  source: z.enum(['message', 'person', 'import']),
  /** Text or reason by which it is proved; null if the caller may not read texts. */
  text: personText(z.string()).nullable(),
  /** Person of ours who entered or imported it. */
  by: z.string().nullable(),
});

const one = row.extend({
  /** Senders of ours to which the phone wrote, the last one first. An answer leaves from one of them. */
  senders: z.array(z.string()),
  /** Price of a part to this phone; null if nothing can be priced now. */
  price: z.string().nullable(),
  currency: z.string().nullable(),
  opted_out: optOutOfPerson.nullable(),
  /** Id of the last answer by one of our people, or null. */
  last_answer_id: id.nullable(),
  /** Version of assignment and state, for `If-Match`. */
  etag: z.string(),
});

export const getConversation = operation({
  method: 'GET',
  path: '/api/v1/conversations/:id',
  permission: 'inbox-index',
  params: idParams,
  reply: oneReply(one),
  errors: ['not_found'],
});

/** Kinds of entries: messages from and to the phone, notes of colleagues, and changes of the conversation. */
export const ENTRY_KINDS = ['in', 'out', 'note', 'assigned', 'closed', 'reopened'] as const;

const entry = z.object({
  kind: z.enum(ENTRY_KINDS),
  id,
  at: instant,
  /** Text of a message or note; null if it has none, or if the caller may not read texts. */
  text: personText(z.string()).nullable(),
  /** Removal of the text; null if it is there. */
  removed: removal.nullable(),
  /** Number or sender ID on our side; null for other entries. */
  by: z.string().nullable(),
  is_binary: z.boolean(),
  /** State of a message to the phone. */
  state: z.enum(MESSAGE_STATES).nullable(),
  campaign_id: id.nullable(),
  campaign: z.string().nullable(),
  /** Person who wrote, closed or assigned; null if it happened automatically. */
  user_name: z.string().nullable(),
  /** Person who has the conversation from then on; null for nobody. */
  assigned_to_name: z.string().nullable(),
  /** Result of a message from the phone, such as `opt_out`. */
  handled: z.string().nullable(),
  /** Reason why no automatic answer was sent: an error code. */
  reply_error: z.string().nullable(),
});

/** Lists the messages and notes of a conversation, newest first. */
export const conversationMessages = operation({
  method: 'GET',
  path: '/api/v1/conversations/:id/messages',
  permission: 'inbox-index',
  params: idParams,
  query: cursorQuery,
  reply: cursorReply(entry),
  errors: ['not_found'],
});

const FIELDS = ['param1', 'param2', 'param3', 'param4', 'param5', 'param6', 'param7', 'param8', 'param9'] as const;

/** Returns what is known about the person: lists, opt-outs, blocks and campaigns. Parts that the caller may not see are empty. */
export const conversationPerson = operation({
  method: 'GET',
  path: '/api/v1/conversations/:id/person',
  permission: 'inbox-index',
  params: idParams,
  reply: oneReply(
    z.object({
      lists: z.array(
        z.object({
          id,
          name: z.string(),
          person: personText(z.string()).nullable(),
          fields: z.array(z.object({ field: z.enum(FIELDS), value: personText(z.string()) })),
        }),
      ),
      /** Values of the person's contact by the keys of fields, as texts show them; empty without any. */
      contact: personText(z.record(z.string(), z.string())),
      /** Language of the contact, by which the text of a template is chosen; null if it is not known. */
      language: personText(z.string()).nullable(),
      /** Last opt-out of the person, and the moment at which it ended. */
      opt_out: optOutOfPerson.extend({ ended_at: instant.nullable() }).nullable(),
      /** Blocks of the number, with the sender that they apply to; null for all senders. */
      blocked: z.array(z.object({ sender: z.string().nullable(), channel: z.string() })),
      campaigns: z.array(z.object({ id, name: z.string(), at: instant, state: z.enum(MESSAGE_STATES) })),
    }),
  ),
  errors: ['not_found'],
});

/** Lists the possible assignees of a conversation: people of its corporation. */
export const conversationColleagues = operation({
  method: 'GET',
  path: '/api/v1/conversations/:id/colleagues',
  permission: 'inbox-mark',
  params: idParams,
  reply: z.object({ data: z.array(z.object({ id, name: label() })) }),
  errors: ['not_found'],
});

/** Assigns, closes or reopens a conversation. Closing it marks its messages as read. */
export const changeConversation = operation({
  method: 'PATCH',
  path: '/api/v1/conversations/:id',
  permission: 'inbox-mark',
  params: idParams,
  body: z.object({ assigned_to: id.nullable().optional(), open: z.boolean().optional() }),
  // A person who gives away a conversation that only they saw gets no record.
  reply: z.object({ data: one.nullable(), message: z.string().optional() }),
  errors: ['not_found', 'edit_conflict'],
});

/** Marks all messages of a conversation as read. */
export const readConversation = operation({
  method: 'POST',
  path: '/api/v1/conversations/:id/read',
  permission: 'inbox-mark',
  params: idParams,
  reply: doneReply.extend({ count: z.int() }),
  errors: ['not_found'],
});

/** Tells the other people who have the inbox that the caller writes a reply. Nothing is stored. */
export const typeReply = operation({
  method: 'POST',
  path: '/api/v1/conversations/:id/typing',
  permission: 'inbox-reply',
  params: idParams,
  reply: doneReply,
  errors: ['not_found'],
});

/** Answers the phone. The answer is priced and charged like any message. */
export const replyToConversation = operation({
  method: 'POST',
  path: '/api/v1/conversations/:id/replies',
  permission: 'inbox-reply',
  params: idParams,
  body: z.object({
    message: z.string().trim().min(1).max(1_530),
    /** One of the conversation's senders; the last one if it is absent. */
    sender: z.string().trim().max(20).optional(),
    /** Last answer that the person has read, or null for none. The call is refused if a colleague has answered since. */
    after: id.nullable().optional(),
  }),
  reply: z.object({ data: z.object({ message_id: id, parts: z.int(), cost: z.string(), currency: z.string() }) }),
  status: 201,
  errors: [
    'not_found',
    'answered_meanwhile',
    'sender_not_allowed',
    'template_required',
    'text_too_long',
    'insufficient_credit',
    'billing_account_suspended',
    'billing_account_held',
    'billing_account_missing',
    'reseller_account_unavailable',
    'price_plan_not_in_force',
    'no_route',
    'destination_unavailable',
    'sender_not_registered',
  ],
});

/** Adds a note that only colleagues see. It is never sent. */
export const noteConversation = operation({
  method: 'POST',
  path: '/api/v1/conversations/:id/notes',
  permission: 'inbox-mark',
  params: z.object({ id: idText }),
  body: z.object({ text: text(1_000).min(1) }),
  reply: oneReply(z.object({ id })),
  status: 201,
  errors: ['not_found'],
});
