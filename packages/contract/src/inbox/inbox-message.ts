import { z } from 'zod';
import { ROUTE_ACTIONS } from '../inbound-routing/routing.ts';
import { day, id, idText, instant, label, money } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { abilities, doneReply, oneReply } from '../kernel/resource.ts';
import { MESSAGE_STATES } from '../kernel/states.ts';
import { downloadRow } from '../reports/transaction.ts';

/**
 * Outcomes of a message from a phone. `inbox` and `url`: it came to the inbox, or was sent on to an address. `opt_out`
 * and `opt_in`: it opted the person out or in. `loop`: it came from one of our own numbers. `unrouted`: it was sent to
 * a number that belongs to nobody.
 */
const HANDLED = [...ROUTE_ACTIONS, 'opt_out', 'opt_in', 'loop', 'unrouted'] as const;
export type Handled = (typeof HANDLED)[number];

const inboxRow = z.object({
  id,
  corporation_id: id.nullable(),
  corporation_name: z.string().nullable(),
  /** Number of the phone. */
  oa: z.string(),
  /** Text; null if the caller may not read texts. */
  message: z.string().nullable(),
  /** True if the message is no text: then `message` has its octets in hex. */
  is_binary: z.boolean(),
  /** Number of received parts, and of all parts; fewer came if the rest did not arrive in time. */
  parts: z.int(),
  total: z.int(),
  campaign_id: id.nullable(),
  campaign: z.string().nullable(),
  /** Last answer. */
  reply_message: z.string().nullable(),
  replied_at: instant.nullable(),
  /** Person who answered; null if the answer was automatic. */
  replied_by_name: z.string().nullable(),
  /** Reason why the automatic answer was not sent: an error code. */
  reply_error: z.string().nullable(),
  /** Short code, number or sender ID that the phone wrote to. */
  number: z.string(),
  keyword: z.string().nullable(),
  handled: z.enum(HANDLED),
  /** Whether the reply was a valid one; null if there was no list of valid replies. */
  valid: z.boolean().nullable(),
  important: z.boolean(),
  read: z.boolean(),
  assigned_to: id.nullable(),
  assigned_to_name: z.string().nullable(),
  created_at: instant,
  abilities: abilities.extend({ reply: z.boolean() }),
});

const filters = z.object({
  /** Part of the text, or the beginning of the phone's number. */
  search: z.string().trim().max(100).optional(),
  oa: z.string().trim().max(20).optional(),
  number: z.string().trim().max(20).optional(),
  corporation_id: z.coerce.number().int().optional(),
  campaign_id: z.coerce.number().int().optional(),
  handled: z.enum(HANDLED).optional(),
  read: z.stringbool().optional(),
  important: z.stringbool().optional(),
  /** True for messages assigned to the caller. */
  mine: z.stringbool().optional(),
});

/** Lists messages from phones, newest first. */
export const inbox = listing({
  path: '/api/v1/inbox',
  permission: 'inbox-index',
  row: inboxRow,
  filters,
});

/** A message of a conversation. */
const said = z.object({
  /** Direction: `in` from the phone, `out` to it. */
  direction: z.enum(['in', 'out']),
  id,
  at: instant,
  /** Text; null if the caller may not read texts. */
  text: z.string().nullable(),
  /** Number or sender ID on our side. */
  by: z.string(),
  is_binary: z.boolean(),
  /** State of a message to the phone. */
  state: z.enum(MESSAGE_STATES).nullable(),
  campaign: z.string().nullable(),
});

/** Returns the conversation of a phone and a corporation around a message, oldest first. */
export const inboxThread = operation({
  method: 'GET',
  path: '/api/v1/inbox/:id/thread',
  permission: 'inbox-index',
  params: z.object({ id: idText }),
  reply: oneReply(
    z.object({
      message: inboxRow,
      /** Sender ID that an answer would use. */
      sender: z.string(),
      opted_out: z.boolean(),
      /** Number of unread messages in the conversation. */
      unread: z.int(),
      said: z.array(said),
      /** Whether the conversation has more messages than are shown. */
      has_more: z.boolean(),
    }),
  ),
  errors: ['not_found'],
});

/** Answers a phone from the sender that it wrote to. The answer is priced and charged like any message. */
export const replyToInbox = operation({
  method: 'POST',
  path: '/api/v1/inbox/:id/reply',
  permission: 'inbox-reply',
  params: z.object({ id: idText }),
  body: z.object({ message: z.string().trim().min(1).max(1_530) }),
  reply: z.object({
    data: z.object({ message: inboxRow, message_id: id, parts: z.int(), cost: money(), currency: z.string() }),
  }),
  status: 201,
  errors: [
    'not_found',
    'text_too_long',
    'insufficient_credit',
    'billing_account_suspended',
    'billing_account_missing',
    'reseller_account_unavailable',
    'price_plan_not_in_force',
    'no_route',
  ],
});

/** Ids of messages, at least one; those that the caller does not see are ignored. */
const ids = z.array(id).min(1, { error: 'number_selected' }).max(1_000);

/**
 * Marks messages as read or important, or removes the mark. With `conversation`, marks all messages that their phones
 * sent to the same corporation.
 */
export const markInbox = operation({
  method: 'POST',
  path: '/api/v1/inbox/mark',
  permission: 'inbox-mark',
  body: z.object({
    ids,
    conversation: z.boolean().default(false),
    read: z.boolean().optional(),
    important: z.boolean().optional(),
  }),
  reply: doneReply.extend({ count: z.int() }),
});

export const deleteInbox = operation({
  method: 'POST',
  path: '/api/v1/inbox/delete',
  permission: 'inbox-delete',
  body: z.object({ ids }),
  reply: doneReply.extend({ count: z.int() }),
});

/** Assigns messages to a colleague, or to nobody. */
export const assignInbox = operation({
  method: 'POST',
  path: '/api/v1/inbox/assign',
  permission: 'inbox-mark',
  body: z.object({ ids, assigned_to: id.nullable() }),
  reply: doneReply.extend({ count: z.int() }),
});

/** Lists the possible assignees of a message: people of its corporation. */
export const inboxColleagues = operation({
  method: 'GET',
  path: '/api/v1/inbox/:id/colleagues',
  permission: 'inbox-mark',
  params: z.object({ id: idText }),
  reply: z.object({ data: z.array(z.object({ id, name: label() })) }),
  errors: ['not_found'],
});

/** Writes messages of a period to a file in the background; it arrives in the bell. */
export const exportInbox = operation({
  method: 'POST',
  path: '/api/v1/inbox/exports',
  permission: 'inbox-download',
  body: z.object({ from: day, to: day, format: z.enum(FILE_FORMATS).default('csv') }),
  reply: oneReply(downloadRow),
  status: 202,
});
