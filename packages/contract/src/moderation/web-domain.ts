import { z } from 'zod';
import { id, instant, reference } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { resource } from '../kernel/resource.ts';

/**
 * Modes of the check of web addresses in texts: none, count those that break the rules, or refuse their texts.
 */
export const WEB_LINK_MODES = ['off', 'shadow', 'enforced'] as const;
export type WebLinkMode = (typeof WEB_LINK_MODES)[number];

/** Reasons for which a web address may not be sent. */
export const WEB_LINK_REASONS = ['not_allowed', 'refused', 'shortener', 'address', 'look_alike'] as const;
export type WebLinkReason = (typeof WEB_LINK_REASONS)[number];

const input = z.object({
  /** Domain without scheme and path, such as `example.com`; letters of other scripts or their form with `xn--`. */
  domain: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u, { error: 'web_domain' }),
  /** True allows or refuses every name below the domain too. */
  subdomains: z.boolean(),
  verdict: z.enum(['allowed', 'refused']),
  /** Corporation that may use the domain; empty for all, which only the platform may decide. */
  corporation_id: reference('corporations').nullable(),
  /** Sender ID for which it counts; empty for all of the corporation. */
  sender_id_id: reference('sender-ids').nullable(),
});

/** Domain that may stand in texts, or that may not. The list has an effect where web addresses are checked. */
export const webDomain = resource({
  name: 'web-domains',
  row: input.extend({
    domain: z.string(),
    /** Domain in the form of DNS: with `xn--` if it has letters of another script. */
    ascii: z.string(),
    corporation_name: z.string().nullable(),
    sender_id_name: z.string().nullable(),
  }),
  create: input.extend({
    subdomains: z.boolean().default(true),
    verdict: input.shape.verdict.default('allowed'),
    corporation_id: input.shape.corporation_id.default(null),
    sender_id_id: input.shape.sender_id_id.default(null),
  }),
  update: input.omit({ corporation_id: true, sender_id_id: true }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    verdict: input.shape.verdict.optional(),
  }),
  sort: ['domain', 'corporation_name', 'created_at'],
  title: 'domain',
  conflicts: { web_domain_key: 'web_domain_already_exists' },
});

/** Lists the domains in texts that broke the rules, by day, newest first. */
export const webLinks = listing({
  path: '/api/v1/web-links',
  permission: 'web-links-index',
  row: z.object({
    id,
    day: z.iso.date(),
    corporation_id: id,
    corporation_name: z.string(),
    sender_id: z.string(),
    /** Domain as people read it, followed by its form in DNS if that differs. */
    domain: z.string(),
    reason: z.enum(WEB_LINK_REASONS),
    /** False if the texts were only counted and sent. */
    refused: z.boolean(),
    /** Number of texts. */
    messages: z.int(),
    last_at: instant,
  }),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    reason: z.enum(WEB_LINK_REASONS).optional(),
    refused: z.stringbool().optional(),
    search: z.string().trim().max(100).optional(),
  }),
  errors: ['malformed_request'],
});
