import '@fastify/cookie';
import '@fastify/multipart';
import type { Readable } from 'node:stream';
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { isStorable } from '@heliograph/contract/kernel/storable';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { withFieldRights } from '../access/field-rights.ts';
import { requireFreshProof } from '../access/fresh-proof.ts';
import { hideConflict, refuseMasks, refuseOrderByNumber, shownTo } from '../access/hidden-numbers.ts';
import { keepAllowed } from '../access/keep-allowed.ts';
import type { SessionWatch } from '../access/session-watch.ts';
import type { Clock } from '../clock.ts';
import type { ConnectedConfig } from '../config/config.ts';
import { asCaller, type Caller, type Context, type PublicContext } from '../context.ts';
import type { Database } from '../database/db.ts';
import type { Standby } from '../database/standby.ts';
import { mayAnswerElsewhere, readAgain } from '../database/transient-error.ts';
import { BusinessError, fieldError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { chooseLocale } from '../text/i18n.ts';
import { shownTexts } from '../text/shown-texts.ts';
import { bearerOf } from './call-limits.ts';
import { versionOfReply, versionsIn, withVersions } from './edit-version.ts';
import { cookiesOf } from './own-cookies.ts';
import { readInput } from './read-input.ts';

/** Server on which calls are mounted, and everything that each call needs. */
export interface App {
  server: FastifyInstance;
  database: Kysely<Database>;
  config: ConnectedConfig;
  clock: Clock;
  log: Logger;
  /** The standby that reports may be read from. */
  standby?: Standby | undefined;
  /** Turns a bearer token that came from an address into its caller; null if it is invalid, or has expired. */
  authenticate(bearer: string, address: string): Promise<Caller | null>;
  /** Watch that ends live channels and downloads of a session when its rights end. */
  sessionWatch?: SessionWatch | undefined;
}

/** Input of a call, parsed by the operation's schemas. */
export interface Call<O extends Operation> {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  /** Versions of the record that the caller read, from the header If-Match; null if any is accepted. */
  ifMatch?: readonly string[] | null;
}

/** Streamed file of a multipart call. It must be read to its end; `truncated` then tells whether it was too large. */
export interface IncomingFile {
  file_name: string;
  stream: Readable & { truncated?: boolean };
}

export type Handler<O extends Operation> = (ctx: Context, call: Call<O>) => Promise<ReplyOf<O>>;

/** Parses the input of a request; throws `validation_failed`. */
export function parseCall<O extends Operation>(o: O, request: FastifyRequest): Call<O> {
  const call = {
    params: readInput(o.params, request.params) as ParamsOf<O>,
    query: readInput(o.query, request.query) as QueryOf<O>,
    body: (o.upload ? {} : readInput(o.body, request.body ?? {}, { fixed: o.fixed })) as BodyOf<O>,
    ifMatch: versionsIn(request.headers['if-match']),
  };
  refuseMasks(call.body);
  return call;
}

/** Parses the input of a caller's request; throws `validation_failed`, also if it would find out hidden numbers. */
export function callOf<O extends Operation>(o: O, request: FastifyRequest, caller: Caller): Call<O> {
  const call = parseCall(o, request);
  refuseMasks(call.body, caller);
  refuseOrderByNumber(caller, o, call.query);
  return call;
}

/** Fields of a call that say who may make it. */
type Access = Pick<Operation, 'session' | 'permission' | 'proof' | 'support'>;

/** The caller of a request that may make this call; throws 401, 403 or `proof_required`. Support sessions only read. */
export async function callerOf(app: App, request: FastifyRequest, o: Access): Promise<Caller> {
  const caller = await provenCaller(app, request);
  request.profileLocale = caller?.locale;
  if (!caller || ((o.session === 'verified' || o.session === 'entering') && !caller.verified))
    throw new BusinessError('unauthenticated');
  if (caller.support && o.support === 'refused') throw new BusinessError('support_session_reads_only');
  if (caller.needs_passkey && o.session === 'verified') throw new BusinessError('passkey_needed');
  if (o.permission && !caller.permissions.has(o.permission)) throw new BusinessError('forbidden');
  if (o.proof === 'always') requireFreshProof({ caller, clock: app.clock });
  return caller;
}

/** Finds the caller of a request's bearer token, null if there is none; the call is then counted for their session. */
async function provenCaller({ authenticate, server }: App, request: FastifyRequest): Promise<Caller | null> {
  const bearer = bearerOf(request);
  if (bearer === undefined) return null;
  try {
    const caller = await authenticate(bearer, request.ip);
    if (caller) server.callLimits.proved(request, caller.session_id);
    else server.callLimits.refused(request);
    return caller;
  } catch (error) {
    if (error instanceof BusinessError) server.callLimits.refused(request);
    throw error;
  }
}

/** The base of a context: everything but the transaction. */
export function baseContext(app: App, request: FastifyRequest, caller: Caller) {
  const locale = chooseLocale(request.cookies['locale'], caller.locale);
  return {
    database: app.database,
    caller,
    clock: app.clock,
    config: app.config,
    locale,
    log: app.log.child({ request_id: request.id, user_id: caller.user_id, support_user_id: caller.support?.user_id }),
  };
}

/** Mounts a call: checks session and permission, parses the input and the answer, and runs it in one transaction. */
export function mount<O extends Operation>(app: App, o: O, handler: Handler<O>): void {
  app.server.route({
    method: o.method,
    url: o.path,
    handler: async (request, reply) => {
      let caller: Caller | undefined;
      const answer = async () => {
        caller = await callerOf(app, request, o);
        const call = callOf(o, request, caller);
        return asCaller(baseContext(app, request, caller), async (ctx) => shownTexts(ctx, await handler(ctx, call)));
      };
      try {
        const result = await (o.method === 'GET' ? readAgain(answer) : answer());
        return send(reply, o, result, caller!);
      } catch (error) {
        throw hideConflict(caller, o, error);
      }
    },
  });
}

/**
 * Mounts a call that only reads and does not need the last seconds: as `mount`, over the standby if there is one. The
 * header figures-as-of then tells the moment of the answer.
 */
export function mountReport<O extends Operation>(app: App, o: O, handler: Handler<O>): void {
  app.server.route({
    method: o.method,
    url: o.path,
    handler: async (request, reply) => {
      const caller = await readAgain(() => callerOf(app, request, o));
      const call = callOf(o, request, caller);
      const base = baseContext(app, request, caller);
      const read = (database: Kysely<Database>) =>
        asCaller({ ...base, database }, async (ctx) => shownTexts(ctx, await handler(ctx, call)));
      const standby = app.standby?.place();
      if (standby) {
        try {
          const result = await read(standby.database);
          return send(reply.header('figures-as-of', standby.asOf.toISOString()), o, result, caller);
        } catch (error) {
          if (!mayAnswerElsewhere(error)) throw error;
        }
      }
      return send(reply, o, await readAgain(() => read(app.database)), caller);
    },
  });
}

/**
 * Mounts a call that waits for something other than the database. No transaction is open meanwhile: `handler` opens one
 * with `run` to read or write.
 */
export function mountOutside<O extends Operation>(
  app: App,
  o: O,
  handler: (
    base: Omit<Context, 'db' | 'afterCommit'>,
    call: Call<O>,
    run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
    request: FastifyRequest,
  ) => Promise<ReplyOf<O>>,
): void {
  app.server.route({
    method: o.method,
    url: o.path,
    handler: async (request, reply) => {
      const caller = await callerOf(app, request, o);
      const call = callOf(o, request, caller);
      const base = baseContext(app, request, caller);
      const callerNow = keepAllowed(app.sessionWatch, reply, caller, o);
      const run = async <R>(work: (ctx: Context) => Promise<R>) =>
        asCaller({ ...base, caller: callerNow() }, async (ctx) => shownTexts(ctx, await work(ctx)));
      const result = await handler(base, call, run, request);
      return send(reply, o, result, callerNow());
    },
  });
}

/** Mounts a call that anybody may make. */
export function mountPublic<O extends Operation>(
  app: App,
  o: O,
  handler: (ctx: PublicContext, call: Call<O>) => Promise<ReplyOf<O>>,
): void {
  app.server.route({
    method: o.method,
    url: o.path,
    handler: async (request, reply) => {
      const locale = chooseLocale(request.cookies['locale'], undefined);
      const about = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '', host: request.hostname };
      const log = app.log.child({ request_id: request.id });
      const ctx = { clock: app.clock, config: app.config, locale, log, request: about };
      return send(reply, o, await handler({ ...ctx, cookies: cookiesOf(request, reply) }, parseCall(o, request)), null);
    },
  });
}

/**
 * Mounts a call that uploads a file. The stream is handed over before any transaction. `handler` reads it first, and
 * opens its transaction with `run` once nothing waits for the network any more.
 */
export function mountUpload<O extends Operation>(
  app: App,
  o: O,
  handler: (
    base: Omit<Context, 'db' | 'afterCommit'>,
    call: Call<O> & { file: IncomingFile },
    run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
  ) => Promise<ReplyOf<O>>,
): void {
  app.server.route({
    method: o.method,
    url: o.path,
    config: { upload: true },
    handler: async (request, reply) => {
      const caller = await callerOf(app, request, o);
      const call = callOf(o, request, caller);
      if (!request.isMultipart()) throw new BusinessError('unsupported_media_type');
      const part = await request.file();
      if (!part) throw fieldError('file', 'file_missing');
      if (!isStorable(part.filename)) throw fieldError('file', 'unstorable');
      const base = baseContext(app, request, caller);
      const file: IncomingFile = { file_name: part.filename, stream: part.file };
      const callerNow = keepAllowed(app.sessionWatch, reply, caller, o, (error) => part.file.destroy(error));
      const run = async <R>(work: (ctx: Context) => Promise<R>) =>
        asCaller({ ...base, caller: callerNow() }, async (ctx) => shownTexts(ctx, await work(ctx)));
      return send(reply, o, await handler(base, { ...call, file }, run), caller);
    },
  });
}

/** Answers a result by its schema, as the caller may see it; null for a call that anybody may make. */
function send<O extends Operation>(reply: FastifyReply, o: O, result: ReplyOf<O>, caller: Caller | null): FastifyReply {
  const version = versionOfReply(result);
  if (version !== undefined) reply.header('etag', `"${version}"`);
  const answer = o.reply.parse(result);
  return reply.code(o.status).send(caller === null ? answer : shownTo(caller, o.reply, answer));
}

/** The five handlers of a resource. */
export interface ResourceHandlers<R extends AnyResource> {
  list: Handler<R['list']>;
  get: Handler<R['get']>;
  create: Handler<R['createOne']>;
  update: Handler<R['updateOne']>;
  remove: Handler<R['removeOne']>;
}

/** Mounts the five operations of a resource. */
export function mountResource<R extends AnyResource>(app: App, r: R, handlers: ResourceHandlers<R>): void {
  const { list, get, create, update, remove } = withVersions(r, withFieldRights(r, handlers));
  mount(app, r.list as R['list'], list);
  mount(app, r.get as R['get'], get);
  mount(app, r.createOne as R['createOne'], create);
  mount(app, r.updateOne as R['updateOne'], update);
  mount(app, r.removeOne as R['removeOne'], remove);
}
