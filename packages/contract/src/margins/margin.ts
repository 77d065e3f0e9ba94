import { z } from 'zod';
import { currency } from '../exchange-rates/exchange-rate.ts';
import { cost, day } from '../kernel/fields.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { reportExport } from '../reports/report-file.ts';

/** Groups of the report. `reseller` is who pays the platform, if it is not the corporation itself. */
export const MARGIN_GROUPS = ['corporation', 'reseller', 'link', 'network', 'country', 'campaign', 'day'] as const;

const sums = z.object({
  /** Parts that carriers accepted. */
  parts: z.int(),
  /** Amount that the platform gets for the parts whose cost is known, and what they cost. */
  price: cost({ signed: true }),
  cost: cost({ signed: true }),
  margin: cost({ signed: true }),
  /** Parts whose cost is unknown, and the amount that the platform gets for them; they are in no other sum. */
  unknown_parts: z.int(),
  unknown_price: cost({ signed: true }),
  /**
   * Volume discounts that the platform gave for months that end in the period, and the margin less them. Null in groups and
   * selections to which discounts do not belong: those of links, networks, countries and campaigns.
   */
  discounts: cost({ signed: true }).nullable(),
  margin_after_discounts: cost({ signed: true }).nullable(),
});

const filters = z.object({
  by: z.enum(MARGIN_GROUPS).default('corporation'),
  /** Days of the platform's time zone, both included; at most a month within the last twelve. */
  from: day,
  to: day,
  corporation_id: z.coerce.number().int().optional(),
  link_id: z.coerce.number().int().optional(),
  network_id: z.coerce.number().int().optional(),
});

/** Adds up prices and costs by a group, the smallest margin first. Days are counted when they are over. */
export const margins = operation({
  method: 'GET',
  path: '/api/v1/margins',
  permission: 'margins-index',
  query: cursorQuery.extend(filters.shape),
  reply: cursorReply(
    sums.extend({
      /** Place of the row in the report. */
      id: z.int(),
      /** Name of the group: of the corporation, link, network and so on; empty without one, such as an unknown network. */
      name: z.string(),
      /** Margin as a share of the price; null without a price. */
      rate: z.number().nullable(),
      currency,
    }),
  ).extend({
    /** Sums of the whole selection. */
    totals: sums.extend({
      /** Discounts without an exchange rate; they are in no sum. */
      unknown_discounts: z.int(),
    }),
    /** Currency of all amounts: the platform's. */
    currency,
    /** Last day that is counted; null before the first. */
    counted_to: day.nullable(),
  }),
});

/** Writes the same rows to a file. */
export const exportMargins = reportExport({
  path: '/api/v1/margins/exports',
  permission: 'margins-download',
  filters,
});
