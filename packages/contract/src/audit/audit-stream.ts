import { z } from 'zod';
import { EVENT_TYPES } from '../kernel/events.ts';
import { id, instant, label, newSecret, reference, text, url } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply, resource } from '../kernel/resource.ts';
import { FILE_FAULTS } from '../scheduled-files/scheduled-file.ts';

/** What a stream sends: entries of the activity log, or events as programs get them. */
export const STREAM_CONTENTS = ['audit', 'events'] as const;
/** Kinds of receivers. Syslog gets entries of the log only. */
export const STREAM_DESTINATIONS = ['syslog', 'https', 's3', 'kafka', 'nats'] as const;
/** How a program signs in to Kafka: by SASL/PLAIN, or by SCRAM (RFC 5802). */
export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

const SERVER = /^(\[[0-9a-f:]+\]|[a-z0-9.-]+):([1-9]\d{0,4})$/i;

/** Reads `host:port` of each server of a list; undefined if one is wrong. */
export function readServers(text: string): { host: string; port: number }[] | undefined {
  const servers = text.split(/[\s,]+/).filter((each) => each !== '');
  const read = servers
    .map((each) => SERVER.exec(each))
    .map((found) => found && { host: found[1]!.replace(/^\[|\]$/g, ''), port: Number(found[2]) });
  return read.length > 0 && read.every((each) => each !== null && each.port <= 65_535)
    ? (read as { host: string; port: number }[])
    : undefined;
}

const withoutLogin = (value: string) => !/^[a-z]+:\/\/[^/?#]*@/i.test(value);
const address = url.refine(withoutLogin, { error: 'url_credentials' });

const input = z.object({
  /** Corporation whose entries are sent; a reseller's include those of its customers. Empty for the whole platform. */
  corporation_id: reference('corporations').nullable(),
  name: label(60),
  enabled: z.boolean(),
  contents: z.enum(STREAM_CONTENTS),
  /** Types of events that are sent; none means all. */
  types: z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length),
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
  /** ID of the access key, or user of Kafka or NATS. */
  username: label(200).nullable(),
  /** Servers of Kafka or NATS as `host:port`, with commas between them. */
  servers: label(500)
    .refine((value) => readServers(value) !== undefined, { error: 'servers' })
    .nullable(),
  /** Topic of Kafka, or the beginning of the subjects of NATS, to which the type of the event is added. */
  topic: z
    .string()
    .regex(/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/, { error: 'topic' })
    .max(200)
    .nullable(),
  /** Whether the connection to Kafka or NATS has TLS. */
  encrypted: z.boolean(),
  sign_in: z.enum(SASL_MECHANISMS),
});
const { shape } = input;

/** Stream of the activity log in OCSF, or of events, to a receiver of a customer. */
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
    contents: shape.contents.default('audit'),
    types: shape.types.default([]),
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
    servers: shape.servers.default(null),
    topic: shape.topic.default(null),
    encrypted: shape.encrypted.default(true),
    sign_in: shape.sign_in.default('scram-sha-512'),
    /** Secret of the access key; never answered. */
    secret: newSecret.nullable().default(null),
  }),
  update: input
    .omit({ corporation_id: true, contents: true, destination: true })
    .extend({ secret: newSecret.nullable() })
    .partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    contents: shape.contents.optional(),
    destination: shape.destination.optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'corporation_name', 'created_at'],
  title: 'name',
  conflicts: { audit_stream_name_key: 'audit_stream_already_exists' },
  // A person who changes or removes a stream could hide what comes next.
  proof: { create: 'always', update: 'always', remove: 'always' },
  groups: {
    content: ['contents', 'types', 'corporation_id', 'name', 'enabled'],
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
      'servers',
      'topic',
      'encrypted',
      'sign_in',
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
