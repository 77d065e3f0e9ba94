import { MCP_PATH } from '@heliograph/contract/api/agents';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { byAgents, isForAgents, type PublicApi, provenHolder, readAs } from '#modules/api';
import type { Identity } from '#modules/identity';
import { audit } from '#platform/access/audit';
import { BusinessError } from '#platform/errors';
import { bearerOf } from '#platform/http/call-limits';
import { lookOf } from '#platform/operator/brand';
import { secretKey } from '#platform/process/seal';
import { callApi } from './call-api.ts';
import { mcpServer, type Session } from './mcp-server.ts';
import { mountOAuth } from './oauth.ts';
import { baseOf, resourceChallenge } from './oauth-place.ts';
import { QUOTE, quoteMessage, SEND, sendQuoted } from './sending.ts';
import { apiTools, reads } from './tools.ts';

/** Maximum octets of a request. */
const MAX_BODY = 256 * 1024;

/** Returns an agent's name as it may stand in logs and tags. */
const plainName = (name: string): string =>
  name
    .replace(/[^\w .-]+/g, '')
    .trim()
    .slice(0, 40) || 'unknown';

/** Header in which a client of the protocol of 2025 returns what it was given when it introduced itself. */
const SESSION = 'mcp-session-id';

const NO_SUCH_METHOD = ({ id = null }: { id?: string | number | null }) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32601, message: 'Method not found' },
});

/** Name in the request that introduces a client; undefined for any other. */
function introducedAs(body: unknown): string | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { clientInfo?: Record<string, unknown> } };
  const known = method === 'initialize' ? params?.clientInfo : undefined;
  return known && plainName(`${known['name']} ${known['version']}`);
}

/** Name that a client was given back when it introduced itself, else that of its program. It proves nothing. */
const namedIn = ({ headers }: FastifyRequest): string =>
  plainName(Buffer.from(String(headers[SESSION] ?? ''), 'base64url').toString() || (headers['user-agent'] ?? ''));

/** Mounts the interface of agents, for keys that open it. Each request stands for itself, at any process. */
export function mountAgents(api: PublicApi, identity: Identity): void {
  mountOAuth(api.app, identity);
  const { server, log } = api.app;
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { session, name } = authInfo!.extra as unknown as { session: Session; name: string };
      return mcpServer(session, (said) => (said === undefined ? name : plainName(said)));
    },
    { onerror: (error) => log.debug({ err: error }, 'request of an agent refused') },
  );
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    await refuseForeignPages(api, request);
    const { method, body } = request;
    const extra = { session: await sessionOf(api, request), name: namedIn(request) };
    if (isListening(body)) return reply.code(404).send(NO_SUCH_METHOD(body as { id?: string | number }));
    const answer = await handler.fetch(webRequest(request), {
      authInfo: { token: '', clientId: '', scopes: [], extra },
      ...(method === 'POST' && { parsedBody: body }),
    });
    reply.code(answer.status);
    answer.headers.forEach((value, name) => void reply.header(name, value));
    const introduced = introducedAs(body);
    if (introduced !== undefined) reply.header(SESSION, Buffer.from(introduced).toString('base64url'));
    return reply.send(Buffer.from(await answer.arrayBuffer()));
  };
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    server.route({
      method,
      url: MCP_PATH,
      bodyLimit: MAX_BODY,
      config: { fromOtherSites: true },
      onSend: async (request, reply) => {
        if (reply.statusCode === 401) reply.header('www-authenticate', await resourceChallenge(api.app, request));
      },
      handler: handle,
    });
}

/** Returns a request as the library reads it. */
function webRequest({ method, url, headers: given, body }: FastifyRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given))
    if (typeof value === 'string' && name !== 'content-length') headers.set(name, value);
  return new Request(`http://localhost${url}`, {
    method,
    headers,
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
}

/** Throws for calls that a page of another site makes a browser send, also if its name leads here (DNS rebinding). */
async function refuseForeignPages({ app }: PublicApi, request: FastifyRequest): Promise<void> {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== new URL(await baseOf(app, request)).origin)
    throw new BusinessError('forbidden');
}

/** Tells if a client wants to be told of changes for as long as it listens: the tools of a key do not change. */
const isListening = (body: unknown): boolean =>
  (body as { method?: unknown } | null)?.method === 'subscriptions/listen';

async function sessionOf(api: PublicApi, request: FastifyRequest): Promise<Session> {
  const { app } = api;
  const holder = await byAgents(() => provenHolder(api, request, {}));
  if (!isForAgents(holder)) throw new BusinessError('agents_not_opened');
  const writes = holder.doors.has('agents_write');
  const agent = (name: string) => ({ bearer: bearerOf(request)!, ip: request.ip, name });
  const log = (name: string, tool: string) =>
    readAs(api, request, holder, (ctx) =>
      audit(ctx, {
        name: 'api-keys',
        description: 'used by agent',
        subject_type: 'api-keys',
        subject_id: holder.key_id,
        corporation_id: holder.caller.corporation_id,
        after: { agent: name, tool },
      }),
    );
  return {
    product: (await lookOf(app.database, request.hostname)).name,
    writes,
    async run(tool, given, name) {
      if (tool === QUOTE || tool === SEND) {
        if (!writes) return undefined;
        const installationKey = secretKey(app.config);
        const sending = {
          server: app.server,
          agent: agent(name),
          key_id: holder.key_id,
          installationKey,
          now: app.clock.now(),
        };
        if (tool === QUOTE) return quoteMessage(sending, given);
        await log(name, tool);
        return sendQuoted(sending, given);
      }
      const found = apiTools().get(tool);
      if (!found || (!writes && !reads(found.operation))) return undefined;
      if (!reads(found.operation)) await log(name, tool);
      return callApi(app.server, agent(name), found.operation, given);
    },
  };
}
