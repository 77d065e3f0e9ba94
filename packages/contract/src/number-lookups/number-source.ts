import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { idText, label, newSecret, text } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber } from '../kernel/personal.ts';
import { resource } from '../kernel/resource.ts';

/** Ways to ask for the network of a number. */
export const LOOKUP_DRIVERS = ['http', 'enum', 'dump', 'simulator'] as const;

/** Amount with at most six decimals; kept in millionths. */
const millionths = z
  .string()
  .trim()
  .regex(/^\d{1,9}(\.\d{1,6})?$/, { error: 'millionths' });

/** Path of a field in an answer, such as `data.mcc`. */
const path = z
  .string()
  .trim()
  .max(100)
  .regex(/^[\w-]+(\.[\w-]+)*$/, { error: 'json_path' });

const input = z.object({
  name: label(),
  driver: z.enum(LOOKUP_DRIVERS),
  enabled: z.boolean(),
  /** The lowest is asked first; the next one only for numbers that it does not know. */
  position: z.int().min(1).max(100),
  /** First digits of the numbers that it knows; empty for all. */
  prefix: z
    .string()
    .trim()
    .regex(/^\d{0,15}$/, { error: 'route_prefix' }),
  /** Address with {number}, or {numbers} for several joined by commas. */
  url: z
    .string()
    .trim()
    .max(2000)
    .regex(/^https?:\/\/[^\s]*\{numbers?\}/, { error: 'lookup_url' })
    .nullable(),
  /** Numbers in one call. */
  batch_size: z.int().min(1).max(1000),
  /** Place of the list of answers; empty if the answer is the list, or is the only one. */
  items_path: path.or(z.literal('')),
  number_path: path.nullable(),
  mcc_path: path.nullable(),
  /** Without it, `mcc_path` holds both codes, such as 51502. */
  mnc_path: path.nullable(),
  state_path: path.nullable(),
  /** Values of the state that mean that nobody has the number. */
  dead_values: z.array(text(40)).max(20),
  /** DNS server of ENUM, such as 192.0.2.1:53. */
  server: z
    .string()
    .trim()
    .max(300)
    .regex(/^(\[[0-9a-f:]+\]|[\d.]+)(:\d{1,5})?$/i, { error: 'dns_server' })
    .nullable(),
  /** Zone below which the digits are asked, such as e164.arpa. */
  zone: z
    .string()
    .trim()
    .toLowerCase()
    .max(200)
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, { error: 'dns_zone' })
    .nullable(),
  /** Days after which a number is asked again; empty if an answer does not age. */
  cache_days: z.int().min(1).max(3650).nullable(),
  /** Budgets of a day (UTC); empty without one. */
  daily_lookups: z.int().min(0).max(1_000_000_000).nullable(),
  daily_spend: millionths.nullable(),
  /** Cost of one lookup. */
  unit_cost: millionths,
  currency: z.string().regex(/^[A-Z]{3}$/, { error: 'currency' }),
});
const { shape } = input;

/** Service that tells the network of a number, and whether somebody has it. */
export const numberSource = resource({
  name: 'number-sources',
  row: input.extend({
    has_authorization: z.boolean(),
    lookups_today: z.int(),
    answered_today: z.int(),
    spend_today: millionths,
  }),
  create: z.object({
    name: shape.name,
    driver: shape.driver,
    enabled: z.boolean().default(true),
    position: shape.position.default(1),
    prefix: shape.prefix.default(''),
    url: shape.url.default(null),
    /** Value of the header Authorization; never answered. */
    authorization: newSecret.nullable().default(null),
    batch_size: shape.batch_size.default(1),
    items_path: shape.items_path.default(''),
    number_path: shape.number_path.default(null),
    mcc_path: shape.mcc_path.default(null),
    mnc_path: shape.mnc_path.default(null),
    state_path: shape.state_path.default(null),
    dead_values: shape.dead_values.default([]),
    server: shape.server.default(null),
    zone: shape.zone.default(null),
    cache_days: shape.cache_days.default(30),
    daily_lookups: shape.daily_lookups.default(null),
    daily_spend: shape.daily_spend.default(null),
    unit_cost: shape.unit_cost.default('0'),
    currency: shape.currency.default('EUR'),
  }),
  update: input.omit({ driver: true }).extend({ authorization: newSecret.nullable() }).partial(),
  filters: z.object({ driver: shape.driver.optional(), enabled: z.stringbool().optional() }),
  sort: ['position', 'name', 'created_at'],
  title: 'name',
  conflicts: { number_source_name_key: 'number_source_already_exists' },
});

/** Header of a file of ported numbers; `state` may be one of the source's values of dead numbers. */
export const NUMBER_DUMP_COLUMNS = ['number', 'mcc', 'mnc', 'state'] as const;

/** Loads a file of numbers with their networks into a source whose driver is `dump`. */
export const uploadNumberDump = bulkUploadOf(
  'number-sources',
  'number-sources-edit',
  z.object({ number_source_id: idText }),
);

/** Lets the services be asked for a number that no lookup knows yet. The answer shows in the look-up of its network. */
export const askForNumber = operation({
  method: 'POST',
  path: '/api/v1/number-sources/ask',
  permission: 'number-sources-edit',
  body: z.object({ number: z.string().trim().min(1).max(40) }),
  reply: z.object({ data: z.object({ number: personNumber(z.string()) }) }),
});
