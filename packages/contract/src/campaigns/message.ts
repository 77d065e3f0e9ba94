import { z } from 'zod';
import { id, idText, instant, money, msisdn } from '../kernel/fields.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { MESSAGE_STATES } from '../kernel/states.ts';

/** A message as reports show it. */
export const messageRow = z.object({
  id,
  created_at: instant,
  campaign_id: z.int().nullable(),
  campaign_name: z.string().nullable(),
  corporation_name: z.string(),
  user_name: z.string().nullable(),
  sender_id: z.string(),
  number: msisdn,
  /** True if the number has lost its last four digits, by a rule or an erasure. */
  number_cut: z.boolean(),
  name: personText(z.string()).nullable(),
  /** Text; null if the caller may not read texts. */
  text: personText(z.string()).nullable(),
  encoding: z.enum(['gsm', 'ucs2']),
  parts: z.int(),
  state: z.enum(MESSAGE_STATES),
  error_code: z.string().nullable(),
  charge: money(),
  currency: z.string(),
  done_at: instant.nullable(),
});

/** Lists the messages of a campaign. */
export const campaignMessages = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id/messages',
  permission: 'campaigns-show',
  params: z.object({ id: idText }),
  query: cursorQuery.extend({ state: z.enum(MESSAGE_STATES).optional(), search: z.string().trim().max(40).optional() }),
  reply: cursorReply(messageRow),
  errors: ['not_found'],
});
