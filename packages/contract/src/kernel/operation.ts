import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './screen-list.ts';

/**
 * Session that a call needs: none, one that still waits for its second factor, a verified one whose person may have to
 * add a passkey first (`entering`), or one that may do everything.
 */
export type Session = 'public' | 'unverified' | 'entering' | 'verified';

/** Minutes for which a proof of the person's identity counts as fresh in the session in which it was given. */
export const PROOF_MINUTES = 15;

/**
 * Fresh proof that the person is present, which a call needs besides its session: `always`, or `sometimes`, which the
 * handler decides by the body. Programs cannot give one.
 */
export type FreshProof = 'always' | 'sometimes';

/**
 * Use of a call by a support session, which only reads: `reads`, `refused`, or `allowed` although it changes something.
 * Calls that do not say so read by GET, unless they need a proof or write a file.
 */
export type SupportUse = 'reads' | 'refused' | 'allowed';

/** Description of one HTTP call, shared by server, console and tests. It is pure data. */
export interface Operation<
  Path extends string = string,
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: Path;
  readonly session: Session;
  /** Permission that a caller must hold; null if a session of the right kind is enough. */
  readonly permission: string | null;
  /** Fresh proof of the person that the call needs; null for none. */
  readonly proof: FreshProof | null;
  readonly support: SupportUse;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly reply: Reply;
  /** Business errors of this call, in addition to those of every call (401, 403, 422, 429, 500). */
  readonly errors: readonly ErrorCode[];
  readonly status: number;
  /** Fields of the record that no change may name. They get a better error than "unknown field". */
  readonly fixed: readonly string[];
  /** True for a multipart body with one streamed `file` part; `body` describes its other fields. */
  readonly upload: boolean;
}

const nothing = z.object({});
type Nothing = typeof nothing;

/** Returns a body that refuses unknown fields: an answer "saved" must not hide a dropped change. */
export const strict = <Body extends z.ZodType>(body: Body): Body =>
  body instanceof z.ZodObject ? (body.strict() as unknown as Body) : body;

/** Returns the use of a call that declares none: only what reads, keeps no secret behind a proof and sends no file. */
const usualSupport = (o: { method: string; permission: string | null; proof?: FreshProof | undefined }): SupportUse =>
  o.method === 'GET' && o.proof === undefined && !o.permission?.endsWith('-download') ? 'reads' : 'refused';

/** Declares one call. Path parameters are written `:name` and described by `params`. */
export function operation<
  const Path extends string,
  Reply extends z.ZodType,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = Nothing,
>(o: {
  method: Operation['method'];
  path: Path;
  permission: Permission | null;
  session?: Session;
  proof?: FreshProof | undefined;
  support?: SupportUse;
  params?: Params;
  query?: Query;
  body?: Body;
  reply: Reply;
  errors?: readonly ErrorCode[];
  status?: number;
  upload?: boolean;
  fixed?: readonly string[];
}): Operation<Path, Params, Query, Body, Reply> {
  const body = o.body ?? (nothing as unknown as Body);
  const errors = o.errors ?? [];
  return {
    session: 'verified',
    status: 200,
    upload: false,
    fixed: [],
    ...o,
    proof: o.proof ?? null,
    support: o.support ?? usualSupport(o),
    errors: o.proof === undefined ? errors : [...errors, 'proof_required'],
    params: o.params ?? (nothing as unknown as Params),
    query: o.query ?? (nothing as unknown as Query),
    body: o.method === 'PATCH' ? strict(body) : body,
  };
}

export type ParamsOf<O extends Operation> = z.output<O['params']>;
export type ParamsInput<O extends Operation> = z.input<O['params']>;
export type QueryOf<O extends Operation> = z.output<O['query']>;
export type QueryInput<O extends Operation> = z.input<O['query']>;
export type BodyOf<O extends Operation> = z.output<O['body']>;
export type BodyInput<O extends Operation> = z.input<O['body']>;
export type ReplyOf<O extends Operation> = z.output<O['reply']>;
