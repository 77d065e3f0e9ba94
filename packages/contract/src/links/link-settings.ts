import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { httpMapping, PROTOCOLS } from './http-mapping.ts';
import { numberRules, senderRules, textRules } from './rewriting.ts';
import { vendorParameters } from './vendor-parameters.ts';

/** Choices in a link's settings; their texts are `link_<setting>.<word>`. */
export const BIND_MODES = ['transceiver', 'transmitter_receiver', 'transmitter'] as const;
export const ID_RULES = ['as_is', 'hex_to_decimal', 'decimal_to_hex', 'learn'] as const;
export const CHARSETS = ['gsm', 'gsm_packed', 'latin1', 'ascii'] as const;
export const LONG_MESSAGES = ['udh_8', 'udh_16', 'sar', 'payload'] as const;
export const VALIDITY_FORMATS = ['relative', 'absolute', 'none'] as const;
export const FLASH_DIALECTS = ['class_0x10', 'class_0xf0', 'subunit'] as const;
export const REGISTERED_DELIVERIES = ['final', 'none', 'failure', 'final_and_intermediate'] as const;
/** States that a word of a receipt can stand for; the names are those of SMPP 3.4 §5.2.28. */
export const RECEIPT_STATES = [
  'delivered',
  'expired',
  'deleted',
  'undeliverable',
  'rejected',
  'unknown',
  'accepted',
  'enroute',
] as const;

/** Host name or address for a resolver; IPv6 without brackets. */
const host = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^([A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)$/, { error: 'host' });

/** Returns the schema of an SMPP 3.4 field: a C-octet string of printable ASCII. */
const octets = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x7e]*$/, { error: 'ascii_text' });

const CERTIFICATE = /^\s*(?:-----BEGIN CERTIFICATE-----\s+[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;
const tonNpi = z
  .string()
  .trim()
  .regex(/^[0-6]\/(0|1|3|4|6|8|9|10|14|18)$/, { error: 'ton_npi' });

/** Settings needed to reach a carrier's SMSC and bind to it. */
const connection = z.object({
  host,
  port: z.int().min(1).max(65_535),
  tls: z.boolean(),
  /** Certificates in PEM that sign the carrier's certificate; null for the authorities that the system trusts. */
  tls_ca: z.string().trim().max(65_536).regex(CERTIFICATE, { error: 'certificate' }).nullable(),
  /** Whether the carrier's certificate must name the host. */
  tls_verify_name: z.boolean(),
  system_id: octets(15).min(1),
  system_type: octets(12),
  bind_mode: z.enum(BIND_MODES),
});

/** Password; no answer shows it. Null means none for a new link, and the present one for an existing link. */
const password = octets(512).nullable();

const rest = z.object({
  name: label(),
  protocol: z.enum(PROTOCOLS),
  /** Mapping of a link over HTTP; host, port and encryption are those of its address. Null for SMPP. */
  http: httpMapping.nullable(),
  binds: z.int().min(1).max(32),
  /** Maximum submit_sm without an answer in each bind. */
  window_size: z.int().min(1).max(10_000),
  /** Segments a second; null for no limit. */
  rate: z.int().min(1).max(1_000_000).nullable(),
  id_rule: z.enum(ID_RULES),
  default_charset: z.enum(CHARSETS),
  long_messages: z.enum(LONG_MESSAGES),
  validity_format: z.enum(VALIDITY_FORMATS),
  flash_dialect: z.enum(FLASH_DIALECTS),
  alphanumeric_ton_npi: tonNpi,
  short_code_ton_npi: tonNpi,
  number_ton_npi: tonNpi,
  destination_ton_npi: tonNpi,
  registered_delivery: z.enum(REGISTERED_DELIVERIES),
  /** True treats a deliver_sm that looks like a receipt as one, even if its esm_class differs. */
  sniff_receipts: z.boolean(),
  /** True sends our reference with every message, so that a receipt without a known id finds its message. */
  message_reference: z.boolean(),
  /** True if only messages of test keys take this link. */
  for_tests: z.boolean(),
  /** True if only registered sender IDs take this link. */
  asks_registration: z.boolean(),
  /** Entries `WORD=state` or `err:CODE=state`, for carriers with their own words. */
  receipt_words: z
    .array(
      z
        .string()
        .trim()
        .max(60)
        .regex(new RegExp(`^(err:)?[^=\\s]{1,40}=(${RECEIPT_STATES.join('|')})$`), { error: 'receipt_word' }),
    )
    .max(50),
  /** Vendor parameters `name=TAG:type:value`, and rules by which the link rewrites what it sends. */
  parameters: vendorParameters,
  number_rules: numberRules,
  sender_rules: senderRules,
  text_rules: textRules,
  /** Test messages of a thousand messages; 0 sends none, and receipts are not judged. */
  test_rate: z.int().min(0).max(100),
  enquire_link_seconds: z.int().min(1).max(3_600),
  response_seconds: z.int().min(1).max(600),
  bind_seconds: z.int().min(1).max(120),
});

/** All settings that a person makes, except the password. */
export const linkSettings = z.object({ ...rest.pick({ name: true }).shape, ...connection.shape, ...rest.shape });

export const newLink = linkSettings.extend({
  protocol: rest.shape.protocol.default('smpp'),
  http: rest.shape.http.default(null),
  password: password.default(null),
  tls: z.boolean().default(false),
  tls_ca: connection.shape.tls_ca.default(null),
  tls_verify_name: z.boolean().default(true),
  system_type: connection.shape.system_type.default(''),
  bind_mode: connection.shape.bind_mode.default('transceiver'),
  binds: rest.shape.binds.default(1),
  window_size: rest.shape.window_size.default(100),
  rate: rest.shape.rate.default(null),
  id_rule: rest.shape.id_rule.default('learn'),
  default_charset: rest.shape.default_charset.default('gsm'),
  long_messages: rest.shape.long_messages.default('udh_8'),
  validity_format: rest.shape.validity_format.default('relative'),
  flash_dialect: rest.shape.flash_dialect.default('class_0x10'),
  alphanumeric_ton_npi: tonNpi.default('5/0'),
  short_code_ton_npi: tonNpi.default('0/1'),
  number_ton_npi: tonNpi.default('1/1'),
  destination_ton_npi: tonNpi.default('1/1'),
  registered_delivery: rest.shape.registered_delivery.default('final'),
  sniff_receipts: z.boolean().default(true),
  message_reference: z.boolean().default(true),
  for_tests: z.boolean().default(false),
  asks_registration: z.boolean().default(false),
  receipt_words: rest.shape.receipt_words.default([]),
  parameters: vendorParameters.default([]),
  number_rules: numberRules.default([]),
  sender_rules: senderRules.default([]),
  text_rules: textRules.default([]),
  test_rate: z.int().min(0).max(100).default(0),
  enquire_link_seconds: rest.shape.enquire_link_seconds.default(30),
  response_seconds: rest.shape.response_seconds.default(30),
  bind_seconds: rest.shape.bind_seconds.default(10),
  enabled: z.boolean().default(true),
});

export const changedLink = linkSettings.partial().extend({ password: password.optional() });

/** Input of a bind test: the present settings of the form. */
export const bindAttempt = connection.extend({
  protocol: rest.shape.protocol.default('smpp'),
  /** Saved link that provides the password if none is given. */
  link_id: z.int().positive().nullable().default(null),
  password: password.default(null),
  tls_ca: connection.shape.tls_ca.default(null),
  tls_verify_name: z.boolean().default(true),
  system_type: connection.shape.system_type.default(''),
});
