import { z } from 'zod';
import { messageRow } from '../campaigns/campaign.ts';
import { id, idText, instant, money } from '../kernel/fields.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { MESSAGE_STATES } from '../kernel/states.ts';

/** A report covers at most one month, any date within the last 12 months. */
const period = { from: z.iso.date(), to: z.iso.date() };

const filters = z.object({
  ...period,
  corporation_id: z.coerce.number().int().optional(),
  campaign_id: z.coerce.number().int().optional(),
  sender_id: z.string().trim().max(20).optional(),
  number: z.string().trim().max(20).optional(),
  state: z.enum(MESSAGE_STATES).optional(),
});

/** Campaign transactions: every message of the period, newest first. */
export const transactions = operation({
  method: 'GET',
  path: '/api/v1/transactions',
  permission: 'transactions-index',
  query: cursorQuery.extend(filters.shape),
  reply: cursorReply(messageRow),
});

/** One entry of the bell: a file being made, or made. */
export const downloadRow = z.object({
  id,
  /** Name of the file. */
  download_file: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  rows: z.int(),
  size: z.int().nullable(),
  /** Empty means unread. */
  downloaded_at: instant.nullable(),
  created_at: instant,
});

/** Writes the selection to a CSV in the background; it arrives in the bell. */
export const exportTransactions = operation({
  method: 'POST',
  path: '/api/v1/transactions/exports',
  permission: 'transactions-download',
  body: filters.extend({
    corporation_id: z.int().optional(),
    campaign_id: z.int().optional(),
  }),
  reply: oneReply(downloadRow),
  status: 202,
});

/** The message itself, its segments as the carrier answered them, and every receipt. */
export const getMessage = operation({
  method: 'GET',
  path: '/api/v1/messages/:id',
  permission: 'transactions-index',
  params: z.object({ id: idText }),
  reply: oneReply(
    messageRow.extend({
      segments: z.array(
        z.object({
          part: z.int(),
          link_name: z.string(),
          carrier_id: z.string().nullable(),
          command_status: z.int(),
          answered_at: instant,
        }),
      ),
      receipts: z.array(
        z.object({
          part: z.int(),
          carrier_id: z.string(),
          state: z.string(),
          error: z.string().nullable(),
          received_at: instant,
        }),
      ),
      /** One-time codes alone: parts that were sent once more, since no answer had come. */
      resends: z.array(z.object({ part: z.int(), link_name: z.string(), resent_at: instant })),
      /** What the carrier reported against the final state, which stays; null where it did not. */
      correction: z
        .object({
          state: z.enum(MESSAGE_STATES),
          error_code: z.string().nullable(),
          /** Charged; given back where it is less than 0. */
          amount: money({ signed: true }),
          corrected_at: instant,
        })
        .nullable(),
    }),
  ),
  errors: ['not_found'],
});
