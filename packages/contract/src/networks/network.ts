import { z } from 'zod';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { id, idText, instant, label } from '../kernel/fields.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber } from '../kernel/personal.ts';
import { resource } from '../kernel/resource.ts';

/** Most prefixes of one network. */
const MOST_PREFIXES = 20_000;

/** Region of a network by its two letters (ISO 3166-1). */
const country = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, { error: 'country' });
const mcc = z
  .string()
  .trim()
  .regex(/^\d{3}$/, { error: 'mcc' });
const mnc = z
  .string()
  .trim()
  .regex(/^\d{2,3}$/, { error: 'mnc' });
const prefix = z
  .string()
  .trim()
  .regex(/^[1-9]\d{0,14}$/, { error: 'prefix' });

const input = z.object({
  name: label(),
  country,
  /** Mobile country code and network code; both or none. */
  mcc: mcc.nullable(),
  mnc: mnc.nullable(),
  /** Further codes of the same network, such as 515-03. */
  other_codes: z
    .array(
      z
        .string()
        .trim()
        .regex(/^\d{3}-\d{2,3}$/, { error: 'network_code' }),
    )
    .max(200),
  /** First digits of its numbers, with the country code. */
  prefixes: z.array(prefix).max(MOST_PREFIXES),
  /** False if forms no longer offer it. Its numbers are found all the same. */
  enabled: z.boolean(),
});

/** Mobile network. A number is in the network of its longest prefix, unless a lookup says another one. */
export const network = resource({
  name: 'networks',
  row: input.extend({
    /** Name with country and code, such as Globe (PH 515-02). */
    label: z.string(),
    prefixes_count: z.int(),
    /** True if it comes with the product; it may be switched off, and not deleted. */
    shipped: z.boolean(),
  }),
  create: input.extend({
    mcc: input.shape.mcc.default(null),
    mnc: input.shape.mnc.default(null),
    other_codes: input.shape.other_codes.default([]),
    prefixes: input.shape.prefixes.default([]),
    enabled: z.boolean().default(true),
  }),
  update: input.partial(),
  filters: z.object({
    country: country.optional(),
    mcc: mcc.optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['label', 'country', 'mcc', 'prefixes_count', 'created_at'],
  title: 'label',
  conflicts: { network_name_key: 'network_already_exists', network_code_key: 'network_code_taken' },
});

/** Header of a file of prefixes. */
export const NETWORK_COLUMNS = ['country', 'mcc', 'mnc', 'name', 'prefix'] as const;

/**
 * Adds the prefixes of a file, as one version. A row names its network by MCC and MNC, or by country and name; a network
 * that is not there is added. A prefix of another network moves.
 */
export const uploadNetworks = bulkUploadOf('networks', 'networks-upload', z.object({}));

/** Tells the network of a number, and why. */
export const explainNetwork = operation({
  method: 'GET',
  path: '/api/v1/networks/explain',
  permission: 'networks-index',
  query: z.object({ number: z.string().trim().min(1).max(40) }),
  reply: z.object({
    data: z.object({
      number: personNumber(z.string()),
      /** Network by prefix, with that prefix; null if none is known. */
      by_prefix: z.object({ id, label: z.string(), prefix: z.string() }).nullable(),
      /** Answer of a lookup, which counts before the prefix; null without one that is not too old. */
      by_lookup: z
        .object({
          /** Null if the service does not know its network. */
          label: z.string().nullable(),
          /** True if nobody has the number. */
          dead: z.boolean(),
          source: z.string(),
          looked_up_at: instant,
        })
        .nullable(),
    }),
  }),
});

const version = z.object({
  id,
  in_force_at: instant,
  /** Origin: the table that ships, a form, a file, or the return to an earlier version. */
  source: z.enum(['shipped', 'form', 'upload']),
  user_name: z.string().nullable(),
  /** Networks whose prefixes changed, and the prefixes that came and went. */
  networks: z.int(),
  added: z.int(),
  removed: z.int(),
});

/** Lists the versions of all prefixes, newest first. */
export const networkVersions = operation({
  method: 'GET',
  path: '/api/v1/network-versions',
  permission: 'networks-index',
  query: cursorQuery,
  reply: cursorReply(version),
});

/** Sets all prefixes back to those of an earlier version, as a new version. */
export const restoreNetworkVersion = operation({
  method: 'POST',
  path: '/api/v1/network-versions/:id/restore',
  permission: 'networks-upload',
  params: z.object({ id: idText }),
  reply: z.object({ data: z.object({ version: z.int() }), message: z.string() }),
  errors: ['not_found'],
});
