import { z } from 'zod';
import { currency } from '../exchange-rates/exchange-rate.ts';
import { cost, day, idText, instant } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { downloadRow } from '../reports/transaction.ts';

const sums = z.object({
  parts: z.int(),
  /** Amount that the platform gets for these parts. */
  price: cost({ signed: true }),
  /** Costs by the cards that were in force, and by the card that is tried. Unknown costs are not in them. */
  cost_before: cost({ signed: true }),
  cost_after: cost({ signed: true }),
  /** Parts whose cost is unknown by the cards in force, and by the card that is tried. */
  unknown_before: z.int(),
  unknown_after: z.int(),
});

/**
 * Tries a card on the traffic of its link in the last 30 days, in the background. The result replaces the last one of the
 * card, and its file arrives in the bell.
 */
export const replayCarrierCard = operation({
  method: 'POST',
  path: '/api/v1/carrier-cards/:id/replay',
  permission: 'carrier-cards-show',
  params: z.object({ id: idText }),
  body: z.object({ format: z.enum(FILE_FORMATS).default('csv') }),
  reply: oneReply(downloadRow),
  status: 202,
  errors: ['not_found'],
});

/** Returns the sums of the last replay of a card; null if there is none. */
export const getCardReplay = operation({
  method: 'GET',
  path: '/api/v1/carrier-cards/:id/replay',
  permission: 'carrier-cards-show',
  params: z.object({ id: idText }),
  reply: z.object({
    data: sums
      .extend({
        card_name: z.string(),
        link_name: z.string(),
        from: day,
        to: day,
        /** Currency of all amounts: the platform's. */
        currency,
        made_at: instant,
        /** Lines that lose money by the tried card and did not before. */
        turning: z.int(),
      })
      .nullable(),
  }),
  errors: ['not_found'],
});

/** Lists the lines of a card's last replay, the greatest loss first: by route, network and corporation. */
export const cardReplayLines = listing({
  path: '/api/v1/carrier-cards/:id/replay-lines',
  permission: 'carrier-cards-show',
  params: z.object({ id: idText }),
  row: sums.extend({
    id: z.int(),
    /** Carrier route; null for traffic without one. */
    route_name: z.string().nullable(),
    network: z.string(),
    corporation_name: z.string(),
    margin_before: cost({ signed: true }),
    margin_after: cost({ signed: true }),
    /** True if the line loses money by the tried card and did not before. */
    turns: z.boolean(),
    currency,
  }),
  filters: z.object({ turns: z.stringbool().optional() }),
  errors: ['not_found'],
});
