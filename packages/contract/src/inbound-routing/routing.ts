import { z } from 'zod';
import { id, idText, instant, label, reference, url } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { countParts, MAX_PARTS } from '../kernel/segments.ts';

/** Actions for a message: it comes to the inbox, or it is sent on to an address. */
export const ROUTE_ACTIONS = ['inbox', 'url'] as const;
export type RouteAction = (typeof ROUTE_ACTIONS)[number];

/** Part of a routing that an action uses: the automatic answers, or the address. */
export const ACTION_USES = { inbox: 'answers', url: 'address' } as const satisfies Record<
  RouteAction,
  'answers' | 'address'
>;

const METHODS = ['POST', 'GET'] as const;
/** Body formats of a POST. */
const BODY_FORMATS = ['form', 'json'] as const;

/** Text of an answer; never longer than a message can be. */
const answer = z
  .string()
  .trim()
  .min(1)
  .max(1_530)
  .refine((text) => countParts(text).parts <= MAX_PARTS, { error: 'answer_length' })
  .nullable();

/** Address without user name and password: those have their own fields. */
const target = url.refine((text) => !/^[a-z]+:\/\/[^/?#]*@/i.test(text), { error: 'url_credentials' });

const input = z.object({
  corporation_id: reference('corporations'),
  /** Short code or long number that phones write to. */
  number: z
    .string()
    .trim()
    .regex(/^\d{3,15}$/, { error: 'short_code' }),
  /** First word; empty for all messages that no other routing of the number takes. */
  keyword: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .regex(/^[^\s\p{Cc}]*$/u, { error: 'single_word' })
    .nullable(),
  action: z.enum(ROUTE_ACTIONS),
  campaign_name: label(150).nullable(),
  /** Texts that may follow the keyword; empty for any text. */
  valid_replies: z.array(z.string().trim().min(1).max(160)).max(100),
  valid_reply_message: answer,
  invalid_reply_message: answer,
  /** Mask: the sender ID of answers; empty for the number itself. */
  sender_id_id: reference('sender-ids').nullable(),
  /** Owner of the messages; empty for the whole corporation. */
  user_id: reference('users').nullable(),
  url: target.nullable(),
  method: z.enum(METHODS),
  body_format: z.enum(BODY_FORMATS),
  username: label(100).nullable(),
  /** Whether the answer of the address is sent to the phone. */
  reply_with_answer: z.boolean(),
  enabled: z.boolean(),
});
/** Password for the address; no answer shows it. */
const password = z.string().max(200).nullable();

/** Rules of inbound routing: they decide where messages to a number go. */
export const routing = resource({
  name: 'routings',
  row: input.extend({
    corporation_name: z.string(),
    sender_id_name: z.string().nullable(),
    user_name: z.string().nullable(),
    password_set_at: instant.nullable(),
    /** True if the routing has no effect because the platform gave the number to another corporation. */
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
  groups: {
    match: ['corporation_id', 'number', 'keyword', 'enabled'],
    action: ['action', 'url', 'method', 'body_format', 'username', 'password', 'reply_with_answer', 'user_id'],
    answers: ['campaign_name', 'valid_replies', 'valid_reply_message', 'invalid_reply_message', 'sender_id_id'],
  },
  conflicts: { routing_number_keyword_key: 'routing_already_exists' },
  unshown: { password: 'password_set_at' },
  errors: ['number_already_given'],
});

/**
 * Verdict on a routing. `outdone`: a keyword goes before the catch-all, or before an alias. `opt_word`: the text opts
 * out or in. `disabled`: it is switched off. `withheld`: the number was given to another corporation. `keyword`: it has
 * another keyword.
 */
const verdict = z.enum(['chosen', 'outdone', 'opt_word', 'disabled', 'withheld', 'keyword']);

/** Tests a text: returns the routings of a number, the one that takes it and why, and the automatic answer. */
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
      /** First word in the form that is compared; empty if there is none. */
      word: z.string(),
      /** Opt-out or opt-in of the text, before any routing; null for neither. */
      opt: z.enum(['opt_out', 'opt_in']).nullable(),
      rules: z.array(
        routing.row
          .pick({ id: true, number: true, keyword: true, action: true, corporation_name: true })
          .extend({ verdict }),
      ),
      routing: z
        .object({ id, keyword: z.string().nullable(), action: z.enum(ROUTE_ACTIONS), url: z.string().nullable() })
        .nullable(),
      /**
       * Whether a routing that the caller does not see takes the text: one of another corporation on a shared number.
       */
      elsewhere: z.boolean(),
      /** Word that the first word is an alias of; null if it is not used as an alias. */
      alias_of: z.string().nullable(),
      /** Whether the reply is in the routing's list; null if there is no list. */
      valid: z.boolean().nullable(),
      /** Automatic answer; null for none. */
      answer: z.string().nullable(),
    }),
  }),
});

/** Lists messages that a routing sent on to its address, or still tries to, newest first. */
export const routingCalls = listing({
  path: '/api/v1/routings/:id/calls',
  permission: 'routings-show',
  params: z.object({ id: idText }),
  row: z.object({
    id,
    inbox_message_id: id,
    oa: personNumber(z.string()),
    /** Text; null if the caller may not read texts. */
    message: personText(z.string()).nullable(),
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
        /** Reason of the failure, as `route_fault.<fault>`; null if it succeeded. */
        fault: z.string().nullable(),
        duration_ms: z.int(),
        answer: personText(z.string()).nullable(),
      }),
    ),
  }),
  filters: z.object({ state: z.enum(['waiting', 'done', 'failed']).optional() }),
  errors: ['not_found'],
});

/** Sends a message on again immediately. */
export const replayRoutingCall = operation({
  method: 'POST',
  path: '/api/v1/routing-calls/:id/replay',
  permission: 'routings-edit',
  params: idParams,
  reply: oneReply(z.object({ id })),
  status: 202,
  errors: ['not_found'],
});
