import { z } from 'zod';
import { messageRow } from '../campaigns/message.ts';
import { day, id, idText, instant, money } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { removal } from '../kernel/removal.ts';
import { reportCosts } from '../kernel/report-costs.ts';
import { oneReply } from '../kernel/resource.ts';
import { MESSAGE_CLASSES, MESSAGE_STATES } from '../kernel/states.ts';
import { messageCheck } from './message-check.ts';

/** Period of a report: at most one month, within the last 12 months. */
const period = { from: day, to: day };

const filters = z.object({
  ...period,
  corporation_id: z.coerce.number().int().optional(),
  campaign_id: z.coerce.number().int().optional(),
  /** Link of the messages; for the administration. */
  link_id: z.coerce.number().int().optional(),
  /** Network of the numbers, by lookup or prefix at the time of each message; for the administration. */
  network_id: z.coerce.number().int().optional(),
  sender_id: z.string().trim().max(20).optional(),
  number: z.string().trim().max(20).optional(),
  state: z.enum(MESSAGE_STATES).optional(),
});

/** Lists campaign transactions: every message of the period, newest first. */
export const transactions = operation({
  method: 'GET',
  path: '/api/v1/transactions',
  permission: 'transactions-index',
  query: cursorQuery.extend(filters.shape),
  reply: cursorReply(messageRow),
});

/** An entry of the bell: a file that is being made or is ready. */
export const downloadRow = z.object({
  id,
  /** Name of the file. */
  download_file: z.string(),
  state: z.enum(['queued', 'running', 'done', 'failed']),
  rows: z.int(),
  size: z.int().nullable(),
  /** Time of the download; null while the file is unread. */
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
    network_id: z.int().optional(),
    costs: reportCosts,
    format: z.enum(FILE_FORMATS).default('csv'),
  }),
  reply: oneReply(downloadRow),
  status: 202,
});

/** Returns a message, its segments with the carrier's answers, and every receipt. */
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
          /** Name of the link; null for tenants, like every name and id of a carrier. */
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
       * PDUs sent to the carrier and received from it, field by field (SMPP 3.4), for the administration. Texts are
       * shown only to people who may read them. `kept`: from the original bytes. `recorded`: from the recorded answer.
       * `rebuilt`: as the link's present settings write it.
       */
      pdus: z.array(
        z.object({
          at: instant,
          source: z.enum(['kept', 'recorded', 'rebuilt']),
          /** Command; empty if the PDU could not be read. */
          command: z.string(),
          fields: z.array(z.object({ name: z.string(), value: personText(z.string()) })),
        }),
      ),
      /** Checks before sending, in their order, by the rules and decisions of the message's time. */
      rules: z.array(messageCheck),
      /** Network of the number at the time of the message, and whether a lookup said so; null if none is known. */
      network: z.object({ label: z.string(), ported: z.boolean() }).nullable(),
      /** Carrier route that chose the link; null if none is recorded, and for tenants. */
      route: z.object({ id, name: z.string() }).nullable(),
      class: z.enum(MESSAGE_CLASSES),
      /** Removals of the text and of the number's last four digits, with their reasons; null for what is complete. */
      removed: z.object({ text: removal.nullable(), number: removal.nullable() }),
      /** Parts sent again because no answer came; only for class otp. */
      resends: z.array(z.object({ part: z.int(), link_name: z.string().nullable(), resent_at: instant })),
      /** Later report of the carrier that contradicts the final state, which does not change; null if there is none. */
      correction: z
        .object({
          state: z.enum(MESSAGE_STATES),
          error_code: z.string().nullable(),
          /** Amount charged; below 0 it was given back. */
          amount: money({ signed: true }),
          corrected_at: instant,
        })
        .nullable(),
    }),
  ),
  errors: ['not_found'],
});
