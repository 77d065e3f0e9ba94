import { z } from 'zod';
import { parseDatabaseUrl } from '../database/url.ts';
import { databaseUrl, wholeNumber } from './setting-kinds.ts';

/** Settings of PostgreSQL: the primary, its pooler, the standby for reports, and the embedded one. */
export const databaseSettings = {
  DATABASE_URL: databaseUrl.optional().meta({
    description:
      'PostgreSQL 18 to use, as postgres://user:password@host:5432/database. Of several hosts (a:5432,b:5432) the writable one is used. The user owns the tables and may create roles.',
    allowed:
      'a URL that starts with postgres:// or postgresql://, without target_session_attrs or with read-write; characters such as # @ / in the password are percent-encoded (%23 %40 %2F)',
    fallback: 'unset: `npm start` runs an embedded PostgreSQL in DATA_DIR',
    secret: true,
  }),
  DATABASE_ROLE_PASSWORD: z
    .string()
    .min(16)
    .max(200)
    .regex(/^[\x21-\x7e]+$/)
    .optional()
    .meta({
      description:
        'Password of the database logins heliograph_api, heliograph_auth, heliograph_intake, heliograph_sender and heliograph_worker, which the processes use. Use the same on every machine. `npm run migrate` sets it for the logins. To create one: `openssl rand -hex 24`.',
      allowed: '16 to 200 ASCII characters without spaces',
      fallback:
        'created once for the embedded database; with DATABASE_URL unset: processes sign in as its user and take these roles',
      secret: true,
    }),
  POOLER_URL: databaseUrl.optional().meta({
    description:
      'PgBouncer in transaction mode for requests of people and programs, as postgres://user:password@host:6432/database. Everything else goes to DATABASE_URL. `npm run pooler-config` writes its configuration.',
    allowed:
      'a URL that starts with postgres:// or postgresql://; characters such as # @ / in the password are percent-encoded (%23 %40 %2F)',
    fallback: 'unset: everything goes to DATABASE_URL',
    secret: true,
  }),
  REPORTS_DATABASE_URL: databaseUrl
    .refine((value) => parseDatabaseUrl(value)?.readWrite === false)
    .optional()
    .meta({
      description:
        'Standby for reports, the dashboard and exports, as postgres://user:password@standby:5432/database. If it is unavailable or too far behind, the primary answers.',
      allowed:
        'a URL of one host that starts with postgres:// or postgresql://, without target_session_attrs; characters such as # @ / in the password are percent-encoded (%23 %40 %2F)',
      fallback: 'unset: everything is read from the primary',
      secret: true,
    }),
  REPORTS_MAX_LAG_SECONDS: wholeNumber(1, 86_400).default(10).meta({
    description: 'Maximum lag, in seconds, at which that standby is still used.',
    allowed: 'a whole number of seconds from 1 to 86400',
    fallback: '10',
  }),
  DATABASE_PORT: wholeNumber(0, 65_535).default(0).meta({
    description: 'Port of the embedded PostgreSQL on 127.0.0.1. 0 takes a free port at the first start and keeps it.',
    allowed: 'a whole number from 0 to 65535',
    fallback: '0',
  }),
};
