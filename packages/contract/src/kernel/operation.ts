import { z } from 'zod';
import type { ErrorCode } from './errors.ts';

/** Who may call: anybody, a session still waiting for its one-time password, or a verified session. */
export type Session = 'public' | 'unverified' | 'verified';

/** One HTTP call, described once for server, console and tests. Pure data. */
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
  /** The permission a caller must hold, or null where a session of the right kind is enough. */
  readonly permission: string | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly reply: Reply;
  /** Business errors this call may answer beside those every call may (401, 403, 422, 429, 500). */
  readonly errors: readonly ErrorCode[];
  readonly status: number;
  /** Fields of the record that no change may name, so that a person is told more than that they are not known. */
  readonly fixed: readonly string[];
  /** The body is multipart with one streamed `file` part; `body` describes its other fields. */
  readonly upload: boolean;
}

const nothing = z.object({});
type Nothing = typeof nothing;

/** A body that refuses what it does not name: a change that is answered with "saved" must not have been dropped. */
export const strict = <Body extends z.ZodType>(body: Body): Body =>
  body instanceof z.ZodObject ? (body.strict() as unknown as Body) : body;

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
  permission: string | null;
  session?: Session;
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
  return {
    session: 'verified',
    errors: [],
    status: 200,
    upload: false,
    fixed: [],
    ...o,
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
