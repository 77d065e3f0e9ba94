import { z } from 'zod';
import { callbackAttempt } from '../callbacks/callback.ts';
import { EVENT_TYPES } from '../kernel/events.ts';
import { id, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { personNumber, personText } from '../kernel/personal.ts';

/** Kinds of requests that leave over HTTP for customers, with the permission that shows them. */
export const DELIVERY_PERMISSIONS = { callback: 'callbacks-show', routing_call: 'routings-show' } as const;
const KINDS = ['callback', 'routing_call'] as const;
const STATES = ['waiting', 'done', 'failed'] as const;

/**
 * Lists deliveries over HTTP, sent or waiting, newest first: the kinds whose permission the caller has. `search` is the
 * number of a message or an event.
 */
export const httpDeliveries = listing({
  path: '/api/v1/http-deliveries',
  permission: null,
  row: z.object({
    id,
    kind: z.enum(KINDS),
    corporation_name: z.string(),
    callback_endpoint_id: id.nullable(),
    routing_id: id.nullable(),
    /** Address of a callback, or number and keyword of a routing. */
    target: z.string().nullable(),
    /** `webhook-id` of a callback: the same at every try and after a replay. */
    webhook_id: z.string().nullable(),
    /** Event of a callback. */
    type: z.enum(EVENT_TYPES).nullable(),
    test: z.boolean(),
    /** Number of the phone whose message a routing hands on. */
    oa: personNumber(z.string()).nullable(),
    /** Body of a callback, or text that a routing hands on; null if the caller may not read texts. */
    body: personText(z.string()).nullable(),
    state: z.enum(STATES),
    tries: z.int(),
    next_at: instant.nullable(),
    created_at: instant,
    done_at: instant.nullable(),
    /** Attempts, newest last. */
    attempts: z.array(callbackAttempt),
  }),
  filters: z.object({
    kind: z.enum(KINDS).optional(),
    state: z.enum(STATES).optional(),
    type: z.enum(EVENT_TYPES).optional(),
    callback_endpoint_id: z.coerce.number().int().optional(),
    routing_id: z.coerce.number().int().optional(),
    search: z.string().trim().max(40).optional(),
  }),
});
