import { z } from 'zod';
import { id, instant, label, newSecret, reference, text, url } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams, oneReply, resource } from '../kernel/resource.ts';

/** Periods of a file, in the owner's time zone. */
export const FILE_PERIODS = ['hour', 'day'] as const;
/** Kinds of destinations. */
export const FILE_DESTINATIONS = ['sftp', 's3'] as const;

/** Version of the columns and of the manifest. It is in the name of each file. */
export const FILE_SCHEMA = 1;

/** Columns of a file with messages, in order, by version 1 of the schema. */
export const FILE_COLUMNS = [
  'id',
  'created_at',
  'corporation_id',
  'corporation_name',
  'campaign_id',
  'campaign_name',
  'user_name',
  'sender_id',
  'number',
  'name',
  'text',
  'encoding',
  'parts',
  'state',
  'error_code',
  'charge',
  'currency',
  'done_at',
] as const;

/** Reasons why a file has not arrived, or why a test failed. */
export const FILE_FAULTS = [
  'unknown_host',
  'address_not_allowed',
  'port_not_allowed',
  'unreachable',
  'timeout',
  'tls',
  'host_key_unconfirmed',
  'host_key_changed',
  'sign_in_refused',
  'folder_missing',
  'not_permitted',
  'bucket_missing',
  'topic_missing',
  'other_file',
  'interrupted',
  'refused',
] as const;
export type FileFault = (typeof FILE_FAULTS)[number];

/** SHA-256 fingerprint of an SSH host key, as OpenSSH prints it. */
const hostKey = z.string().regex(/^SHA256:[A-Za-z0-9+/]{43}$/, { error: 'host_key' });

const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, { error: 'control_characters' });

const input = z.object({
  /** Corporation whose messages are in the files; those of a reseller hold its customers' too. Empty for the platform. */
  corporation_id: reference('corporations').nullable(),
  name: label(60),
  every: z.enum(FILE_PERIODS),
  /** Hours after a period's end in which receipts may still arrive, before its file is written. */
  wait_hours: z.int().min(1).max(168),
  /** True if the texts of messages are in the files. */
  texts: z.boolean(),
  /** True if the numbers in the files are whole; otherwise they are masked. */
  numbers: z.boolean(),
  enabled: z.boolean(),
  destination: z.enum(FILE_DESTINATIONS),
  /** Host name or address of an SFTP server. */
  host: oneLine(253).nullable(),
  port: z.int().min(1).max(65_535),
  /** Address of the API of an S3-compatible storage. */
  endpoint: url.refine((value) => !/^[a-z]+:\/\/[^/?#]*@/i.test(value), { error: 'url_credentials' }).nullable(),
  region: oneLine(40).min(1),
  bucket: oneLine(63).nullable(),
  /** Folder on the server, or prefix of the objects; empty for the place of the sign-in. */
  folder: oneLine(200),
  /** User on the server, or ID of the access key. */
  username: label(200),
});
const { shape } = input;
const secrets = {
  /** Password on the server, or secret of the access key; never answered. */
  secret: newSecret.nullable(),
  /** Private key in OpenSSH or PEM form, without a passphrase; never answered. */
  private_key: text(8000).nullable(),
};

/** Files with the messages of each hour or day, which are sent to an SFTP server or an S3 bucket of the customer. */
export const scheduledFile = resource({
  name: 'scheduled-files',
  row: input.extend({
    corporation_name: z.string().nullable(),
    /** Fingerprint of the server's key that a person confirmed; null if none did. */
    host_key: z.string().nullable(),
    has_secret: z.boolean(),
    has_private_key: z.boolean(),
    /** End of the last period that was sent; null if none was. */
    sent_until: instant.nullable(),
    /** Time since which the destination has failed; null if the last try succeeded. */
    failing_since: instant.nullable(),
  }),
  create: z.object({
    corporation_id: shape.corporation_id.default(null),
    name: shape.name,
    every: shape.every.default('day'),
    wait_hours: shape.wait_hours.default(24),
    texts: shape.texts.default(false),
    numbers: shape.numbers.default(true),
    enabled: shape.enabled.default(true),
    destination: shape.destination,
    host: shape.host.default(null),
    port: shape.port.default(22),
    endpoint: shape.endpoint.default(null),
    region: shape.region.default('us-east-1'),
    bucket: shape.bucket.default(null),
    folder: shape.folder.default(''),
    username: shape.username,
    secret: secrets.secret.default(null),
    private_key: secrets.private_key.default(null),
  }),
  update: input.omit({ corporation_id: true, destination: true }).extend(secrets).partial(),
  filters: z.object({
    corporation_id: z.coerce.number().int().optional(),
    destination: shape.destination.optional(),
    enabled: z.stringbool().optional(),
  }),
  sort: ['name', 'corporation_name', 'created_at'],
  title: 'name',
  conflicts: { scheduled_file_name_key: 'scheduled_file_already_exists' },
  // A person who changes a destination could take messages out of the house.
  proof: { create: 'always', update: 'always' },
  groups: {
    content: ['corporation_id', 'name', 'every', 'wait_hours', 'texts', 'numbers', 'enabled'],
    destination: [
      'destination',
      'host',
      'port',
      'endpoint',
      'region',
      'bucket',
      'folder',
      'username',
      'secret',
      'private_key',
    ],
  },
  changedElsewhere: ['host_key'],
});

/**
 * Connects to the destination. A server whose key nobody confirmed is only asked for its key. Otherwise a small file is
 * written, renamed and removed.
 */
export const testScheduledFile = operation({
  method: 'POST',
  path: '/api/v1/scheduled-files/:id/test',
  permission: 'scheduled-files-edit',
  params: idParams,
  reply: oneReply(
    z.object({
      /** Reason of the failure; null if a file arrived. */
      fault: z.enum(FILE_FAULTS).nullable(),
      /** Fingerprint of the key that the server showed; null for S3, or if nobody answered. */
      host_key: z.string().nullable(),
    }),
  ),
  errors: ['not_found'],
});

/** Confirms the key of a server. From then on, files are sent only to a server with this key. */
export const confirmHostKey = operation({
  method: 'POST',
  path: '/api/v1/scheduled-files/:id/host-key',
  permission: 'scheduled-files-edit',
  params: idParams,
  body: z.object({ host_key: hostKey }),
  reply: doneReply,
  errors: ['not_found'],
});

const RUN_STATES = ['waiting', 'sent'] as const;

/** Lists the periods of scheduled files, the newest first. */
export const scheduledFileRuns = listing({
  path: '/api/v1/scheduled-file-runs',
  permission: 'scheduled-files-show',
  row: z.object({
    id,
    scheduled_file_id: id,
    scheduled_file_name: z.string(),
    corporation_name: z.string().nullable(),
    period_start: instant,
    period_end: instant,
    /** Time zone in which the period is an hour or a day. */
    timezone: z.string(),
    /** Name of the file at its destination. */
    file_name: z.string(),
    state: z.enum(RUN_STATES),
    /** Number of messages; null until the file is written. */
    rows: z.int().nullable(),
    bytes: z.int().nullable(),
    sha256: z.string().nullable(),
    /** SHA-256 of the file of the period before; null for the first. */
    previous_sha256: z.string().nullable(),
    tries: z.int(),
    /** Reason why the last try failed. */
    error: z.enum(FILE_FAULTS).nullable(),
    /** True if the content is still kept, so that it can be sent again. */
    kept: z.boolean(),
    written_at: instant.nullable(),
    next_at: instant.nullable(),
    sent_at: instant.nullable(),
  }),
  filters: z.object({
    scheduled_file_id: z.coerce.number().int().optional(),
    state: z.enum(RUN_STATES).optional(),
  }),
});

/** Sends the file of a period again: the same bytes under the same name. */
export const sendFileAgain = operation({
  method: 'POST',
  path: '/api/v1/scheduled-file-runs/:id/send',
  permission: 'scheduled-files-edit',
  params: idParams,
  reply: doneReply,
  status: 202,
  errors: ['not_found', 'scheduled_file_gone'],
});
