import { z } from 'zod';
import { id, idText, instant, reference, text } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** States of a key: new texts are encrypted with the current one, a kept one still opens texts, a destroyed one is gone. */
export const TEXT_KEY_STATES = ['current', 'kept', 'destroyed'] as const;
export type TextKeyState = (typeof TEXT_KEY_STATES)[number];

/** Key with which the texts of a corporation's messages are encrypted. The key itself never leaves the server. */
export const textKey = z.object({
  id,
  corporation_id: reference('corporations'),
  corporation_name: z.string(),
  /** Number of the key within its corporation, from 1. */
  number: z.int(),
  state: z.enum(TEXT_KEY_STATES),
  created_at: instant,
  created_by_name: z.string().nullable(),
  destroyed_at: instant.nullable(),
  destroyed_by_name: z.string().nullable(),
  /** Reason of the destruction. */
  reason: z.string().nullable(),
});

const params = z.object({ id: idText });

/** Lists the keys, the newest first. */
export const textKeys = listing({
  path: '/api/v1/text-keys',
  permission: 'retention-rules-index',
  row: textKey,
  filters: z.object({ corporation_id: z.coerce.number().int().optional() }),
});

/** Makes a key for the new texts of a corporation: the first one begins their encryption, a further one replaces the current. */
export const createTextKey = operation({
  method: 'POST',
  path: '/api/v1/text-keys',
  permission: 'retention-rules-create',
  proof: 'always',
  body: z.object({ corporation_id: reference('corporations') }),
  reply: oneReply(textKey),
  status: 201,
});

/** Ends the encryption of new texts. Texts that are encrypted stay so, and can be read. */
export const stopTextKey = operation({
  method: 'POST',
  path: '/api/v1/text-keys/:id/stop',
  permission: 'retention-rules-edit',
  proof: 'always',
  params,
  reply: oneReply(textKey),
  errors: ['not_found', 'invalid_transition'],
});

/** Counts what a destroyed key would end: messages that have not left, and campaigns that are not written yet. */
export const textKeyUse = operation({
  method: 'GET',
  path: '/api/v1/text-keys/:id/use',
  permission: 'retention-rules-delete',
  params,
  reply: oneReply(z.object({ messages: z.int(), campaigns: z.int() })),
  errors: ['not_found'],
});

/**
 * Destroys a key: no text under it can be read again. Messages that have not left are not sent. If it was the current
 * one, another begins.
 */
export const destroyTextKey = operation({
  method: 'POST',
  path: '/api/v1/text-keys/:id/destroy',
  permission: 'retention-rules-delete',
  proof: 'always',
  params,
  body: z.object({ reason: text(300).min(3) }),
  reply: oneReply(textKey),
  errors: ['not_found', 'invalid_transition'],
});
