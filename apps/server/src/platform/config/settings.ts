import { z } from 'zod';
import { databaseSettings } from './database-settings.ts';
import { fileSettings } from './file-settings.ts';
import {
  addressList,
  baseUrl,
  dnsServers,
  folder,
  host,
  isAddressList,
  optionalPort,
  port,
  trustProxy,
  url,
  wholeNumber,
} from './setting-kinds.ts';
import { textModelSettings } from './text-model-settings.ts';

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
      'Folder for backups, best on another disk. The embedded database archives its write-ahead log there, so that a restore can go to any second.',
    allowed: 'a path to a folder',
    fallback: 'unset: no archive',
  }),
  ...databaseSettings,
  SIMULATOR_SMPP_PORT: port('SMPP port of the carrier simulator.', 2775),
  SIMULATOR_HTTP_PORT: port("Port of the carrier simulator's page with the virtual handsets.", 2780),
  PAYMENT_SIMULATOR_PORT: port('Port of the simulated payment providers and of their pages.', 2790),
  SMPP_SERVER_PORT: port('SMPP port for the binds of customers.', 2776),
  SMPP_SERVER_TLS_PORT: optionalPort(
    'Second SMPP port, which uses TLS from the first byte. If set, SMPP_SERVER_PORT stays plain TCP. It needs SMPP_SERVER_TLS_CERT.',
    'unset: one port',
  ),
  SMPP_SERVER_TLS_CERT: z.string().optional().meta({
    description:
      'Certificate of the SMPP server, with its chain. If set, SMPP_SERVER_PORT uses TLS from the first byte, or SMPP_SERVER_TLS_PORT if that is set.',
    allowed: 'a path to a PEM file',
    fallback: 'unset: plain TCP',
  }),
  SMPP_SERVER_TLS_KEY: z.string().optional().meta({
    description: 'Private key of that certificate.',
    allowed: 'a path to a PEM file',
    fallback: 'unset',
  }),
  SMPP_SERVER_TLS_CLIENT_CA: z.string().optional().meta({
    description:
      'Certificate authorities for client certificates. If set, customers need a certificate from one of them to bind.',
    allowed: 'a path to a PEM file',
    fallback: 'unset: no client certificate is required',
  }),
  SMPP_SERVER_PROXIES: addressList.default([]).meta({
    description:
      'Load balancers in front of the SMPP port. Their connections must begin with a PROXY header (version 1 or 2), which names the client. Headers from other addresses are ignored.',
    allowed: 'a list of addresses and networks such as 10.0.0.5,10.1.0.0/16',
    fallback: 'unset: no PROXY headers',
  }),
  OPERATIONS_HOST: host(
    'Address on which each process answers /healthz, /readyz and /metrics. Open it only to the network of your monitoring.',
  ),
  OPERATIONS_PORT: wholeNumber(0, 65_532).default(9464).meta({
    description:
      'Port of /healthz, /readyz and /metrics of the api. The worker uses the next port, then the sender, then the smpp-server.',
    allowed: 'a whole number from 0 to 65532 (0 takes any free ports)',
    fallback: '9464, 9465, 9466, 9467',
  }),
  SENDERS: wholeNumber(1, 16).optional().meta({
    description:
      'Largest number of sender processes that `npm start` runs. It starts another while one is busy with two links or more, and stops it after ten quiet minutes.',
    allowed: 'a whole number from 1 to 16',
    fallback: 'unset: one for every two processors',
  }),
  STOP_NOTICE_SECONDS: wholeNumber(0, 60).default(0).meta({
    description:
      'Seconds that a process continues to work after a stop signal, while /readyz already answers 503. Load balancers then leave it first.',
    allowed: 'a whole number from 0 to 60',
    fallback: '0: it stops immediately',
  }),
  NATS_URL: z
    .string()
    .refine((value) => value.split(',').every((each) => url('nats:', 'tls:').safeParse(each.trim()).success))
    .optional()
    .meta({
      description:
        'NATS servers that carry live events and wake-ups between processes, as nats://user:password@host:4222. Use the same for all processes; tls:// requires TLS.',
      allowed: 'a URL that starts with nats:// or tls://, or several with commas between them',
      fallback: 'unset: PostgreSQL LISTEN/NOTIFY carries them',
      secret: true,
    }),
  NATS_CREDENTIALS: z.string().optional().meta({
    description: 'Credentials file for NATS, made with `nsc`. It replaces a user in NATS_URL.',
    allowed: 'a path to a .creds file',
    fallback: 'unset',
  }),
  NATS_TLS_CA: z.string().optional().meta({
    description: 'Certificate authorities that the certificate of NATS is checked against. If set, TLS is required.',
    allowed: 'a path to a PEM file',
    fallback: "unset: the system's",
  }),
  ...textModelSettings,
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional().meta({
    description:
      'Address of the collector that receives traces by OTLP over HTTP (protobuf). /v1/traces is added to it.',
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
    description: 'Lowest level of the lines that are logged.',
    allowed: 'one of silent, fatal, error, warn, info, debug, trace',
    fallback: 'info',
  }),
  SEED_DEMO: z.stringbool().optional().meta({
    description: 'Whether `npm start` fills an empty database with the demo tenants and their logins.',
    allowed: 'true or false',
    fallback: 'true for the embedded database, false if DATABASE_URL is set',
  }),
  DEMO_IN_PUBLIC: z.stringbool().default(false).meta({
    description:
      'Whether the demo may run on an address that other machines reach (HOST or PUBLIC_URL). Its logins and their password are public.',
    allowed: 'true or false',
    fallback: 'false: the program does not start',
  }),
  TRUST_PROXY: trustProxy.default(false).meta({
    description:
      'Reverse proxies whose X-Forwarded-* headers are trusted. Behind a proxy it is needed for the addresses of clients.',
    allowed: 'true, false, the number of proxies (1 to 9), or a list of addresses such as 10.0.0.0/8,127.0.0.1',
    fallback: 'false',
  }),
  CALLS_PER_MINUTE: wholeNumber(60, 10_000_000).default(3_000).meta({
    description:
      'Maximum calls per minute of one signed-in session. The same limit holds for a client address without a session or a valid API key. Sign-in has its own lower limit.',
    allowed: 'a whole number from 60 to 10000000',
    fallback: '3000',
  }),
  PUBLIC_URL: baseUrl.optional().meta({
    description: 'Address at which people open the console. Links in emails begin with it.',
    allowed: 'a URL that starts with http:// or https://',
    fallback: 'unset: http://HOST:PORT',
  }),
  SHORT_LINK_URL: baseUrl.optional().meta({
    description:
      'Beginning of short links in texts: a short domain that leads to the API. /s/ and a code are added to it.',
    allowed: 'a URL that starts with http:// or https://',
    fallback: 'unset: PUBLIC_URL',
  }),
  MAIL_URL: url('smtp:', 'smtps:').optional().meta({
    description: 'Mail server for all emails, as smtp://user:password@host:587 (smtps:// uses TLS from the start).',
    allowed: 'a URL that starts with smtp:// or smtps://',
    fallback: 'unset: emails are written as files to DATA_DIR/mail',
    secret: true,
  }),
  MAIL_FROM: z.email().default('heliograph@localhost.localdomain').meta({
    description: 'Sender address of emails.',
    allowed: 'an email address',
    fallback: 'heliograph@localhost.localdomain',
  }),
  PRIVATE_TARGETS: z
    .string()
    .refine(isAddressList)
    .transform((value): readonly string[] => value.split(','))
    .default([])
    .meta({
      description:
        "Private addresses that resellers' mail servers may use, for servers in your own network. Public addresses are always allowed.",
      allowed: 'a list of addresses such as 10.0.0.0/8,192.168.1.25',
      fallback: 'unset: only public addresses',
    }),
  PRIVATE_CARRIERS: z
    .string()
    .refine((value) => value === 'none' || isAddressList(value))
    .transform((value): readonly string[] => (value === 'none' ? [] : value.split(',').map((entry) => entry.trim())))
    .optional()
    .meta({
      description:
        "Private addresses and networks at which carriers are reached, such as over a VPN. If set, links connect only to public addresses and to these. The connectivity test of the platform's own people may try these, too.",
      allowed: 'none, or a list of addresses and networks such as 10.8.0.0/16,192.168.1.25',
      fallback: 'unset: links may use any address, the connectivity test only public ones',
    }),
  DNS_SERVERS: dnsServers.default([]).meta({
    description: 'DNS servers that are asked for the records that prove email domains of identity providers.',
    allowed: 'a list of IP addresses, each with or without a port, such as 10.0.0.53,127.0.0.1:5353',
    fallback: 'unset: those of the system',
  }),
  HTTP_CALLBACKS: z.stringbool().default(false).meta({
    description: 'Whether callbacks may go to addresses without TLS (http://).',
    allowed: 'true or false',
    fallback: 'false: only https://',
  }),
  SECRET_KEY: z
    .string()
    .refine((value) => /^[A-Za-z0-9+/]{43}=$/.test(value))
    .optional()
    .meta({
      description:
        'Key that encrypts carrier passwords and other stored secrets. Use the same on every machine. To create one: `openssl rand -base64 32`.',
      allowed: '32 bytes in base64 (44 characters)',
      fallback: 'unset: created once in DATA_DIR/secret.key',
      secret: true,
    }),
};
