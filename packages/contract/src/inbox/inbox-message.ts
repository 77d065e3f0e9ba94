import { z } from 'zod';
import { downloadRow } from '../delivery/transaction.ts';
import { day, id, idText, instant, label, money } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { abilities, doneReply, oneReply } from '../kernel/resource.ts';
import { MESSAGE_STATES } from '../kernel/states.ts';

/**
 * What became of a message from a phone: it came to the inbox, was handed on to an address, opted out or in, came from one
 * of our own numbers, or was to a number that is nobody's.
 */
const HANDLED = ['inbox', 'url', 'opt_out', 'opt_in', 'loop', 'unrouted'] as const;

const inboxRow = z.object({
  id,
  corporation_id: id.nullable(),
  corporation_name: z.string().nullable(),
  /** The phone. */
  oa: z.string(),
  /** Null where the caller may not read texts. */
  message: z.string().nullable(),
  /** What was understood as no text: `message` is its octets in hex. */
  is_binary: z.boolean(),
  /** Parts that came, and that there are; fewer where the rest did not come in time. */
  parts: z.int(),
  total: z.int(),
  campaign_id: id.nullable(),
  campaign: z.string().nullable(),
  /** What was answered last. */
  reply_message: z.string().nullable(),
  replied_at: instant.nullable(),
  /** Null where the answer was automatic. */
  replied_by_name: z.string().nullable(),
  /** Why the automatic answer was not sent: a code of the error catalogue. */
  reply_error: z.string().nullable(),
  /** The short code, number or sender ID that the phone wrote to. */
  number: z.string(),
  keyword: z.string().nullable(),
  handled: z.enum(HANDLED),
  /** Whether the reply was a valid one; null where nobody asked. */
  valid: z.boolean().nullable(),
  important: z.boolean(),
  read: z.boolean(),
  assigned_to: id.nullable(),
  assigned_to_name: z.string().nullable(),
  created_at: instant,
  abilities: abilities.extend({ reply: z.boolean() }),
});

const filters = z.object({
  /** Part of the text, or what the phone's number begins with. */
  search: z.string().trim().max(100).optional(),
  oa: z.string().trim().max(20).optional(),
  number: z.string().trim().max(20).optional(),
  corporation_id: z.coerce.number().int().optional(),
  campaign_id: z.coerce.number().int().optional(),
  handled: z.enum(HANDLED).optional(),
  read: z.stringbool().optional(),
  important: z.stringbool().optional(),
  /** Those of the caller. */
  mine: z.stringbool().optional(),
});

/** Messages from phones, the newest first. */
export const inbox = listing({
  path: '/api/v1/inbox',
  permission: 'inbox-index',
  row: inboxRow,
  filters,
});

/** One side of a conversation. */
const said = z.object({
  /** `in`: from the phone; `out`: to it. */
  direction: z.enum(['in', 'out']),
  id,
  at: instant,
  /** Null where the caller may not read texts. */
  text: z.string().nullable(),
  /** The number or sender ID on our side. */
  by: z.string(),
  is_binary: z.boolean(),
  /** Of a message to the phone. */
  state: z.enum(MESSAGE_STATES).nullable(),
  campaign: z.string().nullable(),
});

/** What a phone and a corporation said to each other around a message, the oldest first. */
export const inboxThread = operation({
  method: 'GET',
  path: '/api/v1/inbox/:id/thread',
  permission: 'inbox-index',
  params: z.object({ id: idText }),
  reply: oneReply(
    z.object({
      message: inboxRow,
      /** By which sender ID an answer would leave. */
      sender: z.string(),
      opted_out: z.boolean(),
      /** Messages of the conversation that nobody has read. */
      unread: z.int(),
      said: z.array(said),
      /** Whether there is more than is shown. */
      has_more: z.boolean(),
    }),
  ),
  errors: ['not_found'],
});

/** Answers a phone, by the sender that it wrote to; priced, and charged like any message. */
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

/** At least one; those that the caller does not see are left alone. */
const ids = z.array(id).min(1, { error: 'number_selected' }).max(1_000);

/** Marks messages read or important, or takes that away; with `conversation` all that their phones sent to the same corporation. */
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

/** Gives messages to a colleague, or back to everybody. */
export const assignInbox = operation({
  method: 'POST',
  path: '/api/v1/inbox/assign',
  permission: 'inbox-mark',
  body: z.object({ ids, assigned_to: id.nullable() }),
  reply: doneReply.extend({ count: z.int() }),
});

/** Whom a message may be given to: people of its corporation. */
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
