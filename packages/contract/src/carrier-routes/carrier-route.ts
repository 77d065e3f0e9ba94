import { z } from 'zod';
import { id, label, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { resource } from '../kernel/resource.ts';
import { MESSAGE_CLASSES } from '../kernel/states.ts';
import { senderAddress } from '../senders/sender-id.ts';

/** Class of a message; classes are in the order in which messages leave. */
const messageClass = z.enum(MESSAGE_CLASSES);

/** A link of a route. The lowest position goes first; links with the same position share messages by weight. */
const routeLink = z.object({
  link_id: id,
  position: z.int().min(1).max(100),
  weight: z.int().min(1).max(100),
});

const input = z.object({
  name: label(),
  /** Corporation that sends the messages; empty for all. */
  corporation_id: reference('corporations').nullable(),
  /** Reseller that sends the messages, or owns the corporation that does; never together with a corporation. */
  reseller_id: reference('corporations').nullable(),
  sender_id: senderAddress.nullable(),
  class: messageClass.nullable(),
  /** First digits of the number, with the country code; empty for every number. */
  prefix: z
    .string()
    .trim()
    .regex(/^\d{0,15}$/, { error: 'route_prefix' }),
  links: z
    .array(routeLink)
    .min(1)
    .max(20)
    .refine((links) => new Set(links.map(({ link_id }) => link_id)).size === links.length, { error: 'link_twice' }),
  enabled: z.boolean(),
});

/**
 * Route of messages to links. Of the routes that match, a corporation's own goes before its reseller's, and that before
 * a route for all. Next comes one that names the sender ID, then one that names the class, then the longest prefix.
 */
export const carrierRoute = resource({
  name: 'carrier-routes',
  row: input.extend({
    corporation_name: z.string().nullable(),
    reseller_name: z.string().nullable(),
    links: z.array(routeLink.extend({ link_name: z.string() })),
  }),
  create: input.extend({
    corporation_id: input.shape.corporation_id.default(null),
    reseller_id: input.shape.reseller_id.default(null),
    sender_id: input.shape.sender_id.default(null),
    class: input.shape.class.default(null),
    prefix: input.shape.prefix.default(''),
    enabled: z.boolean().default(true),
  }),
  update: input.partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    reseller_id: z.coerce.number().int().optional(),
    class: messageClass.optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'prefix', 'created_at'],
  title: 'name',
  conflicts: {
    carrier_route_name_key: 'carrier_route_already_exists',
    carrier_route_conditions_key: 'carrier_route_conditions_taken',
  },
});

/**
 * Health of a link. `connecting` and `down`: it has no bind. `throttled` and `failing`: its carrier answers so.
 * `unattended`: no sender holds it. `draining` and `disabled`: an operator set it.
 */
const linkHealth = z.enum(['up', 'connecting', 'down', 'throttled', 'failing', 'unattended', 'draining', 'disabled']);

const linkNow = z.object({
  link_id: id,
  link_name: z.string(),
  state: linkHealth,
  /** Start of the state; null if an operator set it. */
  since: z.iso.datetime({ offset: true }).nullable(),
});

/** Lists every link with its health and the messages that wait for it. */
export const carrierRouteLinks = operation({
  method: 'GET',
  path: '/api/v1/carrier-routes/links',
  permission: 'carrier-routes-index',
  reply: z.object({
    data: z.array(
      linkNow.extend({
        /** Number of messages queued for it, and of segments to retry. */
        waiting: z.int(),
        /** Number of these that no other link may take while this one is unavailable. */
        stuck: z.int(),
      }),
    ),
  }),
});

/**
 * Verdict on a route: `chosen`, less specific than the chosen one, switched off, or the condition that does not match.
 */
const verdict = z.enum(['chosen', 'less_specific', 'disabled', 'corporation', 'reseller', 'sender', 'class', 'prefix']);

/** Explains the route of a number: the rules in their order, the chosen one, and the links a message would take now. */
export const explainCarrierRoute = operation({
  method: 'GET',
  path: '/api/v1/carrier-routes/explain',
  permission: 'carrier-routes-index',
  query: z.object({
    number: z.string().trim().min(1).max(40),
    corporation_id: z.coerce.number().int().positive().optional(),
    sender_id: z.string().trim().max(20).optional(),
    class: messageClass.default('bulk'),
  }),
  reply: z.object({
    data: z.object({
      number: z.string(),
      class: messageClass,
      rules: z.array(carrierRoute.row.pick({ id: true, name: true }).extend({ verdict })),
      /** Number of rules that are not shown. */
      rules_omitted: z.int(),
      /** Chosen route; null if none matches: then the enabled links are used in the order of their ids. */
      route: z.object({ id, name: z.string() }).nullable(),
      links: z.array(
        linkNow.extend({
          position: z.int(),
          weight: z.int(),
          /** Percentage of such messages that take this link now. */
          share: z.number(),
          /**
           * Whether the sender ID is registered with a carrier that asks for it; null if it does not ask. `asked`: the
           * question names no corporation and sender ID.
           */
          registration: z.enum(['registered', 'missing', 'asked']).nullable(),
        }),
      ),
      /** True if no link can take a message now: it would wait on those with a share. */
      waits: z.boolean(),
    }),
  }),
});
