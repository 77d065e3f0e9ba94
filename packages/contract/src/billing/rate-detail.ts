import { z } from 'zod';
import { day, idText, instant, money } from '../kernel/fields.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber } from '../kernel/personal.ts';
import { reportExport } from '../reports/report-file.ts';
import { marginRule } from './margin-rule.ts';
import { volumeTerms } from './volume-discount.ts';

const ofAccount = {
  /** Account; without it, the caller's own account, else the first one of their corporation. */
  billing_account_id: z.coerce.number().int().optional(),
  rate_zone_id: z.coerce.number().int().optional(),
};

const ratePrefix = z.string().trim().max(15).optional();

const plan = {
  billing_account_id: z.int(),
  billing_account_name: z.string(),
  price_plan_name: z.string(),
  currency: z.string(),
  /** Price of a part if no prefix matches. */
  default_charge: money(),
};

/** Returns the rates that an account pays today, by zone and prefix. */
export const rateDetails = operation({
  method: 'GET',
  path: '/api/v1/rate-details',
  permission: 'rate-details-index',
  query: cursorQuery.extend({ ...ofAccount, prefix: ratePrefix }),
  reply: cursorReply(
    z.object({
      /** Id of the rate. */
      id: z.int(),
      rate_zone_name: z.string(),
      prefix: z.string(),
      charge: money(),
      starts_on: day,
      ends_on: day.nullable(),
    }),
  ).extend(plan),
  errors: ['billing_account_missing'],
});

/** Writes the same rates to a file, with the default charge as its last line. */
export const exportRateDetails = reportExport({
  path: '/api/v1/rate-details/exports',
  permission: 'rate-details-download',
  filters: z.object({ ...ofAccount, prefix: ratePrefix }),
  errors: ['billing_account_missing'],
});

/** Returns today's price of one part to this number; without a zone, that of the console's zone. */
export const priceOfNumber = operation({
  method: 'GET',
  path: '/api/v1/rate-details/price',
  permission: 'rate-details-index',
  query: z.object({ ...ofAccount, number: z.string().trim().min(1).max(40) }),
  reply: z.object({
    ...plan,
    /** The number in international format. */
    number: personNumber(z.string()),
    rate_zone_name: z.string(),
    /** Longest prefix that matches; null for the default charge. */
    prefix: z.string().nullable(),
    /** Price of a part, with the promotion that applies now. */
    charge: money(),
    /** Name of that promotion; null if none makes it cheaper. */
    promotion: z.string().nullable(),
    /** Volume discount of the present month, which is given when the month is over; null without one. */
    volume_discount: volumeTerms.nullable(),
  }),
  errors: ['billing_account_missing', 'price_plan_not_in_force'],
});

/** Explains the cost of a message. */
export const chargeOfMessage = operation({
  method: 'GET',
  path: '/api/v1/messages/:id/charge',
  permission: 'transactions-index',
  params: z.object({ id: idText }),
  reply: z.object({
    message_id: z.int(),
    number: personNumber(z.string()),
    billing_account_id: z.int(),
    billing_account_name: z.string(),
    currency: z.string(),
    charge_on_delivery: z.boolean(),
    parts: z.int(),
    /** Number of parts that were charged, that were released, and that are not settled yet. */
    parts_charged: z.int(),
    parts_released: z.int(),
    parts_open: z.int(),
    unit_price: money(),
    charge: money(),
    /** Plan and rate of the price when it was reserved; null for messages priced before these were recorded. */
    pricing: z
      .object({
        price_plan_id: z.int(),
        price_plan_name: z.string(),
        rate_zone_name: z.string(),
        /** Rate; null for the plan's default charge. */
        rate_id: z.int().nullable(),
        prefix: z.string().nullable(),
        charge: money(),
        /** Day of the rates used, in the account's time zone. */
        priced_on: day,
        /** Version of the plan's card; every change increases it. */
        card_version: z.int(),
        /** Promotion that lowered the charge, and the price with it; null if none did. */
        promotion: z
          .object({ name: z.string(), percent: z.string().nullable(), price: money().nullable(), charge: money() })
          .nullable(),
        /** Margin rule that made the price from the seller's cost, for the seller only; null if there was none. */
        margin: z.object({ rule: marginRule, cost: money().nullable(), cost_name: z.string().nullable() }).nullable(),
      })
      .nullable(),
    /** Volume discount of the month in which the message was charged; null without one. */
    volume_discount: volumeTerms
      .extend({
        month: z.string(),
        /** Parts and charges less refunds of the month, and its discount; null before the month is over, or without one. */
        given: z.object({ parts: z.int(), charged: money(), amount: money() }).nullable(),
      })
      .nullable(),
    /** Ledger transfers behind the cost: the reservation, and those that settled this message's parts. */
    transfers: z.array(
      z.object({
        id: z.int(),
        kind: z.enum(['reservation', 'charge', 'release', 'refund', 'correction']),
        /** Amount of the whole transfer, which may also settle other messages. */
        amount: money({ signed: true }),
        created_at: instant,
      }),
    ),
  }),
  errors: ['not_found'],
});
