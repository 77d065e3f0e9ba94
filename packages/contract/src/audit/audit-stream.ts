import { z } from 'zod';
import { id, instant, label, newSecret, reference, text, url } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { FILE_FAULTS } from '../scheduled-files/scheduled-file.ts';

/** Kinds of receivers of the activity log. */
export const STREAM_DESTINATIONS = ['syslog', 'https', 's3'] as const;

const withoutLogin = (value: string) => !/^[a-z]+:\/\/[^/?#]*@/i.test(value);
const address = url.refine(withoutLogin, { error: 'url_credentials' });

const input = z.object({
  /** Corporation whose entries are sent; a reseller's include those of its customers. Empty for the whole platform. */
  corporation_id: reference('corporations').nullable(),
  name: label(60),
  enabled: z.boolean(),
  destination: z.enum(STREAM_DESTINATIONS),
  /** Host and port of a syslog server with TLS (RFC 5425). */
  host: label(253).nullable(),
  port: z.int().min(1).max(65_535),
  /** Certificates in PEM from which the server's must come; empty for those that are known publicly. */
  ca: text(20_000).nullable(),
  /** Address to which entries are posted. */
  url: address.nullable(),
  /** Address, region and bucket of an S3-compatible storage, and the prefix of its objects. */
  endpoint: address.nullable(),
  region: label(40),
  bucket: label(63).nullable(),
  folder: text(200),
  /** ID of the access key. */
  username: label(200).nullable(),
});
const { shape } = input;

/** Stream of the activity log to a receiver of a customer, in OCSF. */
export const auditStream = resource({
  name: 'audit-streams',
  row: input.extend({
    corporation_name: z.string().nullable(),
    has_secret: z.boolean(),
    /** Place in the log up to which everything was sent. */
    position: z.int(),
    /** Reason why the last try failed. */
    error: z.enum(FILE_FAULTS).nullable(),
    failing_since: instant.nullable(),
    sent_at: instant.nullable(),
  }),
  create: z.object({
    corporation_id: shape.corporation_id.default(null),
    name: shape.name,
    enabled: shape.enabled.default(true),
    destination: shape.destination,
    host: shape.host.default(null),
    port: shape.port.default(6514),
    ca: shape.ca.default(null),
    url: shape.url.default(null),
    endpoint: shape.endpoint.default(null),
    region: shape.region.default('us-east-1'),
    bucket: shape.bucket.default(null),
    folder: shape.folder.default(''),
    username: shape.username.default(null),
    /** Secret of the access key; never answered. */
    secret: newSecret.nullable().default(null),
  }),
  update: input.omit({ corporation_id: true, destination: true }).extend({ secret: newSecret.nullable() }).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    destination: shape.destination.optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'corporation_name', 'created_at'],
  title: 'name',
  conflicts: { audit_stream_name_key: 'audit_stream_already_exists' },
  // A person who changes or removes a stream could hide what comes next.
  proof: { create: 'always', update: 'always', remove: 'always' },
  groups: {
    content: ['corporation_id', 'name', 'enabled'],
    destination: [
      'destination',
      'host',
      'port',
      'ca',
      'url',
      'endpoint',
      'region',
      'bucket',
      'folder',
      'username',
      'secret',
    ],
  },
});

/** Creates the secret that signs posted entries, as callbacks are signed. Only this answer shows it. */
export const newStreamSecret = operation({
  method: 'POST',
  path: '/api/v1/audit-streams/:id/secret',
  permission: 'audit-streams-edit',
  proof: 'always',
  params: idParams,
  reply: oneReply(z.object({ id, secret: z.string() })),
  errors: ['not_found', 'invalid_transition'],
});
