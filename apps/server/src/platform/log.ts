import { createRequire } from 'node:module';
import { type Logger, pino } from 'pino';
import type { PinoPretty } from 'pino-pretty';
import type { Config } from './config/config.ts';
import { traceIds } from './operate/tracing.ts';

export type { Logger };

/** Loads what makes lines readable, which only a terminal needs: every process would hold it in memory. */
const pretty = (): typeof PinoPretty => createRequire(import.meta.url)('pino-pretty');

const SECRET_KEYS = new Set(
  'password,passwd,token,access_token,refresh_token,authorization,cookie,set-cookie,secret,client_secret,secret_key,api_key,otp,code_hash,text,content,message_text,short_message,body'.split(
    ',',
  ),
);
const NUMBER_KEYS = new Set(
  'msisdn,number,numbers,phone,mobile,recipient,recipients,destination,destination_addr,to,from'.split(','),
);
const MAX_DEPTH = 6;

let take: ((line: string) => void) | undefined;

/** Copies this process's log to `to` from now on, line by line as JSON; undefined ends that. */
export function alsoLogTo(to: ((line: string) => void) | undefined): void {
  take = to;
}

/** Hides all but the last three digits of every run of digits that is as long as an MSISDN. */
export function maskNumbers(text: string): string {
  return text.replace(/\+?\d{7,15}/g, (number) => `…${number.slice(-3)}`);
}

function redacted(key: string, value: unknown, depth: number): unknown {
  const name = key.toLowerCase();
  if (SECRET_KEYS.has(name)) return '[redacted]';
  if (NUMBER_KEYS.has(name) && (typeof value === 'string' || typeof value === 'number')) {
    return maskNumbers(String(value));
  }
  if (value === null || typeof value !== 'object' || value instanceof Error) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.map((entry) => redacted(key, entry, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? redactedRecord(value, depth + 1) : value;
}

function redactedRecord(record: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, redacted(key, value, depth)]));
}

interface LoggableError extends Error {
  code?: string;
  constraint?: string;
  table?: string;
}

/** Describes an error for the log. PostgreSQL's detail and parameters are left out, because they quote the rows. */
function describeError(error: LoggableError): Record<string, unknown> {
  // Class 22 (data exception) quotes the value that did not fit.
  const quotesData = error.code?.startsWith('22') === true;
  return {
    type: error.name,
    message: quotesData ? `data exception ${error.code}` : maskNumbers(error.message),
    stack: quotesData ? undefined : maskNumbers(error.stack ?? ''),
    code: error.code,
    constraint: error.constraint,
    table: error.table,
    cause: error.cause instanceof Error ? describeError(error.cause) : undefined,
  };
}

/**
 * Creates the log of a process: JSON lines on stdout, or readable lines on a terminal. Passwords, tokens, message text
 * and MSISDNs are removed by key at any depth. MSISDNs are also removed from error messages.
 */
export function createLogger(
  config: Pick<Config, 'LOG_LEVEL'>,
  name: string,
  destination: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): Logger {
  const stream = destination.isTTY
    ? pretty()({ colorize: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', destination, sync: true })
    : destination;
  return pino(
    {
      name,
      level: config.LOG_LEVEL,
      mixin: traceIds,
      formatters: { log: (record) => redactedRecord(record) },
      serializers: { err: describeError, error: describeError },
    },
    {
      write(line: string) {
        stream.write(line);
        take?.(line);
      },
    },
  );
}
