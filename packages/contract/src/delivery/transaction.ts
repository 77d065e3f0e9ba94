import { z } from 'zod';
import { messageRow } from '../campaigns/campaign.ts';
import { day, id, idText, instant, money } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { MESSAGE_STATES } from '../kernel/states.ts';

/** A report covers at most one month, any date within the last 12 months. */
const period = { from: day, to: day };

const filters = z.object({
  ...period,
  corporation_id: z.coerce.number().int().optional(),
  campaign_id: z.coerce.number().int().optional(),
  /** By which the messages leave; for the administration. */
  link_id: z.coerce.number().int().optional(),
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

/** Writes the selection to a file in the background; it arrives in the bell. */
export const exportTransactions = operation({
  method: 'POST',
  path: '/api/v1/transactions/exports',
  permission: 'transactions-download',
  body: filters.extend({
    corporation_id: z.int().optional(),
    campaign_id: z.int().optional(),
    link_id: z.int().optional(),
    format: z.enum(FILE_FORMATS).default('csv'),
  }),
  reply: oneReply(downloadRow),
  status: 202,
});

/** What may stop a message: the customer's list, words that are not sent, and the person's own word. */
const MESSAGE_RULES = ['blacklist', 'blocked_text', 'opt_out'] as const;

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
          /** Null for tenants, as every name and id of a carrier is. */
          link_name: z.string().nullable(),
          carrier_id: z.string().nullable(),
          command_status: z.int(),
          answered_at: instant,
        }),
      ),
      receipts: z.array(
        z.object({
          part: z.int(),
          carrier_id: z.string().nullable(),
          state: z.string(),
          error: z.string().nullable(),
          received_at: instant,
        }),
      ),
      /**
       * What went to the carrier and came from it, field by field (SMPP 3.4), for the administration; texts only where they
       * may be read. `kept`: the octets as they came. `recorded`: what is recorded of an answer. `rebuilt`: as the link's
       * settings of now write it.
       */
      pdus: z.array(
        z.object({
          at: instant,
          source: z.enum(['kept', 'recorded', 'rebuilt']),
          /** Empty where it could not be read. */
          command: z.string(),
          fields: z.array(z.object({ name: z.string(), value: z.string() })),
        }),
      ),
      /** What was asked before it was sent, in its order. `waiting`: it is asked when the message leaves. */
      rules: z.array(
        z.object({ rule: z.enum(MESSAGE_RULES), result: z.enum(['passed', 'stopped', 'skipped', 'waiting']) }),
      ),
      /** By which carrier route it found its link; null where none is remembered, and for tenants. */
      route: z.object({ id, name: z.string() }).nullable(),
      class: z.enum(['otp', 'transactional', 'bulk']),
      /** One-time codes alone: parts that were sent once more, since no answer had come. */
      resends: z.array(z.object({ part: z.int(), link_name: z.string().nullable(), resent_at: instant })),
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
