import { z } from 'zod';
import { FILE_FAULTS } from '../kernel/bulk-upload.ts';
import { day, id, idText, instant, money } from '../kernel/fields.ts';
import { formatQuery } from '../kernel/file-format.ts';
import { errorParams, fileReading, readAs } from '../kernel/file-reading.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** Header of a card; the template, an upload and the current card share it. */
export const CARD_COLUMNS = ['zone', 'prefix', 'charge', 'starts_on', 'ends_on', 'enabled'] as const;

/** Reasons to refuse a row of a card; each has a sentence under `card_fault`. */
export const CARD_FAULTS = [
  'hidden_row',
  'zone_unknown',
  'prefix_invalid',
  'charge_invalid',
  'date_invalid',
  'date_order',
  'enabled_invalid',
  'duplicate',
  'overlaps',
] as const;
export type CardFault = (typeof CARD_FAULTS)[number];

const cardRow = z.object({
  line: z.int(),
  zone: z.string(),
  prefix: z.string(),
  charge: money(),
  starts_on: day,
  ends_on: day.nullable(),
  enabled: z.boolean(),
  change: z.enum(['new', 'changed', 'same']),
  /** Charge of the present card for this zone and prefix. */
  present_charge: money().nullable(),
});

/**
 * An uploaded card: `checking`, then `ready` with its preview before anything changes, then `applying` and `applied`,
 * or `discarded`; `failed` with its reason.
 */
export const cardUpload = z.object({
  id,
  price_plan_id: z.int(),
  price_plan_name: z.string(),
  state: z.enum(['checking', 'ready', 'applying', 'applied', 'failed', 'discarded']),
  file_name: z.string(),
  rows_read: z.int(),
  rows_rejected: z.int(),
  /** Number of rates that are new on the card, that change, and that stay the same. */
  rows_new: z.int(),
  rows_changed: z.int(),
  rows_same: z.int(),
  /** Rates of the plan that the file does not name: they stay if it is merged and end if it replaces the card. */
  rates_missing: z.int(),
  /** The first good rows. */
  preview: z.array(cardRow),
  /** The first refused rows. */
  faults: z.array(
    z.object({ line: z.int(), field: z.enum(CARD_COLUMNS), value: z.string(), fault: z.enum(CARD_FAULTS) }),
  ),
  /** Address of the CSV of all refused rows (line, field, value, reason), if there are any. */
  error_file: z.string().nullable(),
  error_code: z.string().nullable(),
  /** Values for the sentence of that code. */
  error_params: errorParams,
  /** Settings with which the file was read; null until it is read. */
  read_as: readAs.nullable(),
  user_name: z.string().nullable(),
  created_at: instant,
  finished_at: instant.nullable(),
});

const params = z.object({ id: idText });

/** Returns a CSV with the header of a card and an example row. */
export const cardTemplate = operation({
  method: 'GET',
  path: '/api/v1/rates/template',
  permission: 'rates-upload',
  reply: z.string(),
});

/** Returns the rates of a plan as a CSV that can be changed and uploaded again. */
export const currentCard = operation({
  method: 'GET',
  path: '/api/v1/price-plans/:id/card',
  permission: 'rates-index',
  params,
  reply: z.string(),
  errors: ['not_found'],
});

/** Uploads a card (CSV or XLSX) for a plan. Answers immediately, checks in the background and changes nothing yet. */
export const uploadCard = operation({
  method: 'POST',
  path: '/api/v1/price-plans/:id/card-uploads',
  permission: 'rates-upload',
  params,
  query: fileReading,
  upload: true,
  reply: oneReply(cardUpload),
  status: 202,
  errors: ['not_found', 'forbidden', ...FILE_FAULTS, 'file_already_uploaded'],
});

/** Lists uploaded cards, newest first. */
export const cardUploads = operation({
  method: 'GET',
  path: '/api/v1/card-uploads',
  permission: 'rates-upload',
  query: cursorQuery.extend({ price_plan_id: z.coerce.number().int().optional() }),
  reply: cursorReply(cardUpload),
});

/** Returns a card with its preview. The person who uploaded it gets live progress as `card.progress`. */
export const getCardUpload = operation({
  method: 'GET',
  path: '/api/v1/card-uploads/:id',
  permission: 'rates-upload',
  params,
  reply: oneReply(cardUpload),
  errors: ['not_found'],
});

export const cardUploadErrors = operation({
  method: 'GET',
  path: '/api/v1/card-uploads/:id/errors',
  permission: 'rates-upload',
  params,
  query: formatQuery,
  reply: z.string(),
  errors: ['not_found'],
});
export const cardUploadErrorsPath = (uploadId: number) => `/api/v1/card-uploads/${uploadId}/errors`;

/**
 * Puts a checked card into force, completely or not at all. `merge` keeps the rates that the file does not name;
 * `replace` ends them. A card with refused rows is refused, unless `skip_errors` leaves those rows out.
 */
export const applyCardUpload = operation({
  method: 'POST',
  path: '/api/v1/card-uploads/:id/apply',
  permission: 'rates-upload',
  params,
  body: z.object({ mode: z.enum(['merge', 'replace']).default('merge'), skip_errors: z.boolean().default(false) }),
  reply: oneReply(cardUpload),
  status: 202,
  errors: ['not_found', 'invalid_transition', 'card_has_errors'],
});

export const discardCardUpload = operation({
  method: 'POST',
  path: '/api/v1/card-uploads/:id/discard',
  permission: 'rates-upload',
  params,
  reply: oneReply(cardUpload),
  errors: ['not_found', 'invalid_transition'],
});
