import { z } from 'zod';
import { instant, reference } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';
import { MESSAGE_CLASSES } from '../kernel/states.ts';

/** Meanings of data_coding 0 for the customer's program. */
const CHARSETS = ['gsm', 'gsm_packed', 'latin1', 'ascii'] as const;
/** Ways to treat a text in octets (data_coding 2 and 4). */
const OCTETS = ['refuse', 'latin1', 'utf8'] as const;

const address = z
  .string()
  .trim()
  .refine(
    (text) => {
      const [ip, bits, ...rest] = text.split('/');
      const version = z.ipv4().safeParse(ip).success ? 32 : z.ipv6().safeParse(ip).success ? 128 : 0;
      return version > 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= version));
    },
    { error: 'ip_or_network' },
  );

const input = z.object({
  corporation_id: reference('corporations'),
  /** Owner of the messages: this person pays for them, and this person's rules apply. */
  user_id: reference('users'),
  system_id: z
    .string()
    .trim()
    .regex(/^[!-~]{1,15}$/, { error: 'system_id' }),
  enabled: z.boolean(),
  /** Addresses and networks from which the program may bind; empty for all. */
  addresses: z.array(address).max(50),
  max_binds: z.int().min(1).max(100),
  /** Maximum requests of a bind that wait for an answer, in each direction. */
  window_size: z.int().min(1).max(10_000),
  /** Maximum messages a second over all its binds; null for the corporation's limit. */
  rate: z.int().min(1).max(100_000).nullable(),
  default_class: z.enum(MESSAGE_CLASSES),
  /** Classes that priority_flag can request: 1 transactional, 2 and 3 otp. */
  classes: z.array(z.enum(MESSAGE_CLASSES)).max(3),
  default_charset: z.enum(CHARSETS),
  octets: z.enum(OCTETS),
  receives_replies: z.boolean(),
});

/** Password; no answer shows it. SMPP 3.4 has room for 8 characters, but many programs send longer ones. */
const password = z.string().regex(/^[!-~]{8,64}$/, { error: 'smpp_password' });

/** System IDs: customers' programs bind to our SMPP server with them. */
export const systemId = resource({
  name: 'smpp-system-ids',
  proof: { create: 'always', update: 'sometimes' },
  row: input.extend({
    corporation_name: z.string(),
    user_name: z.string().nullable(),
    password_set_at: instant.nullable(),
    /** Number of present binds. */
    binds: z.int(),
    /** Number of receipts and replies that wait for the program. */
    waiting: z.int(),
  }),
  create: input.extend({
    /**
     * System ID; made if left out. Only the platform's people may choose it, because it is unique among all tenants.
     */
    system_id: input.shape.system_id.optional(),
    password,
    enabled: z.boolean().default(true),
    addresses: input.shape.addresses.default([]),
    max_binds: input.shape.max_binds.default(4),
    window_size: input.shape.window_size.default(100),
    rate: input.shape.rate.default(null),
    default_class: input.shape.default_class.default('transactional'),
    classes: input.shape.classes.default(['transactional']),
    default_charset: input.shape.default_charset.default('gsm'),
    octets: input.shape.octets.default('refuse'),
    receives_replies: z.boolean().default(false),
  }),
  update: input.omit({ corporation_id: true }).partial().extend({ password: password.optional() }),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    user_id: z.coerce.number().int().optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['system_id', 'corporation_name', 'user_name', 'created_at'],
  title: 'system_id',
  groups: {
    program: ['corporation_id', 'user_id', 'system_id', 'password', 'enabled'],
    connection: ['addresses', 'max_binds', 'window_size', 'rate'],
    messages: ['default_class', 'classes', 'default_charset', 'octets', 'receives_replies'],
  },
  conflicts: { smpp_system_id_system_id_key: 'system_id_already_exists' },
  unshown: { password: 'password_set_at' },
});
