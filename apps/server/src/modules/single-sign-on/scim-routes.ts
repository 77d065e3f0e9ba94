import { createHash } from 'node:crypto';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Identity } from '#modules/identity';
import { BusinessError, problem } from '#platform/errors';
import { bearerOf } from '#platform/http/call-limits';
import type { App } from '#platform/http/http';
import { toBusinessError } from '#platform/http/server';
import { addressesOf, type Provider, providerOf } from './read-provider.ts';
import { isObject, type Json } from './scim-attributes.ts';
import { runBulk } from './scim-bulk.ts';
import type { Asked, Directory, Page } from './scim-directory.ts';
import {
  listOf,
  MOST_OCTETS,
  MOST_RESOURCES,
  resourceTypes,
  schemas,
  serviceProviderConfig,
} from './scim-discovery.ts';
import { ScimError } from './scim-error.ts';
import { change, KINDS, type Kind, remove, tagsIn } from './scim-kinds.ts';
import { project } from './scim-projection.ts';

/** Path below which directories call, by RFC 7644. */
export const SCIM_PATH = '/scim/v2';

const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Form of a directory's token; other texts are never looked up. */
const TOKEN = /^hd_[\w-]{43}$/;

/** Answers the digest that is stored of a token: 256 random bits need no slow hash. */
export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

const listQuery = z.object({
  filter: z.string().optional(),
  sortBy: z.string().max(100).optional(),
  sortOrder: z.enum(['ascending', 'descending']).default('ascending'),
  // Smaller numbers mean the smallest that makes sense, and larger ones the largest.
  startIndex: z.coerce
    .number()
    .int()
    .default(1)
    .transform((at) => Math.min(Math.max(at, 1), 1_000_000)),
  count: z.coerce
    .number()
    .int()
    .default(100)
    .transform((count) => Math.min(Math.max(count, 0), MOST_RESOURCES)),
  attributes: z.string().max(1_000).optional(),
  excludedAttributes: z.string().max(1_000).optional(),
});
type ListQuery = z.output<typeof listQuery>;

/** Answer of a call; it is sent once its transaction is committed. */
interface Given {
  status: number;
  body?: Json;
  headers?: Record<string, string>;
}

/** Mounts the calls of directories that keep our people and groups up to date. */
export function scimRoutes(app: App, identity: Identity): void {
  void app.server.register(
    async (scope) => {
      scope.setErrorHandler((error: Error, request, reply) => answerError(error, request, reply));
      scope.setNotFoundHandler((request, reply) =>
        answerError(new ScimError(404, 'There is nothing here.'), request, reply),
      );
      // The token is looked at before the body is read.
      const providers = new WeakMap<FastifyRequest, Provider>();
      scope.addHook('onRequest', async (request) => {
        providers.set(request, await provedProvider(app, identity, request));
      });
      /** Returns the address of the directory, and the way to do work in a transaction. */
      const worker = async (request: FastifyRequest) => {
        const provider = providers.get(request)!;
        const { home } = await addressesOf(identity.authDb, app.config, provider);
        const base = `${home}${SCIM_PATH}`;
        const inTransaction = <Result>(work: (directory: Directory) => Promise<Result> | Result): Promise<Result> =>
          identity.authDb.transaction().execute(async (db) => work({ db, identity, provider, base }));
        return { base, inTransaction };
      };
      const answer = async (
        request: FastifyRequest,
        reply: FastifyReply,
        work: (directory: Directory, id: string) => Promise<Given> | Given,
      ): Promise<FastifyReply> => {
        const { id = '' } = request.params as { id?: string };
        const { inTransaction } = await worker(request);
        return send(reply, await inTransaction((directory) => work(directory, id)));
      };
      const limited = { bodyLimit: MOST_OCTETS };
      scope.get('/ServiceProviderConfig', (request, reply) =>
        answer(request, reply, ({ base }) => ({ status: 200, body: serviceProviderConfig(base) })),
      );
      for (const [path, all] of [['/ResourceTypes', resourceTypes] as const, ['/Schemas', schemas] as const]) {
        scope.get(path, (request, reply) =>
          answer(request, reply, ({ base }) => ({ status: 200, body: listOf(all(base)) })),
        );
        scope.get(`${path}/:id`, (request, reply) =>
          answer(request, reply, ({ base }, id) => {
            const body = all(base).find((each) => each['id'] === id);
            if (!body) throw new ScimError(404, `There is nothing named ${id}.`);
            return { status: 200, body };
          }),
        );
      }
      scope.post('/Bulk', limited, async (request, reply) => {
        const refuse = (error: Error) => refusalOf(error, request);
        return send(reply, { status: 200, body: await runBulk({ ...(await worker(request)), refuse }, request.body) });
      });
      for (const [name, kind] of Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][]) {
        const list = (request: FastifyRequest, reply: FastifyReply, given: unknown) =>
          answer(request, reply, async (directory) => page(readQuery(given), (asked) => kind.list(directory, asked)));
        scope.get(`/${name}`, (request, reply) => list(request, reply, request.query));
        scope.post(`/${name}/.search`, limited, (request, reply) => list(request, reply, searchOf(request.body)));
        scope.get(`/${name}/:id`, (request, reply) =>
          answer(request, reply, async (directory, id) => single(request, 200, await kind.get(directory, id))),
        );
        scope.post(`/${name}`, limited, (request, reply) =>
          answer(request, reply, async (directory) => single(request, 201, await kind.create(directory, request.body))),
        );
        for (const method of ['PUT', 'PATCH'] as const)
          scope.route({
            method,
            url: `/${name}/:id`,
            ...limited,
            handler: (request, reply) =>
              answer(request, reply, async (directory, id) =>
                single(
                  request,
                  200,
                  await change(directory, name, id, { method, body: request.body, version: match(request) }),
                ),
              ),
          });
        scope.delete(`/${name}/:id`, (request, reply) =>
          answer(request, reply, async (directory, id) => {
            await remove(directory, name, id, match(request));
            return { status: 204 };
          }),
        );
      }
    },
    { prefix: SCIM_PATH },
  );
}

/** Finds the provider of a call's token. Wrong tokens count for their address. Throws `unauthenticated`. */
async function provedProvider(
  { server, clock }: App,
  { authDb }: Identity,
  request: FastifyRequest,
): Promise<Provider> {
  const token = bearerOf(request);
  const provider =
    token !== undefined && TOKEN.test(token) ? await providerOf(authDb, { token: tokenDigest(token) }) : undefined;
  if (!provider) {
    server.callLimits.refused(request);
    throw new BusinessError('unauthenticated');
  }
  server.callLimits.proved(request, `directory ${provider.id}`);
  const now = clock.now().toISOString();
  await sql`UPDATE identity_provider SET provisioned_at = ${now}
    WHERE id = ${provider.id} AND coalesce(provisioned_at, '-infinity') < ${now}::timestamptz - interval '1 minute'`.execute(
    authDb,
  );
  return provider;
}

function readQuery(given: unknown): ListQuery {
  const read = listQuery.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ScimError(400, `${issue!.path.join('.')}: ${issue!.message}`, 'invalidValue');
}

/** Reads a search that is sent as a body: its lists of attributes are arrays. */
function searchOf(body: unknown): Json {
  if (!isObject(body)) throw new ScimError(400, 'The body must be a JSON object.', 'invalidSyntax');
  const joined = (value: unknown) => (Array.isArray(value) ? value.join(',') : value);
  return { ...body, attributes: joined(body['attributes']), excludedAttributes: joined(body['excludedAttributes']) };
}

async function page(query: ListQuery, list: (asked: Asked) => Promise<Page>): Promise<Given> {
  const { attributes, excludedAttributes } = query;
  const named = (names: string | undefined) => names !== undefined && /\bmembers\b/i.test(names);
  const members = attributes === undefined ? !named(excludedAttributes) : named(attributes);
  const { total, rows } = await list({ ...query, descending: query.sortOrder === 'descending', members });
  return {
    status: 200,
    body: listOf(
      rows.map((row) => project(row, query)),
      total,
      query.startIndex,
    ),
  };
}

function single(request: FastifyRequest, status: 200 | 201, resource: Json): Given {
  const { version, location } = resource['meta'] as { version: string; location: string };
  const headers = { etag: version, ...(status === 201 && { location }) };
  if (request.method === 'GET' && tagsIn(request.headers['if-none-match']).includes(version))
    return { status: 304, headers };
  const { attributes, excludedAttributes } = readQuery(request.query);
  return { status, headers, body: project(resource, { attributes, excludedAttributes }) };
}

const match = (request: FastifyRequest): string | undefined => request.headers['if-match'];

function send(reply: FastifyReply, { status, body, headers = {} }: Given): FastifyReply {
  reply.code(status).headers(headers);
  return body ? reply.type('application/scim+json; charset=utf-8').send(JSON.stringify(body)) : reply.send();
}

/** Answers a refusal as RFC 7644, section 3.12 words it. */
function answerError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return send(reply, refusalOf(error, request));
}

/** Returns the answer of a refusal, and logs a failure of ours. */
function refusalOf(error: Error, request: FastifyRequest): Given & { body: Json } {
  if (error instanceof ScimError) {
    const { status, scimType, message } = error;
    return {
      status,
      body: { schemas: [ERROR], status: String(status), ...(scimType && { scimType }), detail: message },
    };
  }
  const known = toBusinessError(error as FastifyError, MOST_OCTETS);
  const { status, message } = problem(known, request.id, 'en');
  if (status >= 500) request.log.error({ err: error }, 'request of a directory failed');
  const headers = {
    ...(known.retryAfter && { 'retry-after': String(known.retryAfter) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="scim"' }),
  };
  const detail = `${message} (${request.id})`;
  return { status, headers, body: { schemas: [ERROR], status: String(status), detail } };
}
