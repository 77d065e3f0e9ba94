import { z } from 'zod';
import { day, id, idText, instant, money, month } from '../kernel/fields.ts';
import { FILE_FORMATS } from '../kernel/file-format.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { downloadRow } from '../reports/transaction.ts';
import { marginRule } from './margin-rule.ts';

/** Prices that a trial uses: those of a margin rule, of an uploaded card, or the present ones. */
export const TRIED_PRICES = ['rule', 'card', 'present'] as const;

const signed = money({ signed: true });

/** Sums of a network, or of all. */
const sums = z.object({
  /** Parts that were charged. */
  parts: z.int(),
  /** Amount that customers were charged for these parts. */
  charged: money(),
  /** Amount that they would have been charged by the tried prices. */
  tried: money(),
  /** Amount that the reseller was charged for the same messages. */
  cost: money(),
  margin: signed,
  margin_tried: signed,
});

/** Volume discounts by the charged amounts, by the tried prices, and the difference. */
const discounts = {
  discount: money(),
  discount_tried: money(),
  discount_change: signed,
};

/** Volume discount of an account in a month of its time zone. */
const accountMonth = z.object({
  billing_account_id: z.int(),
  billing_account_name: z.string(),
  corporation_name: z.string(),
  month,
  /** True if the period covers the whole month. Of other months, the volume within the period counts. */
  whole: z.boolean(),
  /** Name of the terms of that month; null without any. */
  terms: z.string().nullable(),
  /** Volume that is measured by them. */
  volume_parts: z.int(),
  volume_charged: money(),
  /** Name of the terms that begin last, of the account or else of the plan; null without any. */
  terms_tried: z.string().nullable(),
  volume_parts_tried: z.int(),
  volume_tried: money(),
  ...discounts,
});

const params = z.object({ id: idText });

/**
 * Tries prices on the traffic of the last 30 days: of the customers of a reseller whose accounts have the plan now. `rule` are
 * the prices of a margin rule, `card_upload_id` those of a checked card as if it replaced the present one; without both, the
 * present prices are tried. The result replaces the last one of the plan, and its file arrives in the bell.
 */
export const tryPrices = operation({
  method: 'POST',
  path: '/api/v1/price-plans/:id/trial',
  permission: 'price-plans-edit',
  params,
  body: z.object({
    rule: marginRule.nullable().default(null),
    card_upload_id: id.nullable().default(null),
    format: z.enum(FILE_FORMATS).default('csv'),
  }),
  reply: oneReply(downloadRow),
  status: 202,
  errors: ['not_found', 'forbidden', 'margin_no_cost', 'margin_currency'],
});

/** Returns the last trial of a plan; null if there is none. */
export const showTrial = operation({
  method: 'GET',
  path: '/api/v1/price-plans/:id/trial',
  permission: 'price-plans-edit',
  params,
  reply: z.object({
    data: sums
      .extend({
        prices: z.enum(TRIED_PRICES),
        from: day,
        to: day,
        currency: z.string(),
        made_at: instant,
        /** Sums by network, the greatest difference first. */
        lines: z.array(sums.extend({ network: z.string() })),
        /** Volume discounts of these accounts; null for a trial of a release without them. */
        discounts: z
          .object({
            ...discounts,
            /** Margins less the discounts. */
            net: signed,
            net_tried: signed,
            net_change: signed,
            /** Accounts and months that have terms, the greatest difference first; at most 200. */
            lines: z.array(accountMonth),
            /** Number of those that are only in the file. */
            more: z.int(),
          })
          .nullable(),
      })
      .nullable(),
  }),
  errors: ['not_found', 'forbidden'],
});
