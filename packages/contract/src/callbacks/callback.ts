import { z } from 'zod';
import { EVENT_TYPES } from '../kernel/events.ts';
import { id, idText, instant, reference, text, url } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';

/**
 * Where an endpoint comes from: made by a person; the address of a corporation or a department; or the addresses that
 * single messages name.
 */
export const ENDPOINT_KINDS = ['own', 'corporation', 'department', 'message'] as const;

const input = z.object({
  corporation_id: reference('corporations'),
  /** Empty for events of the whole corporation. */
  department_id: reference('departments').nullable(),
  url: url.refine((text) => !/^[a-z]+:\/\/[^/?#]*@/i.test(text), { error: 'url_credentials' }),
  /** None for all. */
  types: z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length),
  description: text(200).nullable(),
  enabled: z.boolean(),
});

/** Where a corporation's programs are told what happened. */
export const callback = resource({
  name: 'callbacks',
  row: input.extend({
    url: z.string().nullable(),
    corporation_name: z.string(),
    department_name: z.string().nullable(),
    kind: z.enum(ENDPOINT_KINDS),
    /** Null: it is not paused. */
    paused_at: instant.nullable(),
    pause_reason: z.enum(['failing', 'gone']).nullable(),
    /** Nothing has arrived since; null where the last call did. */
    failing_since: instant.nullable(),
    /** When the secret was made that signs now; null where none was shown yet. */
    secret_since: instant.nullable(),
    /** Until when the secret before it signs as well; null where none does. */
    old_secret_until: instant.nullable(),
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

/** Makes a secret, shown in this answer alone. The one before it goes on signing for so many hours. */
export const rotateCallbackSecret = operation({
  method: 'POST',
  path: '/api/v1/callbacks/:id/rotate',
  permission: 'callbacks-edit',
  params: idParams,
  body: z.object({ overlap_hours: z.int().min(0).max(168).default(24) }),
  reply: oneReply(z.object({ id, secret: z.string(), old_secret_until: instant.nullable() })),
  errors: ['not_found'],
});

/** Goes on with an endpoint that was paused; what waits for it is sent. */
export const resumeCallback = operation({
  method: 'POST',
  path: '/api/v1/callbacks/:id/resume',
  permission: 'callbacks-edit',
  params: idParams,
  reply: oneReply(z.object({ id })),
  errors: ['not_found'],
});

const attempt = z.object({
  at: instant,
  /** Of HTTP; null where nobody answered. */
  status: z.int().nullable(),
  /** Why it failed, as `route_fault.<fault>`; null where it did not. */
  fault: z.string().nullable(),
  ms: z.int(),
  /** How the answer begins. */
  answer: z.string(),
});

/** Sends a sample event and waits for the answer; null where none came in time. */
export const testCallback = operation({
  method: 'POST',
  path: '/api/v1/callbacks/:id/test',
  permission: 'callbacks-edit',
  params: idParams,
  body: z.object({ type: z.enum(EVENT_TYPES).default('message.delivered') }),
  reply: oneReply(z.object({ id, body: z.string(), attempt: attempt.nullable() })),
  errors: ['not_found'],
});

const STATES = ['waiting', 'done', 'failed'] as const;
const call = z.object({
  id,
  callback_endpoint_id: id,
  url: z.string().nullable(),
  /** The `webhook-id`: the same at every try and after a replay. */
  webhook_id: z.string(),
  type: z.enum(EVENT_TYPES),
  test: z.boolean(),
  /** The message it is about. */
  message_id: z.int().nullable(),
  /** What is sent; null where it holds a text and the caller may not read texts. */
  body: z.string().nullable(),
  state: z.enum(STATES),
  tries: z.int(),
  next_at: instant,
  created_at: instant,
  done_at: instant.nullable(),
  /** The newest last. */
  attempts: z.array(attempt),
});

/** What an endpoint was told, or still is to be, the newest first. `search` is a number of a message or of an event. */
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

/** What programs were told of one message. */
export const messageCallbacks = operation({
  method: 'GET',
  path: '/api/v1/messages/:id/callbacks',
  permission: 'callbacks-show',
  params: idParams,
  reply: z.object({ data: z.array(call) }),
  errors: ['not_found'],
});

/** Sends one callback once more, at once. */
export const replayCallback = operation({
  method: 'POST',
  path: '/api/v1/callback-log/:id/replay',
  permission: 'callbacks-edit',
  params: idParams,
  reply: oneReply(z.object({ id })),
  status: 202,
  errors: ['not_found'],
});

/** Sends what an endpoint was to be told in a time once more: at most 50,000, the oldest first. */
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
