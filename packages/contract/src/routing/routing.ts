import { z } from 'zod';
import { id, idText, instant, label, reference, url } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { countParts, MAX_PARTS } from '../kernel/segments.ts';

/** What becomes of a message: it is handed on to an address, or it comes to the inbox. */
const ROUTE_ACTIONS = ['inbox', 'url'] as const;
const METHODS = ['POST', 'GET'] as const;
/** How a POST carries what it tells. */
const BODY_FORMATS = ['form', 'json'] as const;

/** A text that is answered with; never longer than a message may be. */
const answer = z
  .string()
  .trim()
  .min(1)
  .max(1_530)
  .refine((text) => countParts(text).parts <= MAX_PARTS, { error: 'answer_length' })
  .nullable();

/** An address without a name and a password in it: those have fields of their own. */
const target = url.refine((text) => !/^[a-z]+:\/\/[^/?#]*@/i.test(text), { error: 'url_credentials' });

const input = z.object({
  corporation_id: reference('corporations'),
  /** The short code or long number that phones write to. */
  number: z
    .string()
    .trim()
    .regex(/^\d{3,15}$/, { error: 'short_code' }),
  /** The first word; empty for whatever no other routing of the number takes. */
  keyword: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .regex(/^[^\s\p{Cc}]*$/u, { error: 'single_word' })
    .nullable(),
  action: z.enum(ROUTE_ACTIONS),
  campaign_name: label(150).nullable(),
  /** What may stand behind the keyword; none for anything. */
  valid_replies: z.array(z.string().trim().min(1).max(160)).max(100),
  valid_reply_message: answer,
  invalid_reply_message: answer,
  /** The mask: the sender ID by which answers leave; empty for the number itself. */
  sender_id_id: reference('sender-ids').nullable(),
  /** Whose messages they are; empty for the whole corporation's. */
  user_id: reference('users').nullable(),
  url: target.nullable(),
  method: z.enum(METHODS),
  body_format: z.enum(BODY_FORMATS),
  username: label(100).nullable(),
  /** Whether the text that the address answers is sent to the phone. */
  reply_with_answer: z.boolean(),
  enabled: z.boolean(),
});
/** Goes in and never comes out. */
const password = z.string().max(200).nullable();

/** Inbound route rules: which message to a number goes where. */
export const routing = resource({
  name: 'routings',
  row: input.extend({
    corporation_name: z.string(),
    sender_id_name: z.string().nullable(),
    user_name: z.string().nullable(),
    password_set_at: instant.nullable(),
    /** Without effect: the platform gave the number to another corporation. */
    withheld: z.boolean(),
  }),
  create: input.extend({
    keyword: input.shape.keyword.default(null),
    campaign_name: input.shape.campaign_name.default(null),
    valid_replies: input.shape.valid_replies.default([]),
    valid_reply_message: answer.default(null),
    invalid_reply_message: answer.default(null),
    sender_id_id: input.shape.sender_id_id.default(null),
    user_id: input.shape.user_id.default(null),
    url: input.shape.url.default(null),
    method: input.shape.method.default('POST'),
    body_format: input.shape.body_format.default('form'),
    username: input.shape.username.default(null),
    password: password.default(null),
    reply_with_answer: z.boolean().default(false),
    enabled: z.boolean().default(true),
  }),
  update: input.omit({ corporation_id: true }).partial().extend({ password: password.optional() }),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    action: z.enum(ROUTE_ACTIONS).optional(),
    user_id: z.coerce.number().int().optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['number', 'keyword', 'corporation_name', 'created_at'],
  title: 'number',
  conflicts: { routing_number_keyword_key: 'routing_already_exists' },
  unshown: { password: 'password_set_at' },
  errors: ['number_already_given'],
});

/**
 * Why a routing does or does not take a text: `chosen`; `outdone` where a keyword goes before the catch-all or a keyword
 * before an alias; `opt_word` where the text is about opting out or in; switched off; `withheld` where the number was given
 * to another corporation; or another keyword.
 */
const verdict = z.enum(['chosen', 'outdone', 'opt_word', 'disabled', 'withheld', 'keyword']);

/** Tries a text out: the routings of a number, which one takes it and why, and what would be answered. */
export const explainRouting = operation({
  method: 'GET',
  path: '/api/v1/routings/explain',
  permission: 'routings-index',
  query: z.object({
    number: z.string().trim().min(1).max(40),
    text: z.string().max(1_530).default(''),
  }),
  reply: z.object({
    data: z.object({
      number: z.string(),
      /** The first word as it is compared; empty where there is none. */
      word: z.string(),
      /** Whether the text opts out or in, whatever the routings say. */
      opt: z.enum(['opt_out', 'opt_in']).nullable(),
      rules: z.array(
        routing.row
          .pick({ id: true, number: true, keyword: true, action: true, corporation_name: true })
          .extend({ verdict }),
      ),
      routing: z
        .object({ id, keyword: z.string().nullable(), action: z.enum(ROUTE_ACTIONS), url: z.string().nullable() })
        .nullable(),
      /** Whether a routing that the caller does not see takes the text: that of another corporation on a shared number. */
      elsewhere: z.boolean(),
      /** The word whose alias the first word is; null where it needs none. */
      alias_of: z.string().nullable(),
      /** Whether the reply is in the routing's list; null where there is no list. */
      valid: z.boolean().nullable(),
      /** What would be answered by itself; null for nothing. */
      answer: z.string().nullable(),
    }),
  }),
});

/** Messages that a routing handed on to its address, or still tries to, the newest first. */
export const routingCalls = listing({
  path: '/api/v1/routings/:id/calls',
  permission: 'routings-show',
  params: z.object({ id: idText }),
  row: z.object({
    id,
    inbox_message_id: id,
    oa: z.string(),
    /** Null where the caller may not read texts. */
    message: z.string().nullable(),
    state: z.enum(['waiting', 'done', 'failed']),
    tries: z.int(),
    next_at: instant.nullable(),
    created_at: instant,
    done_at: instant.nullable(),
    attempts: z.array(
      z.object({
        id,
        created_at: instant,
        status: z.int().nullable(),
        /** Why it failed, as `route_fault.<fault>`; null where it did not. */
        fault: z.string().nullable(),
        duration_ms: z.int(),
        answer: z.string().nullable(),
      }),
    ),
  }),
  filters: z.object({ state: z.enum(['waiting', 'done', 'failed']).optional() }),
  errors: ['not_found'],
});

/** Hands a message on once more, at once. */
export const replayRoutingCall = operation({
  method: 'POST',
  path: '/api/v1/routing-calls/:id/replay',
  permission: 'routings-edit',
  params: idParams,
  reply: oneReply(z.object({ id })),
  status: 202,
  errors: ['not_found'],
});
