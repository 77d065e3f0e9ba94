import { ERRORS, type ErrorCode } from '../kernel/errors.ts';
import { OUTAGES } from '../kernel/outages.ts';
import type { PublicOperation } from '../kernel/public-operation.ts';

// Answers in the document of the public API: their headers, and the one body of errors.

/** Errors that any call of the public API may answer. */
export const COMMON_ERRORS = [
  'malformed_request',
  'unauthenticated',
  'forbidden',
  'scope_missing',
  'address_not_allowed',
  'key_ended',
  'service_account_disabled',
  'key_for_agents',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'too_many_requests',
  'internal_error',
  'unavailable',
  'changes_paused',
  'changes_unconfirmed',
] as const satisfies readonly ErrorCode[];

/** A JSON value of the document. */
export type Json = Record<string, unknown>;

export const PROBLEM: Json = {
  type: 'object',
  description:
    'RFC 9457. `code` is for programs. `message` and `errors` are for people and name the field and the fix.',
  required: ['type', 'title', 'status', 'code', 'request_id', 'message'],
  properties: {
    type: {
      type: 'string',
      format: 'uri-reference',
      description: 'Address of a page about this kind of error, relative to the address of the call.',
      examples: ['/problems/insufficient_credit'],
    },
    title: { type: 'string', description: 'Name of this kind of error, the same each time.' },
    status: { type: 'integer' },
    code: { type: 'string' },
    reason: {
      type: 'string',
      enum: Object.keys(OUTAGES),
      description: 'Cause of the code `unavailable`, if it is known. The header Retry-After has the seconds to wait.',
    },
    detail: { type: 'string' },
    request_id: { type: 'string', description: 'Id of the call. Include it when you ask about the call.' },
    message: { type: 'string' },
    errors: {
      type: 'object',
      description: 'Sentences by field; `recipients.3.to` is the `to` of the fourth recipient.',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  },
};

const header = (description: string, schema: Json = { type: 'string' }): Json => ({ description, schema });

/** Headers of answers, by name. */
export const HEADERS = {
  RateLimit: header('Rest of a limit, and seconds until it is full again: `"messages";r=9;t=1`.'),
  'RateLimit-Policy': header('Limit: quantity, and the seconds in which it holds: `"messages";q=10;w=1`.'),
  'Retry-After': header('Seconds to wait before the next attempt.', { type: 'integer', minimum: 1 }),
  'Idempotent-Replayed': header('Present if this is the answer to an earlier request with the same Idempotency-Key.', {
    type: 'string',
    enum: ['true'],
  }),
  Location: header('Address of the accepted record.', { type: 'string', format: 'uri-reference' }),
  ETag: header('Version of this answer. Send it in If-None-Match: the answer is 304 while nothing has changed.'),
  'WWW-Authenticate': header('How to authenticate, by RFC 6750.'),
  Deprecation: header('Time since when this call should not be used, by RFC 9745: `@` and seconds since 1970.'),
  Sunset: header('Time from which this call may no longer work, by RFC 8594.'),
  Link: header('Address of the page about the deprecation.'),
} as const satisfies Record<string, Json>;
type Header = keyof typeof HEADERS;

const named = (names: readonly Header[]): Json =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) };

const OF_STATUS: Readonly<Record<number, readonly Header[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

/** Names of the statuses of successful answers (RFC 9110 clause 15.3). */
export const STATUS_NAMES: Readonly<Record<string, string>> = { '200': 'OK', '202': 'Accepted' };

/** Returns the answers of a call by status; `reply` is the content of the successful one. */
export function answersOf(o: PublicOperation, reply: Json): Json {
  const reads = o.method === 'GET' && o.media !== 'text/event-stream';
  const sends = o.status === 202;
  const own: Header[] = sends
    ? ['Location', 'RateLimit', 'RateLimit-Policy', 'Idempotent-Replayed']
    : reads
      ? ['ETag']
      : [];
  const headers: Header[] = [...own, ...(o.deprecated ? (['Deprecation', 'Sunset', 'Link'] as const) : [])];
  const byStatus = Map.groupBy([...COMMON_ERRORS, ...o.errors], (code) => ERRORS[code].status);
  return {
    [String(o.status)]: {
      description: sends ? 'Accepted: it is stored and will be sent.' : 'Done.',
      ...named(headers),
      content: { [o.media ?? 'application/json']: reply },
    },
    ...(reads && {
      '304': { description: 'Nothing has changed since the answer with this ETag.', ...named(['ETag']) },
    }),
    ...Object.fromEntries(
      [...byStatus]
        .sort(([a], [b]) => a - b)
        .map(([status, codes]) => [
          String(status),
          {
            description: [...new Set(codes)].map((code) => `\`${code}\``).join(', '),
            ...named(OF_STATUS[status] ?? []),
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
          },
        ]),
    ),
  };
}
