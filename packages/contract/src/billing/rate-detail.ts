import { z } from 'zod';
import { day, idText, instant, money } from '../kernel/fields.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { reportExport } from '../reports/report-file.ts';

const ofAccount = {
  /** The caller's own account, else their corporation's first one, where left out. */
  billing_account_id: z.coerce.number().int().optional(),
  rate_zone_id: z.coerce.number().int().optional(),
};

const ratePrefix = z.string().trim().max(15).optional();

const plan = {
  billing_account_id: z.int(),
  billing_account_name: z.string(),
  price_plan_name: z.string(),
  currency: z.string(),
  /** Price of a part where no prefix matches. */
  default_charge: money(),
};

/** Rate details: what an account pays today, by zone and prefix. */
export const rateDetails = operation({
  method: 'GET',
  path: '/api/v1/rate-details',
  permission: 'rate-details-index',
  query: cursorQuery.extend({ ...ofAccount, prefix: ratePrefix }),
  reply: cursorReply(
    z.object({
      /** The rate's. */
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

/** The same as a file, with the default charge as its last line. */
export const exportRateDetails = reportExport({
  path: '/api/v1/rate-details/exports',
  permission: 'rate-details-download',
  filters: z.object({ ...ofAccount, prefix: ratePrefix }),
  errors: ['billing_account_missing'],
});

/** What would one part to this number cost today; without a zone that of the console. */
export const priceOfNumber = operation({
  method: 'GET',
  path: '/api/v1/rate-details/price',
  permission: 'rate-details-index',
  query: z.object({ ...ofAccount, number: z.string().trim().min(1).max(40) }),
  reply: z.object({
    ...plan,
    /** The number in international format. */
    number: z.string(),
    rate_zone_name: z.string(),
    /** The longest prefix that matches; null: the default charge. */
    prefix: z.string().nullable(),
    charge: money(),
  }),
  errors: ['billing_account_missing', 'price_plan_not_in_force'],
});

/** Why a message cost what it cost. */
export const chargeOfMessage = operation({
  method: 'GET',
  path: '/api/v1/messages/:id/charge',
  permission: 'transactions-index',
  params: z.object({ id: idText }),
  reply: z.object({
    message_id: z.int(),
    number: z.string(),
    billing_account_id: z.int(),
    billing_account_name: z.string(),
    currency: z.string(),
    charge_on_delivery: z.boolean(),
    parts: z.int(),
    /** Parts that were charged, given back, and that may still become either. */
    parts_charged: z.int(),
    parts_released: z.int(),
    parts_open: z.int(),
    unit_price: money(),
    charge: money(),
    /** By what the price was found when it was reserved; null for messages priced before prices were recorded. */
    pricing: z
      .object({
        price_plan_id: z.int(),
        price_plan_name: z.string(),
        rate_zone_name: z.string(),
        /** Null: the plan's default charge. */
        rate_id: z.int().nullable(),
        prefix: z.string().nullable(),
        charge: money(),
        /** The day, in the account's time zone, whose rates held. */
        priced_on: day,
        /** The state of the plan's card; it counts up with every change. */
        card_version: z.int(),
      })
      .nullable(),
    /** The ledger's transfers behind it: the reservation, and what settled this message's parts. */
    transfers: z.array(
      z.object({
        id: z.int(),
        kind: z.enum(['reservation', 'charge', 'release', 'refund', 'correction']),
        /** Of the whole transfer, which may settle other messages, too. */
        amount: money({ signed: true }),
        created_at: instant,
      }),
    ),
  }),
  errors: ['not_found'],
});
