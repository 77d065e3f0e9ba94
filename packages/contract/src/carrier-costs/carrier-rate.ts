import { z } from 'zod';
import { prefix } from '../billing/rate.ts';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { cost, day, idText, reference } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';
import { MESSAGE_CLASSES } from '../kernel/states.ts';
import { SENDER_KINDS } from '../senders/sender-id.ts';

const input = z.object({
  /** First digits of the numbers, with the country code; or else a network. */
  prefix: prefix.nullable(),
  /** Mobile country code. Without a network code, the rate is for all networks of the country. */
  mcc: z
    .string()
    .regex(/^\d{3}$/, { error: 'mcc' })
    .nullable(),
  mnc: z
    .string()
    .regex(/^\d{2,3}$/, { error: 'mnc' })
    .nullable(),
  class: z.enum(MESSAGE_CLASSES).nullable(),
  sender_kind: z.enum(SENDER_KINDS).nullable(),
  /** Cost of one part, in the currency of the card. */
  amount: cost(),
  /** First and last day, both included; without them, those of the card. */
  starts_on: day.nullable(),
  ends_on: day.nullable(),
});
const place = z.object({ carrier_card_id: reference('carrier-cards') });

/**
 * Rate of a carrier's card. A rate of the message's network goes before one of its country, and that before the longest
 * prefix. Among these, one that names the class and the kind of sender goes first, then one that names the class, then
 * one that names the kind.
 */
export const carrierRate = resource({
  name: 'carrier-rates',
  area: 'carrier-cards',
  row: place.extend({
    ...input.shape,
    carrier_card_name: z.string(),
    link_id: z.int(),
    link_name: z.string(),
    currency: z.string(),
  }),
  create: place.extend({
    ...input.shape,
    prefix: input.shape.prefix.default(null),
    mcc: input.shape.mcc.default(null),
    mnc: input.shape.mnc.default(null),
    class: input.shape.class.default(null),
    sender_kind: input.shape.sender_kind.default(null),
    starts_on: input.shape.starts_on.default(null),
    ends_on: input.shape.ends_on.default(null),
  }),
  update: input.partial(),
  filters: z.object({
    carrier_card_id: z.coerce.number().int().optional(),
    link_id: z.coerce.number().int().optional(),
    prefix: z.string().trim().max(15).optional(),
    mcc: z.string().trim().max(3).optional(),
    class: z.enum(MESSAGE_CLASSES).optional(),
    sender_kind: z.enum(SENDER_KINDS).optional(),
  }),
  sort: ['prefix', 'mcc', 'amount', 'created_at'],
  title: 'carrier_card_name',
  conflicts: { carrier_rate_key: 'carrier_rate_already_exists' },
  errors: ['carrier_card_applied'],
});

/** Fields of the columns of a carrier's file; `mccmnc` is both codes in one column. */
export const CARRIER_COLUMNS = [
  'prefix',
  'country_code',
  'area_code',
  'mccmnc',
  'mcc',
  'mnc',
  'price',
  'currency',
  'class',
  'sender_kind',
  'starts_on',
  'ends_on',
] as const;
export type CarrierColumn = (typeof CARRIER_COLUMNS)[number];

/**
 * Adds the rates of a carrier's file to a draft; a rate that it has already gets the file's amount. Columns are found by
 * the names that carriers use, then by those that were assigned for the link before. `columns` assigns others, such as
 * `Tariff = price, Zone = prefix`.
 */
export const uploadCarrierRates = bulkUploadOf(
  'carrier-rates',
  'carrier-cards-upload',
  z.object({ carrier_card_id: idText, columns: z.string().trim().max(1000).optional() }),
);
