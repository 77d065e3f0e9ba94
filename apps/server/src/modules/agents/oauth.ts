import { AGENT_KEY_DAYS, AGENT_SCOPES, agentClient, connectAgent } from '@heliograph/contract/api/agent-connection';
import { MCP_PATH } from '@heliograph/contract/api/agents';
import { API_SCOPES } from '@heliograph/contract/kernel/public-operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { makeKey } from '#modules/api';
import { type Identity, loadCaller, useChallenge } from '#modules/identity';
import { asCaller } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, baseContext, mount } from '#platform/http/http';
import { lookOf } from '#platform/operator/brand';
import { secretKey } from '#platform/process/seal';
import { clientId, readClient, registration } from './oauth-client.ts';
import { codeOf, type Grant, readCode } from './oauth-code.ts';

const AUTHORIZE = '/oauth/agents/authorize';
const TOKEN = '/oauth/agents/token';
const REGISTER = '/oauth/agents/register';
const RESOURCE = '/.well-known/oauth-protected-resource';
const SERVER = '/.well-known/oauth-authorization-server';
/** Screen on which a person decides. */
const SCREEN = '/connect-agent';
const MAX_BODY = 16 * 1024;
const DAY_MS = 86_400_000;

/** Address of the platform, or of the reseller whose host was called. */
async function baseOf(
  { database, config }: Pick<App, 'database' | 'config'>,
  request: FastifyRequest,
): Promise<string> {
  const { reseller, base_url } = await lookOf(database, request.hostname);
  const base = (reseller ? base_url : config.PUBLIC_URL) ?? `${request.protocol}://${request.host}`;
  return base.replace(/\/$/, '');
}

/** Returns the challenge with which an agent finds out how to be connected (RFC 9728 clause 5.1). */
export const resourceChallenge = async (app: App, request: FastifyRequest): Promise<string> =>
  `Bearer realm="agents", resource_metadata="${await baseOf(app, request)}${RESOURCE}${MCP_PATH}"`;

/**
 * Mounts OAuth 2.1 for agents: what is granted is an ordinary key of the person, which nobody has to copy. It is listed,
 * limited and revoked as any other.
 */
export function mountOAuth(app: App, identity: Identity): void {
  const { server, clock } = app;
  const key = () => secretKey(app.config);
  const open = { config: { fromOtherSites: true }, bodyLimit: MAX_BODY } as const;

  for (const url of [RESOURCE, RESOURCE + MCP_PATH])
    server.get(url, async (request) => {
      const base = await baseOf(app, request);
      return {
        resource: base + MCP_PATH,
        authorization_servers: [base],
        scopes_supported: AGENT_SCOPES,
        bearer_methods_supported: ['header'],
      };
    });

  server.get(SERVER, async (request) => {
    const base = await baseOf(app, request);
    return {
      issuer: base,
      authorization_endpoint: base + AUTHORIZE,
      token_endpoint: base + TOKEN,
      registration_endpoint: base + REGISTER,
      scopes_supported: AGENT_SCOPES,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    };
  });

  server.post(REGISTER, open, async (request, reply) => {
    const asked = registration.safeParse(request.body);
    if (!asked.success)
      return refuse(
        reply,
        'invalid_redirect_uri',
        'Name one to five redirect_uris: https, this computer, or a scheme of your own.',
      );
    return reply.code(201).send({
      client_id: clientId(key(), asked.data),
      client_name: asked.data.client_name,
      redirect_uris: asked.data.redirect_uris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  server.get(AUTHORIZE, async (request, reply) => {
    const asked = new URL(request.url, 'http://localhost').searchParams;
    // An address that the program did not register is never followed, not even with an error.
    readClient(key(), asked.get('client_id') ?? '', asked.get('redirect_uri') ?? '');
    return reply.redirect(`${SCREEN}?${asked}`);
  });

  mount(app, agentClient, async (_ctx, { query: { client_id, redirect_uri } }) => {
    const { name } = readClient(key(), client_id, redirect_uri);
    const { hostname, protocol } = new URL(redirect_uri);
    return { data: { name, host: hostname || protocol, is_local: protocol === 'http:' } };
  });

  mount(app, connectAgent, async ({ caller }, { body }) => {
    const { client_id, redirect_uri, code_challenge, state, scope, mode } = body;
    const { name } = readClient(key(), client_id, redirect_uri);
    if (caller.corporation_id === null) throw new BusinessError('api_key_outside');
    const code = codeOf(
      key(),
      {
        user_id: caller.user_id,
        name,
        client: client_id,
        redirect: redirect_uri,
        challenge: code_challenge,
        scope,
        mode,
      },
      clock.now(),
    );
    const redirect = new URL(redirect_uri);
    redirect.searchParams.set('code', code);
    if (state !== null) redirect.searchParams.set('state', state);
    return { data: { redirect: redirect.href } };
  });

  server.post(TOKEN, open, async (request, reply) => {
    const given = (request.body ?? {}) as Record<string, string>;
    if (given['grant_type'] !== 'authorization_code')
      return refuse(reply, 'unsupported_grant_type', 'Use authorization_code.');
    const { code = '', client_id: client = '', redirect_uri: redirect = '', code_verifier: verifier = '' } = given;
    const grant = readCode(key(), code, { client, redirect, verifier, now: clock.now() });
    if (!grant)
      return refuse(reply, 'invalid_grant', 'The code is too old, or not of this program. Connect once more.');
    try {
      await useChallenge(identity.authDb, identity, code);
    } catch {
      return refuse(reply, 'invalid_grant', 'The code was used before. Connect once more.');
    }
    return grantKey(app, identity, request, reply, grant);
  });
}

/** Makes the key of a grant, with the rights that the person has now. */
async function grantKey(app: App, { authDb }: Identity, request: FastifyRequest, reply: FastifyReply, grant: Grant) {
  const caller = await loadCaller(authDb, grant.user_id);
  if (!caller?.permissions.has('api-keys-create'))
    return refuse(reply, 'invalid_grant', 'The person may no longer create keys.');
  const now = app.clock.now();
  const writes = grant.scope === 'write';
  const key = await asCaller(baseContext(app, request, caller), (ctx) =>
    makeKey(ctx, {
      name: `${grant.name} · ${now.toISOString().slice(0, 19).replace('T', ' ')}`,
      user_id: grant.user_id,
      mode: grant.mode,
      scopes: API_SCOPES.filter((scope) => writes || scope.endsWith(':read')),
      allowed_ips: [],
      read_national: false,
      doors: writes ? ['agents', 'agents_write'] : ['agents'],
      last_day: new Date(now.getTime() + AGENT_KEY_DAYS * DAY_MS).toISOString().slice(0, 10),
    }),
  );
  return reply.send({
    access_token: key,
    token_type: 'Bearer',
    expires_in: AGENT_KEY_DAYS * 86_400,
    scope: writes ? 'read write' : 'read',
  });
}

/** Answers an error as RFC 6749 clause 5.2 writes it. */
const refuse = (reply: FastifyReply, error: string, description: string) =>
  reply.code(400).header('cache-control', 'no-store').send({ error, error_description: description });
