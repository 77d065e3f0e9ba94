import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_KEY_DAYS, AGENT_SCOPES, CONNECT_SCREEN } from '@heliograph/contract/api/agent-connection';
import { MCP_PATH } from '@heliograph/contract/api/agents';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { makeKey, revokeNamed } from '#modules/api';
import { type Identity, loadCaller, useChallenge } from '#modules/identity';
import { asCaller } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, baseContext } from '#platform/http/http';
import { callOnce } from '#platform/outbound/agent';
import { keptSecretKey } from '#platform/process/seal';
import { ClientDocuments } from './client-document.ts';
import { registration } from './client-said.ts';
import { clientId } from './oauth-client.ts';
import { type Grant, keyName, readCode } from './oauth-code.ts';
import { mountConsent } from './oauth-consent.ts';
import { baseOf, isResource, RESOURCE } from './oauth-place.ts';
import { scopesOf } from './tools.ts';

const AUTHORIZE = '/oauth/agents/authorize';
const TOKEN = '/oauth/agents/token';
const REGISTER = '/oauth/agents/register';
const SERVER = '/.well-known/oauth-authorization-server';
const MAX_BODY = 16 * 1024;
const DAY_MS = 86_400_000;
/** Longest time until the first exchange of a code has made its key. */
const FIRST_EXCHANGE_MS = 1_000;

/** Parameters with which a program sends a person here (RFC 6749 clause 4.1.1, RFC 7636, RFC 8707). */
const ASKED = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
];

/**
 * Mounts OAuth 2.1 for agents: what is granted is an ordinary key of the person, which nobody has to copy. It is listed,
 * limited and revoked as any other.
 */
export function mountOAuth(app: App, identity: Identity): void {
  const { server, clock, config } = app;
  const key = keptSecretKey(config);
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
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    };
  });

  server.post(REGISTER, open, async (request, reply) => {
    const asked = registration.safeParse(request.body);
    const id = asked.success ? clientId(key(), asked.data) : undefined;
    if (!asked.success || id === undefined)
      return refuse(
        reply,
        'invalid_redirect_uri',
        'Name one to ten redirect_uris of at most 500 characters: https, this computer, or a scheme with your domain.',
      );
    return reply.code(201).send({
      client_id: id,
      client_name: asked.data.client_name,
      redirect_uris: asked.data.redirect_uris,
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  });

  // Leads to our own screen whatever was asked: a request, even a wrong one, sends nobody elsewhere before a person decides.
  server.get(AUTHORIZE, async (request, reply) => {
    const { searchParams } = new URL(request.url, 'http://localhost');
    const asked = ASKED.flatMap((name) => (searchParams.has(name) ? [[name, searchParams.get(name)!]] : []));
    return reply.redirect(`${CONNECT_SCREEN}?${new URLSearchParams(asked)}`);
  });

  const fetchOnce = (url: string, maxBytes: number) =>
    callOnce(config, { method: 'GET', url, headers: { accept: 'application/json' } }, maxBytes);
  mountConsent(app, { key, documents: new ClientDocuments(fetchOnce, clock) });

  server.post(TOKEN, open, async (request, reply) => {
    const given = (request.body ?? {}) as Record<string, string>;
    if (given['grant_type'] !== 'authorization_code')
      return refuse(reply, 'unsupported_grant_type', 'Use authorization_code.');
    if (!isResource(await baseOf(app, request), given['resource']))
      return refuse(reply, 'invalid_target', 'Ask for the resource that the metadata names.');
    const { code = '', client_id: client = '', redirect_uri: redirect = '', code_verifier: verifier = '' } = given;
    const grant = readCode(key(), code, { client, redirect, verifier, now: clock.now() });
    if (!grant)
      return refuse(reply, 'invalid_grant', 'The code is too old, or not of this program. Connect once more.');
    try {
      await useChallenge(identity.authDb, identity, grant.once);
    } catch (error) {
      if (!(error instanceof BusinessError) || error.code !== 'passkey_refused') throw error;
      await revokeGranted(app, identity, request, grant);
      return refuse(reply, 'invalid_grant', 'The code was used before. Connect once more.');
    }
    return grantKey(app, identity, request, reply, grant);
  });
}

/**
 * Revokes the key of a code that came a second time: two programs have it (RFC 6749 clause 4.1.2). Looks once more after a second,
 * because the first exchange may not have ended.
 */
async function revokeGranted(app: App, { authDb }: Identity, request: FastifyRequest, grant: Grant): Promise<void> {
  const caller = await loadCaller(authDb, grant.user_id);
  if (!caller) return;
  const revoked = () =>
    asCaller(baseContext(app, request, caller), (ctx) => revokeNamed(ctx, grant.user_id, keyName(grant)));
  if (await revoked()) return;
  await sleep(FIRST_EXCHANGE_MS);
  await revoked();
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
      name: keyName(grant),
      user_id: grant.user_id,
      mode: grant.mode,
      scopes: scopesOf(writes),
      allowed_ips: [],
      read_national: false,
      doors: writes ? ['agents', 'agents_write'] : ['agents'],
      // A day more: the last day ends by the corporation's clock, and the program hears of whole days from now.
      last_day: new Date(now.getTime() + (AGENT_KEY_DAYS + 1) * DAY_MS).toISOString().slice(0, 10),
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
