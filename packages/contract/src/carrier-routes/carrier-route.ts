import { z } from 'zod';
import { id, label, reference, timeOfDay } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber } from '../kernel/personal.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { MESSAGE_CLASSES } from '../kernel/states.ts';
import { senderAddress } from '../senders/sender-id.ts';

/** Class of a message; classes are in the order in which messages leave. */
const messageClass = z.enum(MESSAGE_CLASSES);

/** A link of a route. The lowest position goes first; links with the same position share messages by weight. */
const routeLink = z.object({
  link_id: reference('links'),
  position: z.int().min(1).max(100),
  weight: z.int().min(1).max(100),
  /**
   * Hours in which the link is used, in the platform's time zone; both or none. The end is not included, and may be on
   * the next day. Outside them it is used only if the route has no other link.
   */
  from_time: timeOfDay.nullable().optional(),
  until_time: timeOfDay.nullable().optional(),
});

/**
 * Order of a route's links. `position`: as they are placed. `least_cost` and `best_quality`. `cost_with_floor`: the least
 * cost among links that deliver at least `quality_floor` percent. `by_class`: quality for one-time codes, cost with a
 * floor for transactional messages, least cost for bulk. Position and weight decide between equals.
 */
export const ROUTE_STRATEGIES = ['position', 'least_cost', 'best_quality', 'cost_with_floor', 'by_class'] as const;

const input = z.object({
  name: label(),
  /** Corporation that sends the messages; empty for all. */
  corporation_id: reference('corporations').nullable(),
  /** Reseller that sends the messages, or owns the corporation that does; never together with a corporation. */
  reseller_id: reference('corporations').nullable(),
  sender_id: senderAddress.nullable(),
  class: messageClass.nullable(),
  /** Network of the number; empty for every network. */
  network_id: reference('networks').nullable(),
  /** First digits of the number, with the country code; empty for every number. */
  prefix: z
    .string()
    .trim()
    .regex(/^\d{0,15}$/, { error: 'route_prefix' }),
  links: z
    .array(routeLink)
    .min(1)
    .max(20)
    .refine((links) => new Set(links.map(({ link_id }) => link_id)).size === links.length, { error: 'link_twice' })
    .refine(
      (links) =>
        links.every(
          ({ from_time, until_time }) => !from_time === !until_time && (!from_time || from_time !== until_time),
        ),
      {
        error: 'link_hours',
      },
    ),
  strategy: z.enum(ROUTE_STRATEGIES),
  /** Least percentage of delivered messages for `cost_with_floor` and `by_class`. */
  quality_floor: z.int().min(1).max(100).nullable(),
  /** True if messages take other links while the quality of one has declined; strategies by quality always do. */
  avoid_declined: z.boolean(),
  enabled: z.boolean(),
});

/**
 * Route of messages to links. Of the routes that match, a corporation's own goes before its reseller's, and that before
 * a route for all. Next comes one that names the sender ID, then one that names the class, then one that names the
 * network, then the longest prefix.
 */
export const carrierRoute = resource({
  name: 'carrier-routes',
  row: input.extend({
    corporation_name: z.string().nullable(),
    reseller_name: z.string().nullable(),
    network_name: z.string().nullable(),
    links: z.array(routeLink.extend({ link_name: z.string() })),
  }),
  create: input.extend({
    corporation_id: input.shape.corporation_id.default(null),
    reseller_id: input.shape.reseller_id.default(null),
    sender_id: input.shape.sender_id.default(null),
    class: input.shape.class.default(null),
    network_id: input.shape.network_id.default(null),
    prefix: input.shape.prefix.default(''),
    strategy: input.shape.strategy.default('position'),
    quality_floor: input.shape.quality_floor.default(null),
    avoid_declined: z.boolean().default(false),
    enabled: z.boolean().default(true),
  }),
  update: input.partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    reseller_id: z.coerce.number().int().optional(),
    class: messageClass.optional(),
    network_id: z.coerce.number().int().optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'prefix', 'created_at'],
  title: 'name',
  groups: {
    general: ['name', 'enabled'],
    messages: ['corporation_id', 'reseller_id', 'sender_id', 'class', 'network_id', 'prefix'],
    links: ['strategy', 'quality_floor', 'avoid_declined', 'links'],
  },
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
const verdict = z.enum([
  'chosen',
  'less_specific',
  'disabled',
  'corporation',
  'reseller',
  'sender',
  'class',
  'network',
  'prefix',
]);

/**
 * Reasons of a link's place in the order of a route: its position, cost or quality; a commitment that is not filled; a
 * cap that is reached; hours in which it is not used; a quality that has declined; a trial after that.
 */
export const ORDER_REASONS = [
  'position',
  'cost',
  'quality',
  'commitment',
  'cap',
  'hours',
  'declined',
  'trial',
] as const;

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
      number: personNumber(z.string()),
      class: messageClass,
      /** Name of the number's network; null if none is known. */
      network: z.string().nullable(),
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
          /** Place in the order of now; links of one place divide messages by weight. */
          order: z.int(),
          /** Reason of that place. */
          why: z.enum(ORDER_REASONS),
          /** Share of delivered messages of late for this network and kind of sender; null without messages. */
          rate: z.number().nullable(),
          /** Cost of a part with its currency, such as `0.00215 EUR`; null if it is not known, or not for the caller. */
          cost: z.string().nullable(),
          /** Milliseconds within which 95 % of the receipts come. */
          p95_ms: z.int().nullable(),
        }),
      ),
      /** True if no link can take a message now: it would wait on those with a share. */
      waits: z.boolean(),
    }),
  }),
});

/**
 * Tells the effect that a route would have had on the last seven days: up to 20,000 of the messages of these days, evenly
 * spread, choose their links again by the hours of their time. Quality and costs are those of now; health and limits of
 * links are left out.
 */
export const simulateCarrierRoute = operation({
  method: 'POST',
  path: '/api/v1/carrier-routes/simulate',
  permission: 'carrier-routes-index',
  body: z.object({
    /** Route that the draft replaces; null for a new one. */
    id: id.nullable(),
    route: carrierRoute.create.omit({ name: true }),
  }),
  reply: z.object({
    data: z.object({
      /** Messages of the week that the draft or its present form would take, and those that would have another link. */
      messages: z.int(),
      moved: z.int(),
      /** Number of messages that were looked at. */
      sampled: z.int(),
      links: z.array(z.object({ link_id: id, link_name: z.string(), before: z.int(), after: z.int() })),
      /** Share of messages that would be delivered, by the quality of now; null if it is not known. */
      rate_before: z.number().nullable(),
      rate_after: z.number().nullable(),
      /** Costs of these messages by currency, as decimals; null if the caller may not see costs. */
      costs: z.array(z.object({ currency: z.string(), before: z.string(), after: z.string() })).nullable(),
      /** Messages whose cost is not known, on the links of then and of the draft. */
      unpriced: z.object({ before: z.int(), after: z.int() }),
    }),
  }),
});

const amount = z.int().min(1).max(2_000_000_000).nullable();

const linkLimitsRow = z.object({
  /** Parts a day that were promised to the carrier: routes fill them first. */
  commitment: amount,
  /** Parts a day that the link takes at most. */
  cap: amount,
  /** Parts that were queued for it today, in the platform's time zone; counted only while it has a limit. */
  used: z.int(),
});

/** Shows the limits of a link, and what was used of them today. */
export const linkLimits = operation({
  method: 'GET',
  path: '/api/v1/links/:id/limits',
  permission: 'links-show',
  params: idParams,
  reply: oneReply(linkLimitsRow),
  errors: ['not_found'],
});

/** Sets the limits of a link, for messages that are queued from now on. */
export const setLinkLimits = operation({
  method: 'PUT',
  path: '/api/v1/links/:id/limits',
  permission: 'links-edit',
  params: idParams,
  body: linkLimitsRow.omit({ used: true }),
  reply: oneReply(linkLimitsRow),
  errors: ['not_found'],
});
