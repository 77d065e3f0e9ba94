import { z } from 'zod';
import { label, reference, text, url } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';
import { shownTimeZone, timeZone } from '../kernel/time-zones.ts';
import { WEB_LINK_MODES } from '../moderation/web-domain.ts';

/** Maximum messages a second; empty if it has no limit of its own. */
const throughput = z.int().min(1).max(100_000).nullable();

/** Host name alone, in small letters. */
export const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .max(100)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/, { error: 'host_name' });

const input = z.object({
  name: label(),
  currency: z.string().regex(/^[A-Z]{3}$/, { error: 'currency' }),
  timezone: timeZone,
  callback_url: url.nullable(),
  sales_code: label(50).nullable(),
  reseller_id: reference('corporations').nullable(),
  throughput,
  api_throughput: throughput,
  campaign_alerts: z.boolean(),
  opt_out_message: text(160).nullable(),
  /** Mode of the check of web addresses in the corporation's texts; empty for the platform's setting. */
  web_links: z.enum(WEB_LINK_MODES).nullable(),
  /** True lets commercial messages go only to people who opted in. */
  requires_consent: z.boolean(),
  /** True keeps who clicked a short link; false only counts clicks, and takes the numbers from those of the past. */
  names_clicks: z.boolean(),
  /** Days after which short links of a campaign end; empty for never. */
  short_link_days: z.int().min(1).max(3_650).nullable(),
  /** Host of its short links; empty for that of its reseller or of the platform. It answers nothing but these links. */
  short_link_host: hostName.nullable(),
  /** Opt-outs of 1,000 delivered messages above which a running campaign pauses; empty for never. */
  opt_outs_per_thousand: z.int().min(1).max(1_000).nullable(),
  /** True lets its campaigns and programs give values of vendor parameters. */
  gives_parameters: z.boolean(),
  enabled: z.boolean(),
});

export const corporation = resource({
  name: 'corporations',
  row: input.extend({ timezone: shownTimeZone, is_reseller: z.boolean(), reseller_name: z.string().nullable() }),
  create: input.extend({
    currency: input.shape.currency.default('PHP'),
    timezone: timeZone.default('Asia/Manila'),
    callback_url: input.shape.callback_url.default(null),
    sales_code: input.shape.sales_code.default(null),
    reseller_id: input.shape.reseller_id.default(null),
    throughput: throughput.default(null),
    api_throughput: throughput.default(null),
    campaign_alerts: z.boolean().default(false),
    opt_out_message: input.shape.opt_out_message.default(null),
    web_links: input.shape.web_links.default(null),
    requires_consent: z.boolean().default(false),
    names_clicks: z.boolean().default(true),
    short_link_days: input.shape.short_link_days.default(null),
    short_link_host: input.shape.short_link_host.default(null),
    opt_outs_per_thousand: input.shape.opt_outs_per_thousand.default(null),
    gives_parameters: z.boolean().default(false),
    enabled: z.boolean().default(true),
  }),
  // Only `assignReseller` changes the reseller, because it first shows the people to be downgraded.
  update: input.omit({ reseller_id: true }).partial().extend({
    /** True with `enabled: false` also switches off a reseller's customers, until it is switched on again. */
    with_customers: z.boolean().optional(),
  }),
  filters: z.object({
    enabled: z.stringbool().optional(),
    is_reseller: z.stringbool().optional(),
    reseller_id: z.coerce.number().int().optional(),
  }),
  sort: ['name', 'created_at'],
  title: 'name',
  groups: {
    general: ['name', 'currency', 'timezone', 'sales_code', 'reseller_id', 'enabled'],
    sending: [
      'throughput',
      'api_throughput',
      'opt_out_message',
      'web_links',
      'requires_consent',
      'gives_parameters',
      'opt_outs_per_thousand',
    ],
    links: ['names_clicks', 'short_link_days', 'short_link_host'],
    reports: ['campaign_alerts', 'callback_url'],
  },
  conflicts: {
    corporation_name_key: 'corporation_already_exists',
    corporation_short_link_host_key: 'short_link_host_taken',
  },
  errors: ['own_corporation'],
});
