import { z } from 'zod';
import { operation } from '../kernel/operation.ts';
import { idParams } from '../kernel/resource.ts';
import { ANSWER_MEANINGS, httpMapping } from './http-mapping.ts';
import { link } from './link.ts';

const addresses = z.object({ data: z.object({ receipts: z.string(), replies: z.string() }) });

/** Returns the addresses that the carrier of a link over HTTP calls with receipts and replies. */
export const callbackAddresses = operation({
  method: 'GET',
  path: '/api/v1/links/:id/callback-addresses',
  permission: link.permissions.edit,
  params: idParams,
  reply: addresses,
  errors: ['not_found'],
});

/** Replaces the secret part of these addresses; the present ones end. */
export const renewCallbackAddresses = operation({
  method: 'POST',
  path: '/api/v1/links/:id/callback-addresses',
  permission: link.permissions.edit,
  params: idParams,
  reply: addresses,
  errors: ['not_found'],
});

/** Documents that a mapping can be tried with. */
export const TRY_KINDS = ['answer', 'receipts', 'replies'] as const;

/** Shows the request that a mapping makes, with the password hidden, and what it reads in a pasted text. */
export const tryMapping = operation({
  method: 'POST',
  path: '/api/v1/links/try-mapping',
  permission: link.permissions.edit,
  body: z.object({
    http: httpMapping,
    receipt_words: z.array(z.string().max(60)).max(50).default([]),
    long_messages: z.enum(['payload', 'udh_8']).default('payload'),
    to: z
      .string()
      .trim()
      .regex(/^\d{4,15}$/, { error: 'msisdn' })
      .default('639170000001'),
    sender: z.string().trim().min(1).max(20).default('Sender'),
    text: z.string().min(1).max(1_600),
    kind: z.enum(TRY_KINDS).default('answer'),
    /** Status of a pasted answer. */
    status: z.int().min(100).max(599).default(200),
    /** Pasted body; '' tries only the request. */
    said: z.string().max(20_000).default(''),
  }),
  reply: z.object({
    data: z.object({
      requests: z.array(
        z.object({
          method: z.string(),
          url: z.string(),
          headers: z.array(z.object({ name: z.string(), value: z.string() })),
          body: z.string(),
        }),
      ),
      /** Meaning of the pasted answer; null for another kind, or without one. */
      answer: z.object({ means: z.enum(ANSWER_MEANINGS), id: z.string() }).nullable(),
      /** Values that were read in a pasted callback; null for another kind. `state` is the platform's word. */
      read: z.array(z.record(z.string(), z.string())).nullable(),
    }),
  }),
});
