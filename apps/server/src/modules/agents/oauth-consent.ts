import { agentClient, connectAgent } from '@heliograph/contract/api/agent-connection';
import { BusinessError } from '#platform/errors';
import { type App, mountOutside } from '#platform/http/http';
import type { ClientDocuments } from './client-document.ts';
import { placeOf } from './client-said.ts';
import { readClient } from './oauth-client.ts';
import { codeOf } from './oauth-code.ts';
import { backTo, baseOf, isResource } from './oauth-place.ts';

const CHALLENGE = /^[\w-]{43}$/;

interface Asked {
  response_type: string | null;
  code_challenge: string | null;
  code_challenge_method: string | null;
  resource: string | null;
}

/** Names what is wrong with a request, as RFC 6749 clause 4.1.2.1 and RFC 8707 clause 2 do; null for nothing. */
function faultOf(base: string, { response_type, code_challenge, code_challenge_method, resource }: Asked) {
  if (response_type !== 'code') return 'unsupported_response_type';
  if (code_challenge_method !== 'S256' || !CHALLENGE.test(code_challenge ?? '')) return 'invalid_request';
  return isResource(base, resource) ? null : 'invalid_target';
}

/** Mounts what the screen asks on which a person decides about a program. Only the person's own act sends anybody away. */
export function mountConsent(app: App, known: { key: () => Buffer; documents: ClientDocuments }): void {
  const { clock } = app;
  const clientOf = (id: string, redirect: string) =>
    readClient({ key: known.key(), documents: known.documents }, id, redirect);

  mountOutside(app, agentClient, async (_base, { query }, _run, request) => {
    const base = await baseOf(app, request);
    const { client_id, redirect_uri, state, ...asked } = query;
    const { name, known_by } = await clientOf(client_id, redirect_uri);
    const { host, hostname, protocol } = new URL(redirect_uri);
    const place = placeOf(redirect_uri)!;
    const fault = faultOf(base, asked);
    const refusal = backTo(redirect_uri, base, { error: fault ?? 'access_denied', state });
    const shown = place === 'app' ? protocol : place === 'web' ? host : hostname;
    return { data: { name, known_by, host: shown, place, fault, refusal } };
  });

  mountOutside(app, connectAgent, async ({ caller: { user_id, corporation_id } }, { body }, _run, request) => {
    const base = await baseOf(app, request);
    const { client_id, redirect_uri, code_challenge, state, scope, mode, resource } = body;
    const { name } = await clientOf(client_id, redirect_uri);
    if (!isResource(base, resource)) throw new BusinessError('agent_request_wrong');
    if (corporation_id === null) throw new BusinessError('api_key_outside');
    const granted = {
      user_id,
      name,
      client: client_id,
      redirect: redirect_uri,
      challenge: code_challenge,
      scope,
      mode,
    };
    const code = codeOf(known.key(), granted, clock.now());
    return { data: { redirect: backTo(redirect_uri, base, { code, state }) } };
  });
}
