import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** Scopes of a key of the public API; `messages:send` allows to send and to cancel. */
export const API_SCOPES = [
  'messages:send',
  'messages:read',
  'balance:read',
  'inbound:read',
  'inbound:write',
  'events:read',
  'callbacks:read',
  'callbacks:write',
  'invoices:read',
  'top-ups:read',
  'contacts:read',
  'contacts:write',
  'verifications:read',
  'verifications:write',
] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** Sections of the reference, with the purpose of their calls. */
export const API_TAGS = {
  Messages: 'Send a message, follow it, call it off.',
  Batches: 'Send to many recipients with one call.',
  Verifications: 'Prove by a code that a person has a phone.',
  Account: 'What may be spent, the top-ups, and the invoices.',
  Inbound: 'What phones write.',
  Contacts: 'People, their tags and fields.',
  Events: 'What happened, in order.',
} as const;
export type ApiTag = keyof typeof API_TAGS;

/** Allowed `Idempotency-Key`: 1 to 255 visible ASCII characters, with spaces between them. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Description of one call of customers' programs, shared by server, OpenAPI document, clients and tests. It needs a key
 * with a scope instead of a session with a permission. It is pure data.
 */
export interface PublicOperation<
  Path extends string = string,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  /** Name of the call in the document and in clients, such as `sendMessage`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: Path;
  readonly scope: ApiScope;
  readonly tag: ApiTag;
  /** Purpose of the call, in one line. */
  readonly summary: string;
  /** More information, in plain sentences. */
  readonly description: string;
  readonly params: Params;
  readonly query: Query;
  /** Body; null if the call has none. */
  readonly body: Body | null;
  readonly reply: Reply;
  /** Media type of an answer that is a file, sent as it is stored, or a stream; null for JSON. */
  readonly media: 'application/pdf' | 'application/xml' | 'text/event-stream' | null;
  readonly status: 200 | 202;
  /** True if the call may have an `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Errors of this call, in addition to those of every call (400, 401, 403, 413, 415, 422, 429, 500, 503). */
  readonly errors: readonly ErrorCode[];
  /** Set if the call will go away. */
  readonly deprecated: Deprecation | null;
  /** Example body for a try. */
  readonly example: unknown;
}

/** End of a call that programs should no longer use. */
export interface Deprecation {
  /** Day since when it should not be used, in UTC. */
  since: string;
  /** First day on which it may no longer work, at least half a year later. */
  sunset: string;
  /** Name of the call to use in its place. */
  instead: string;
}

const nothing = z.object({});
type Nothing = typeof nothing;

/** Declares one call of the public API. Path parameters are written `:name` and described by `params`. */
export function publicOperation<
  const Path extends string,
  Reply extends z.ZodType,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = Nothing,
>(o: {
  name: string;
  method: PublicOperation['method'];
  path: Path;
  scope: ApiScope;
  tag: ApiTag;
  summary: string;
  description?: string;
  params?: Params;
  query?: Query;
  body?: Body;
  reply: Reply;
  media?: PublicOperation['media'];
  status?: 200 | 202;
  idempotent?: boolean;
  errors?: readonly ErrorCode[];
  deprecated?: Deprecation;
  example?: unknown;
}): PublicOperation<Path, Params, Query, Body, Reply> {
  return {
    description: '',
    media: null,
    status: 200,
    idempotent: false,
    errors: [],
    deprecated: null,
    example: undefined,
    ...o,
    params: o.params ?? (nothing as unknown as Params),
    query: o.query ?? (nothing as unknown as Query),
    body: o.body ?? null,
  };
}
