import { z } from 'zod';
import { id, label, reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { resource } from '../kernel/resource.ts';
import { senderAddress } from '../senders/sender-id.ts';

/** What a message is sent for; in the order in which messages leave. */
const messageClass = z.enum(['otp', 'transactional', 'bulk']);

/** A link of a route: the lowest position goes first, links of one position share by weight. */
const routeLink = z.object({
  link_id: id,
  position: z.int().min(1).max(100),
  weight: z.int().min(1).max(100),
});

const input = z.object({
  name: label(),
  /** Whose messages; empty for everybody's. */
  corporation_id: reference('corporations').nullable(),
  /** Those of a reseller and of all corporations it owns; never together with a corporation. */
  reseller_id: reference('corporations').nullable(),
  sender_id: senderAddress.nullable(),
  class: messageClass.nullable(),
  /** First digits of the number, its country code included; empty for every number. */
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
 * Which links a message takes. Of the routes that fit, a corporation's own goes before its reseller's and that before
 * everybody's; then one that names the sender ID; then one that names the class; then the longest prefix.
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
 * How a link is: `up`; `connecting` and `down` without a bind; `throttled` and `failing` by what its carrier answers;
 * `unattended` where no sender holds it; `draining` and `disabled` by an operator.
 */
const linkHealth = z.enum(['up', 'connecting', 'down', 'throttled', 'failing', 'unattended', 'draining', 'disabled']);

const linkNow = z.object({
  link_id: id,
  link_name: z.string(),
  state: linkHealth,
  /** Since when; empty where an operator decided the state. */
  since: z.iso.datetime({ offset: true }).nullable(),
});

/** Every link with its health and with what waits for it. */
export const carrierRouteLinks = operation({
  method: 'GET',
  path: '/api/v1/carrier-routes/links',
  permission: 'carrier-routes-index',
  reply: z.object({
    data: z.array(
      linkNow.extend({
        /** Messages queued for it, and segments to be tried again. */
        waiting: z.int(),
        /** Those of them that no other link may take while this one is away. */
        stuck: z.int(),
      }),
    ),
  }),
});

/** Why a route does or does not take a message: `chosen`, outdone by a more specific one, switched off, or what differs. */
const verdict = z.enum(['chosen', 'less_specific', 'disabled', 'corporation', 'reseller', 'sender', 'class', 'prefix']);

/** Rules tried for a number in their order, the one that counts, and the links a message would take at this moment. */
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
      /** Rules beyond the first that are shown. */
      rules_omitted: z.int(),
      /** Null: none fits, and the enabled links are taken in the order of their ids. */
      route: z.object({ id, name: z.string() }).nullable(),
      links: z.array(
        linkNow.extend({
          position: z.int(),
          weight: z.int(),
          /** Percent of such messages that take this link now. */
          share: z.number(),
        }),
      ),
      /** True: none of the links can take a message now, so it would wait on those with a share. */
      waits: z.boolean(),
    }),
  }),
});
