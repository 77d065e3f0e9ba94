import { z } from 'zod';
import { cost, day, idText } from '../kernel/fields.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { MESSAGE_CLASSES } from '../kernel/states.ts';
import { quoteMargin } from './quote-margin.ts';

const amounts = {
  /** Amount that the platform gets, and what carriers are expected to take. */
  price: cost({ signed: true }),
  cost: cost({ signed: true }),
  margin: cost({ signed: true }),
  currency: z.string(),
};

/** Adds up messages of programs for which carriers took more than was paid, the greatest loss first. */
export const marginLosses = operation({
  method: 'GET',
  path: '/api/v1/margin-losses',
  permission: 'margins-index',
  query: cursorQuery.extend({
    from: day,
    to: day,
    corporation_id: z.coerce.number().int().optional(),
    link_id: z.coerce.number().int().optional(),
    /** True for messages that were refused, false for those that were taken all the same. */
    refused: z.stringbool().optional(),
  }),
  reply: cursorReply(
    z.object({
      id: z.int(),
      corporation_name: z.string(),
      link_name: z.string(),
      /** Network and country; empty for numbers of no known network. */
      network: z.string(),
      refused: z.boolean(),
      messages: z.int(),
      parts: z.int(),
      ...amounts,
    }),
  ),
});

/** Zones of price plans whose prices are compared. */
export const LOSS_ZONES = ['web', 'api'] as const;

/**
 * Compares the prices of a plan, or of all plans on a carrier route, with the costs of the links that messages would take
 * now. Answers the destinations that bring a loss, the greatest share of the price first.
 */
export const losingDestinations = operation({
  method: 'GET',
  path: '/api/v1/margin-losses/destinations',
  permission: 'margins-index',
  query: cursorQuery
    .extend({
      /** Exactly one of both is needed. */
      price_plan_id: z.coerce.number().int().optional(),
      carrier_route_id: z.coerce.number().int().optional(),
      class: z.enum(MESSAGE_CLASSES).default('bulk'),
      zone: z.enum(LOSS_ZONES).default('web'),
    })
    .refine((query) => (query.carrier_route_id === undefined) !== (query.price_plan_id === undefined), {
      error: 'plan_or_route',
      path: ['price_plan_id'],
    }),
  reply: cursorReply(
    z.object({
      id: z.int(),
      price_plan_name: z.string(),
      network: z.string(),
      /** First digits whose numbers bring the greatest loss, and how many prefixes of the network bring one. */
      prefix: z.string(),
      prefixes: z.int(),
      /** Carrier route; null for messages without one. */
      route_name: z.string().nullable(),
      link_name: z.string(),
      ...amounts,
    }),
  ).extend({
    /** Prefixes that were compared, and those whose cost is unknown. */
    compared: z.int(),
    unknown: z.int(),
  }),
});

/** Price, cost and margin of a campaign until now, and what its quote expected. */
export const campaignMargin = operation({
  method: 'GET',
  path: '/api/v1/margin-losses/campaigns/:id',
  permission: 'margins-index',
  params: z.object({ id: idText }),
  reply: z.object({
    data: z.object({
      parts: z.int(),
      ...amounts,
      /** Parts without a known cost or exchange rate; they are in no sum. */
      unknown_parts: z.int(),
      /** Expectation of the quote; null if it was not judged. */
      quoted: quoteMargin.nullable(),
    }),
  }),
  errors: ['not_found'],
});
