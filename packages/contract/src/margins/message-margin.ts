import { z } from 'zod';
import { CHARGED_ON } from '../carrier-costs/carrier-card.ts';
import { cost, idText, instant } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';

/** Tells what carriers took for the parts of a message, by which card, and what the platform got for them. */
export const messageMargin = operation({
  method: 'GET',
  path: '/api/v1/margins/messages/:id',
  permission: 'margins-index',
  params: z.object({ id: idText }),
  reply: z.object({
    data: z.object({
      /** Parts that carriers accepted. */
      parts: z.array(
        z.object({
          link_name: z.string(),
          /** Time of the carrier's answer. */
          at: instant,
          /** Network and country; empty if it is not known. */
          network: z.string(),
          /** Rate of the card in force at that time; null if none fits, so that the cost is unknown. */
          rate: z
            .object({
              carrier_card_id: z.int(),
              version: z.int(),
              amount: cost(),
              currency: z.string(),
              charged_on: z.enum(CHARGED_ON),
            })
            .nullable(),
          /** Cost in the platform's currency; null if it, or the exchange rate, is not known. */
          cost: cost({ signed: true }).nullable(),
        }),
      ),
      /** Sums of parts with a known price and cost, in the platform's currency. */
      price: cost({ signed: true }),
      cost: cost({ signed: true }),
      margin: cost({ signed: true }),
      currency: z.string(),
      unknown_parts: z.int(),
    }),
  }),
  errors: ['not_found'],
});
