import { z } from 'zod';
import { databaseSettings } from './database-settings.ts';
import { fileSettings } from './file-settings.ts';
import {
  addressList,
  baseUrl,
  folder,
  host,
  isAddressList,
  port,
  trustProxy,
  url,
  wholeNumber,
} from './setting-kinds.ts';

/** Description of a setting in docs/operations.md, beside its schema. */
export interface SettingNote {
  description: string;
  /** Allowed values, in words that fit after "it must be". */
  allowed: string;
  /** Default in words, as a row of the table shows it. */
  fallback: string;
  /** True if the value is, or contains, a secret: error lines then leave it out. */
  secret?: boolean;
}

/** Every setting: how its text is read, and its description in docs/operations.md. */
export const settings = {
  PORT: port('Port of the console and the HTTP API.', 8080),
  HOST: host('Address the console and the HTTP API listen on. 0.0.0.0 opens them to the network.'),
  DATA_DIR: folder.prefault('./data').meta({
    description: 'Folder for the embedded database, the generated key, and files unless FILES_DIR or S3_BUCKET is set.',
    allowed: 'a path to a folder',
    fallback: './data',
  }),
  ...fileSettings,
  BACKUP_DIR: folder.optional().meta({
    description:
      'Folder of backups, best on another disk. With it the embedded database archives its write-ahead log there, so that a restore may go to any second.',
    allowed: 'a path to a folder',
    fallback: 'unset: no archive',
  }),
  ...databaseSettings,
  SIMULATOR_SMPP_PORT: port('SMPP port of the carrier simulator.', 2775),
  SIMULATOR_HTTP_PORT: port("Port of the carrier simulator's page with the virtual handsets.", 2780),
  SMPP_SERVER_PORT: port('SMPP port for the binds of customers.', 2776),
  SMPP_SERVER_TLS_CERT: z.string().optional().meta({
    description: 'Certificate of the SMPP server, with its chain. With it the port speaks TLS from the first octet.',
    allowed: 'a path to a PEM file',
    fallback: 'unset: plain TCP',
  }),
  SMPP_SERVER_TLS_KEY: z.string().optional().meta({
    description: 'Private key of that certificate.',
    allowed: 'a path to a PEM file',
    fallback: 'unset',
  }),
  SMPP_SERVER_TLS_CLIENT_CA: z.string().optional().meta({
    description: 'Authorities of which customers must show a certificate of their own when they bind.',
    allowed: 'a path to a PEM file',
    fallback: 'unset: no certificate is asked for',
  }),
  SMPP_SERVER_PROXIES: addressList.default([]).meta({
    description:
      'Load balancers in front of the SMPP port. Their connections must begin with a PROXY header (version 1 or 2), which names the client; headers of others are not read.',
    allowed: 'a list of addresses and networks such as 10.0.0.5,10.1.0.0/16',
    fallback: 'unset: no PROXY headers',
  }),
  OPERATIONS_HOST: host(
    'Address on which each process answers /healthz, /readyz and /metrics. Open it to the network of the monitoring alone.',
  ),
  OPERATIONS_PORT: wholeNumber(0, 65_532).default(9464).meta({
    description:
      'Port of /healthz, /readyz and /metrics of the api; the worker has the next one, then the sender, then the smpp-server.',
    allowed: 'a whole number from 0 to 65532 (0 takes any free ports)',
    fallback: '9464, 9465, 9466, 9467',
  }),
  STOP_NOTICE_SECONDS: wholeNumber(0, 60).default(0).meta({
    description:
      'How long a process that is asked to stop goes on working while /readyz says 503 already, so that load balancers leave it first.',
    allowed: 'a whole number from 0 to 60',
    fallback: '0: it stops at once',
  }),
  NATS_URL: z
    .string()
    .refine((value) => value.split(',').every((each) => url('nats:', 'tls:').safeParse(each.trim()).success))
    .optional()
    .meta({
      description:
        'NATS servers that carry live events and wake-ups between processes, the same for all of them, as nats://user:password@host:4222; tls:// insists on TLS. Unset: PostgreSQL LISTEN/NOTIFY carries them.',
      allowed: 'a URL that starts with nats:// or tls://, or several with commas between them',
      fallback: 'unset',
      secret: true,
    }),
  NATS_CREDENTIALS: z.string().optional().meta({
    description: 'Credentials for NATS, as its `nsc` makes them, in place of a user in NATS_URL.',
    allowed: 'a path to a .creds file',
    fallback: 'unset',
  }),
  NATS_TLS_CA: z.string().optional().meta({
    description: "Authorities by which NATS' certificate is judged; with it TLS is insisted on.",
    allowed: 'a path to a PEM file',
    fallback: "unset: the system's",
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional().meta({
    description: 'Collector that takes traces by OTLP over HTTP (protobuf); /v1/traces follows.',
    allowed: 'a URL that starts with http:// or https://, such as http://127.0.0.1:4318',
    fallback: 'unset: no traces',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine((value) => value.split(',').every((each) => /^\s*[\w.-]+=[^\r\n]*$/.test(each)))
    .transform(
      (value): Readonly<Record<string, string>> =>
        Object.fromEntries(
          value.split(',').map((each) => {
            const at = each.indexOf('=');
            return [each.slice(0, at).trim(), decodeURIComponent(each.slice(at + 1).trim())];
          }),
        ),
    )
    .optional()
    .meta({
      description: 'Headers for that collector, as name=value,name=value.',
      allowed: 'pairs name=value with commas between them',
      fallback: 'unset',
      secret: true,
    }),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d{1,6})?|1(\.0+)?)$/)
    .default('1')
    .transform(Number)
    .meta({
      description: 'Share of the traces that are sent.',
      allowed: 'a number from 0 to 1, such as 0.01',
      fallback: '1: all',
    }),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info').meta({
    description: 'How much goes to the log.',
    allowed: 'one of silent, fatal, error, warn, info, debug, trace',
    fallback: 'info',
  }),
  SEED_DEMO: z.stringbool().optional().meta({
    description: 'Whether `npm start` fills an empty database with the demo tenants and their logins.',
    allowed: 'true or false',
    fallback: 'true for the embedded database, false where DATABASE_URL is set',
  }),
  DEMO_IN_PUBLIC: z.stringbool().default(false).meta({
    description:
      'Whether the demo may be on an address that other machines reach (HOST or PUBLIC_URL). Everybody knows its logins and their password.',
    allowed: 'true or false',
    fallback: 'false: the start is refused',
  }),
  TRUST_PROXY: trustProxy.default(false).meta({
    description: "Which reverse proxies' X-Forwarded-* headers are believed. Needed for client addresses behind one.",
    allowed: 'true, false, the number of proxies (1 to 9), or a list of addresses such as 10.0.0.0/8,127.0.0.1',
    fallback: 'false',
  }),
  CALLS_PER_MINUTE: wholeNumber(60, 10_000_000).default(3_000).meta({
    description:
      'Calls in a minute that one signed-in session may make, and one client address before anybody there has signed in or shown a good API key. Sign-in has its own, tighter count.',
    allowed: 'a whole number from 60 to 10000000',
    fallback: '3000',
  }),
  PUBLIC_URL: baseUrl.optional().meta({
    description: 'Address people reach the console under; links in e-mails start with it.',
    allowed: 'a URL that starts with http:// or https://',
    fallback: 'unset: http://HOST:PORT',
  }),
  SHORT_LINK_URL: baseUrl.optional().meta({
    description: 'What short links in texts begin with, a short domain that leads to the API; /s/ and a code follow.',
    allowed: 'a URL that starts with http:// or https://',
    fallback: 'unset: PUBLIC_URL',
  }),
  MAIL_URL: url('smtp:', 'smtps:').optional().meta({
    description:
      'Mail server for password links, as smtp://user:password@host:587 (smtps:// speaks TLS from the start).',
    allowed: 'a URL that starts with smtp:// or smtps://',
    fallback: 'unset: mails are written as files into DATA_DIR/mail',
    secret: true,
  }),
  MAIL_FROM: z.email().default('heliograph@localhost.localdomain').meta({
    description: 'Address that mails come from.',
    allowed: 'an e-mail address',
    fallback: 'heliograph@localhost.localdomain',
  }),
  PRIVATE_TARGETS: z
    .string()
    .refine(isAddressList)
    .transform((value): readonly string[] => value.split(','))
    .default([])
    .meta({
      description:
        "Private addresses that resellers' mail servers may have, for one's own network. Public ones are allowed anyway.",
      allowed: 'a list of addresses such as 10.0.0.0/8,192.168.1.25',
      fallback: 'unset: public addresses alone',
    }),
  HTTP_CALLBACKS: z.stringbool().default(false).meta({
    description: 'Whether callbacks may go to addresses without TLS (http://).',
    allowed: 'true or false',
    fallback: 'false: https:// alone',
  }),
  SECRET_KEY: z
    .string()
    .refine((value) => /^[A-Za-z0-9+/]{43}=$/.test(value))
    .optional()
    .meta({
      description:
        'Key that encrypts carrier passwords and other secrets at rest; the same on every machine. `openssl rand -base64 32` makes one.',
      allowed: '32 bytes in base64 (44 characters)',
      fallback: 'unset: created once in DATA_DIR/secret.key',
      secret: true,
    }),
};
