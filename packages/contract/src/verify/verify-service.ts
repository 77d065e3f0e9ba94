import { z } from 'zod';
import { label, reference, text } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';
import { VERIFY_FORMATS } from './verify-text.ts';

/** Modes of the guard against false traffic: `shadow` decides and records, and sends anyway. */
export const GUARD_MODES = ['off', 'shadow', 'enforce'] as const;
export type GuardMode = (typeof GUARD_MODES)[number];

/** Most sender IDs of a service. */
export const MOST_SENDERS = 3;

const limit = z.int().min(1).max(100_000);

/** Text of one language. */
const languageText = z.object({ language: z.enum(LOCALES), text: text(500).min(1) });

const input = z.object({
  corporation_id: reference('corporations'),
  name: label(100),
  /** Name of the app or site in the text. */
  app_name: label(40),
  code_length: z.int().min(4).max(10),
  /** Minutes for which a code is valid. */
  minutes: z.int().min(1).max(60),
  /** Wrong codes until the verification fails. */
  tries: z.int().min(1).max(10),
  /** Messages after the first one. */
  resends: z.int().min(0).max(10),
  /** Seconds between two messages. */
  resend_pause: z.int().min(10).max(600),
  /** Sender IDs in their order: the first message uses the first, a resend the next. */
  senders: z.array(label(15)).min(1).max(MOST_SENDERS),
  language: z.enum(LOCALES),
  /** Texts in place of those that ship, by language. */
  texts: z.array(languageText).max(LOCALES.length),
  format: z.enum(VERIFY_FORMATS),
  origin_host: z
    .string()
    .trim()
    .toLowerCase()
    .max(100)
    .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/, { error: 'host' })
    .nullable(),
  app_hash: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9+/]{11}$/, { error: 'verify_app_hash' })
    .nullable(),
  /** Countries (ISO 3166-1 alpha-2) whose numbers may get a code. */
  countries: z
    .array(
      z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, { error: 'verify_country' }),
    )
    .min(1)
    .max(250),
  guard: z.enum(GUARD_MODES),
  /** Starts to one number within an hour. */
  number_limit: limit,
  /** Starts without an approval within an hour: from one address, from one device, and to 100 numbers in a row. */
  address_limit: limit,
  device_limit: limit,
  block_limit: limit,
});

const { shape } = input;

/** Services that verify phone numbers by codes: the rules of an app or a site. */
export const verifyService = resource({
  name: 'verify-services',
  row: input.extend({
    corporation_name: z.string(),
    /** Lines of the reputation list. */
    reputation_lines: z.int(),
  }),
  create: input.extend({
    code_length: shape.code_length.default(6),
    minutes: shape.minutes.default(10),
    tries: shape.tries.default(5),
    resends: shape.resends.default(3),
    resend_pause: shape.resend_pause.default(30),
    language: shape.language.default('en'),
    texts: shape.texts.default([]),
    format: shape.format.default('plain'),
    origin_host: shape.origin_host.default(null),
    app_hash: shape.app_hash.default(null),
    countries: shape.countries.optional(),
    guard: shape.guard.default('shadow'),
    number_limit: shape.number_limit.default(5),
    address_limit: shape.address_limit.default(10),
    device_limit: shape.device_limit.default(5),
    block_limit: shape.block_limit.default(5),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ corporation_id: z.coerce.number().int().optional() }),
  sort: ['name', 'app_name', 'created_at'],
  title: 'name',
  conflicts: { verify_service_name_key: 'verify_service_already_exists' },
  groups: {
    service: ['corporation_id', 'name', 'app_name', 'senders', 'countries'],
    code: ['code_length', 'minutes', 'tries', 'resends', 'resend_pause'],
    text: ['language', 'texts', 'format', 'origin_host', 'app_hash'],
    guard: ['guard', 'number_limit', 'address_limit', 'device_limit', 'block_limit'],
  },
});
