import type { PublicOperation } from '@heliograph/contract/kernel/public-operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Allowance, Intake } from '#modules/intake';
import { shownTo } from '#platform/access/hidden-numbers';
import { asCaller, type Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { bearerOf } from '#platform/http/call-limits';
import { sendTagged } from '#platform/http/entity-tag';
import { type App, baseContext } from '#platform/http/http';
import { readInput } from '#platform/http/read-input';
import { tellAllowance } from '#platform/http/server';
import { shownTexts } from '#platform/text/shown-texts';
import { isByAgents, isForAgents } from './by-agents.ts';
import { deprecationHeaders } from './deprecation-headers.ts';
import type { KeyHolder, Keyring } from './keyring.ts';

/** Server and services on which the calls of programs are mounted. */
export interface PublicApi {
  app: App;
  keyring: Keyring;
  intake: Intake;
}

/** Context in which a call of a program reads. */
export interface ProgramContext extends Context {
  /** Whether a test key calls: data of live keys, people and phones does not exist for it. */
  is_test: boolean;
}

/** One call of a program, parsed by its operation's schemas. */
export interface PublicCall<O extends PublicOperation> {
  holder: KeyHolder;
  params: z.output<O['params']>;
  query: z.output<O['query']>;
  body: z.output<NonNullable<O['body']>>;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Runs work in one transaction with the rights of the key's person, limited to their own corporation. */
  read<R>(work: (ctx: ProgramContext) => Promise<R>): Promise<R>;
}

interface MountOptions {
  /** Maximum bytes of the body. */
  bodyLimit?: number;
  judgedLater?: string;
  /** Whether the answer is always too short to be compressed. */
  brief?: boolean;
}

type Answered<O extends PublicOperation> = z.output<O['reply']> | { json: string } | PublicFile;

/** File of an answer, whole in memory. */
interface PublicFile {
  content: Buffer;
  name: string;
}

/**
 * Mounts a call: checks key, address and scope, and parses the input and the answer. `json` is sent as it is. A batch
 * names in `judgedLater` the field whose entries its handler refuses one by one.
 */
export function mountPublicOperation<O extends PublicOperation>(
  api: PublicApi,
  o: O,
  handler: (call: PublicCall<O>) => Promise<Answered<O>>,
  { bodyLimit = 64 * 1024, judgedLater, brief = false }: MountOptions = {},
): void {
  const { app } = api;
  app.server.route({
    method: o.method,
    url: o.path,
    bodyLimit,
    ...(brief && { compress: false }),
    // Runs before the body is read: a caller without a key must not make us store anything.
    onRequest: (request, reply, done) => {
      reply.header('cache-control', 'no-store');
      if (o.deprecated) reply.headers(deprecationHeaders(o.deprecated));
      const readsBody = () => {
        if (o.body && !/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
          throw new BusinessError('unsupported_media_type');
        done();
      };
      const holder = provenHolder(api, request, o);
      if (holder instanceof Promise) holder.then(readsBody).catch(done);
      else readsBody();
    },
    handler: async (request, reply) => {
      // Checks once more: the key may be revoked while the body arrives.
      const holder = await provenHolder(api, request, o);
      const answer = await handler({
        holder,
        params: readInput(o.params, request.params) as PublicCall<O>['params'],
        query: readInput(o.query, request.query) as PublicCall<O>['query'],
        body: (o.body ? readInput(o.body, request.body, { judgedLater }) : {}) as PublicCall<O>['body'],
        request,
        reply,
        read: (work) => readAs(api, request, holder, work),
      });
      if (o.media) return sendStored(request, reply, o.media, answer as PublicFile);
      reply.code(o.status).type('application/json; charset=utf-8');
      const text = textOf(o, answer, holder);
      return o.method === 'GET' ? sendTagged(request, reply, text) : reply.send(text);
    },
  });
}

/** Runs work in one transaction with the rights of the key's person, and returns its result with the texts opened. */
export const readAs = <R>(
  { app }: PublicApi,
  request: FastifyRequest,
  holder: KeyHolder,
  work: (ctx: ProgramContext) => Promise<R>,
): Promise<R> =>
  asCaller(baseContext(app, request, holder.caller), async (ctx) =>
    shownTexts(ctx, await work({ ...ctx, is_test: holder.is_test })),
  );

/** Writes an answer as the key's person may see it. */
function textOf(o: PublicOperation, answer: unknown, { caller }: KeyHolder): string {
  if (isJson(answer) && caller.numbers_visible) return answer.json;
  return JSON.stringify(shownTo(caller, o.reply, isJson(answer) ? JSON.parse(answer.json) : o.reply.parse(answer)));
}

/**
 * Finds the holder of a key that may make this call; `form` is that of another proof than a key. Calls with an invalid key, or from an address that it does not
 * allow, are counted for their address.
 */
export function provenHolder(
  { app: { server }, keyring }: PublicApi,
  request: FastifyRequest,
  { scope }: Partial<Pick<PublicOperation, 'scope'>>,
  form?: RegExp,
): KeyHolder | Promise<KeyHolder> {
  const prove = (holder: KeyHolder): KeyHolder => {
    if (isForAgents(holder) && !isByAgents()) throw new BusinessError('key_for_agents');
    if (scope !== undefined && !holder.scopes.has(scope))
      throw new BusinessError('scope_missing', { params: { scope } });
    server.callLimits.proved(request, null);
    return holder;
  };
  const refuse = (error: unknown): never => {
    if (error instanceof BusinessError) server.callLimits.refused(request);
    throw error;
  };
  try {
    const holder = keyring.holder(bearerOf(request), request.ip, form);
    return holder instanceof Promise ? holder.then(prove).catch(refuse) : prove(holder);
  } catch (error) {
    return refuse(error);
  }
}

/** Answers a file that never changes, as an attachment with its ETag. */
function sendStored(request: FastifyRequest, reply: FastifyReply, type: string, { content, name }: PublicFile) {
  reply.type(type).header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]+/g, '_')}"`);
  return sendTagged(request, reply, content);
}

const isJson = (answer: unknown): answer is { json: string } =>
  typeof answer === 'object' && answer !== null && 'json' in answer;

/** Answers the program as which a key sends. Throws `billing_account_missing`. */
export function programOf({ program }: KeyHolder) {
  if (!program) throw new BusinessError('billing_account_missing');
  return program;
}

/**
 * Answers the result of an accepted call, from now or from the first time, with the address at which it can be
 * followed. `id` is that of the new message or batch.
 */
export function answerAccepted(
  reply: FastifyReply,
  { path }: PublicOperation,
  { answer, replayed }: { answer: { body: string } | null; replayed: boolean },
  id: number | null,
): { json: string } | undefined {
  if (replayed) reply.header('idempotent-replayed', 'true');
  if (!answer) return undefined;
  reply.header('location', `${path}/${replayed ? (JSON.parse(answer.body) as { id: string }).id : id}`);
  return { json: answer.body };
}

/** Reports how many messages are left in this second. */
export function tellThroughput(reply: FastifyReply, left: Allowance | null): void {
  if (left) tellAllowance(reply, { name: 'messages', limit: left.limit, seconds: 1 }, left.remaining);
}

/** Throws `not_found` for a test key: what live messages have made does not exist for it. */
export function requireLive({ is_test }: Pick<ProgramContext, 'is_test'>): void {
  if (is_test) throw new BusinessError('not_found');
}
