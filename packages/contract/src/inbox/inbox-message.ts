import { z } from 'zod';
import { ROUTE_ACTIONS } from '../inbound-routing/routing.ts';
import { day, id, instant } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { removal } from '../kernel/removal.ts';
import { abilities, doneReply, oneReply } from '../kernel/resource.ts';
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
  /** Conversation that the message belongs to. */
  conversation_id: id,
  corporation_id: id.nullable(),
  corporation_name: z.string().nullable(),
  /** Number of the phone. */
  oa: personNumber(z.string()),
  /** Text; null if the caller may not read texts. */
  message: personText(z.string()).nullable(),
  /** Removal of the text; null if it is there. */
  removed: removal.nullable(),
  /** True if the message is no text: then `message` has its octets in hex. */
  is_binary: z.boolean(),
  /** Number of received parts, and of all parts; fewer came if the rest did not arrive in time. */
  parts: z.int(),
  total: z.int(),
  campaign_id: id.nullable(),
  campaign: z.string().nullable(),
  /** Last answer. */
  reply_message: personText(z.string()).nullable(),
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

/** Ids of messages, at least one; those that the caller does not see are ignored. */
const ids = z.array(id).min(1, { error: 'number_selected' }).max(1_000);

/** Marks messages as read or important, or removes the mark. */
export const markInbox = operation({
  method: 'POST',
  path: '/api/v1/inbox/mark',
  permission: 'inbox-mark',
  body: z.object({ ids, read: z.boolean().optional(), important: z.boolean().optional() }),
  reply: doneReply.extend({ count: z.int() }),
});

export const deleteInbox = operation({
  method: 'POST',
  path: '/api/v1/inbox/delete',
  permission: 'inbox-delete',
  body: z.object({ ids }),
  reply: doneReply.extend({ count: z.int() }),
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
