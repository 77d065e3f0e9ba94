import { z } from 'zod';
import { EVENT_TYPES } from '../kernel/events.ts';
import { id, idText, instant, reference, text, url } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';

/**
 * Origin of an endpoint: made by a person; the address of a corporation or a department; or the addresses that single
 * messages name.
 */
export const ENDPOINT_KINDS = ['own', 'corporation', 'department', 'message'] as const;

const input = z.object({
  corporation_id: reference('corporations'),
  /** Department of the events; empty for the whole corporation. */
  department_id: reference('departments').nullable(),
  url: url.refine((text) => !/^[a-z]+:\/\/[^/?#]*@/i.test(text), { error: 'url_credentials' }),
  /** Types of events that are sent; empty for all. */
  types: z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length),
  description: text(200).nullable(),
  enabled: z.boolean(),
});

/** Endpoint at which a corporation's programs receive events. */
export const callback = resource({
  name: 'callbacks',
  row: input.extend({
    url: z.string().nullable(),
    corporation_name: z.string(),
    department_name: z.string().nullable(),
    kind: z.enum(ENDPOINT_KINDS),
    /** Time at which the endpoint was paused; null if it is not paused. */
    paused_at: instant.nullable(),
    pause_reason: z.enum(['failing', 'gone']).nullable(),
    /** Time since which no call has arrived; null if the last call arrived. */
    failing_since: instant.nullable(),
    /** Time at which the present secret was made; null if none was shown yet. */
    secret_since: instant.nullable(),
    /** Time until which the previous secret also signs; null if none does. */
    old_secret_until: instant.nullable(),
    /** Name of the key whose program added the endpoint; null if a person did. */
    key_name: z.string().nullable(),
    /** Whether that key has ended or was revoked, so that nothing is sent. */
    key_ended: z.boolean(),
    /** Whether a test key added it, so that it gets only events of tests. */
    for_tests: z.boolean(),
  }),
  create: input.extend({
    department_id: input.shape.department_id.default(null),
    types: input.shape.types.default([]),
    description: input.shape.description.default(null),
    enabled: z.boolean().default(true),
  }),
  update: input.pick({ url: true, types: true, description: true, enabled: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    kind: z.enum(ENDPOINT_KINDS).optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['url', 'corporation_name', 'created_at'],
  title: 'url',
  conflicts: { callback_endpoint_url_key: 'callback_already_exists' },
  errors: ['callback_of_elsewhere'],
});

/** Creates a secret, which only this answer shows. The previous one also signs for `overlap_hours`. */
export const rotateCallbackSecret = operation({
  method: 'POST',
  path: '/api/v1/callbacks/:id/rotate',
  permission: 'callbacks-edit',
  proof: 'always',
  params: idParams,
  body: z.object({ overlap_hours: z.int().min(0).max(168).default(24) }),
  reply: oneReply(z.object({ id, secret: z.string(), old_secret_until: instant.nullable() })),
  errors: ['not_found'],
});

/** Resumes a paused endpoint; waiting callbacks are sent. */
export const resumeCallback = operation({
  method: 'POST',
  path: '/api/v1/callbacks/:id/resume',
  permission: 'callbacks-edit',
  params: idParams,
  reply: oneReply(z.object({ id })),
  errors: ['not_found'],
});

/** Result of one try of a callback or of another delivery over HTTP. */
export const callbackAttempt = z.object({
  at: instant,
  /** HTTP status; null if there was no answer. */
  status: z.int().nullable(),
  /** Reason of the failure, as `route_fault.<fault>`; null if it succeeded. */
  fault: z.string().nullable(),
  ms: z.int(),
  /** Beginning of the answer. */
  answer: personText(z.string()),
});

/** Sends a sample event and waits for the answer; `attempt` is null if none came in time. */
export const testCallback = operation({
  method: 'POST',
  path: '/api/v1/callbacks/:id/test',
  permission: 'callbacks-edit',
  params: idParams,
  body: z.object({ type: z.enum(EVENT_TYPES).default('message.delivered') }),
  reply: oneReply(z.object({ id, body: personText(z.string()), attempt: callbackAttempt.nullable() })),
  errors: ['not_found'],
});

const STATES = ['waiting', 'done', 'failed'] as const;
const call = z.object({
  id,
  callback_endpoint_id: id,
  url: z.string().nullable(),
  /** `webhook-id` of the callback: the same at every try and after a replay. */
  webhook_id: z.string(),
  type: z.enum(EVENT_TYPES),
  test: z.boolean(),
  /** Message that the event is about. */
  message_id: z.int().nullable(),
  /** Body that is sent; null if it holds a text and the caller may not read texts. */
  body: personText(z.string()).nullable(),
  state: z.enum(STATES),
  tries: z.int(),
  next_at: instant,
  created_at: instant,
  done_at: instant.nullable(),
  /** Attempts, newest last. */
  attempts: z.array(callbackAttempt),
});

/** Lists callbacks of an endpoint, sent or waiting, newest first. `search` is the number of a message or an event. */
export const callbackLog = listing({
  path: '/api/v1/callbacks/:id/log',
  permission: 'callbacks-show',
  params: z.object({ id: idText }),
  row: call,
  filters: z.object({
    state: z.enum(STATES).optional(),
    type: z.enum(EVENT_TYPES).optional(),
    search: z.string().trim().max(40).optional(),
  }),
  errors: ['not_found'],
});

/** Lists the callbacks about one message. */
export const messageCallbacks = operation({
  method: 'GET',
  path: '/api/v1/messages/:id/callbacks',
  permission: 'callbacks-show',
  params: idParams,
  reply: z.object({ data: z.array(call) }),
  errors: ['not_found'],
});

/** Sends one callback again immediately. */
export const replayCallback = operation({
  method: 'POST',
  path: '/api/v1/callback-log/:id/replay',
  permission: 'callbacks-edit',
  params: idParams,
  reply: oneReply(z.object({ id })),
  status: 202,
  errors: ['not_found'],
});

/** Sends an endpoint's callbacks of a period again: at most 50,000, oldest first. */
export const replayCallbacks = operation({
  method: 'POST',
  path: '/api/v1/callbacks/:id/replay',
  permission: 'callbacks-edit',
  params: idParams,
  body: z.object({
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
    state: z.enum(['failed', 'done', 'all']).default('failed'),
  }),
  reply: oneReply(z.object({ replayed: z.int(), more: z.boolean() })),
  status: 202,
  errors: ['not_found'],
});
