import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { agentClient, connectAgent } from '@heliograph/contract/api/agent-connection';
import { auth, Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { apiStage } from '../api/stage.ts';

const stage = await apiStage({ after });
const { api } = stage;
const corporate = await api.as('corporate');
const REDIRECT = 'http://127.0.0.1:8976/callback';

/** Program that connects itself as any agent does, with the protocol's own library. */
function program(redirectUrl = REDIRECT, client_name = 'Desk helper') {
  const kept: Record<string, unknown> = {};
  let sentTo: URL | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'state-of-desk',
    clientInformation: () => kept['client'] as never,
    saveClientInformation: (client) => void (kept['client'] = client),
    tokens: () => kept['tokens'] as never,
    saveTokens: (tokens) => void (kept['tokens'] = tokens),
    redirectToAuthorization: (url) => void (sentTo = url),
    saveCodeVerifier: (verifier) => void (kept['verifier'] = verifier),
    codeVerifier: () => kept['verifier'] as string,
    discoveryState: () => kept['found'] as never,
    saveDiscoveryState: (found) => void (kept['found'] = found),
  };
  const serverUrl = new URL(`${api.url}/mcp`);
  return {
    kept,
    provider,
    begin: async () => {
      assert.equal(await auth(provider, { serverUrl }), 'REDIRECT');
      return sentTo!;
    },
    end: (back: URL) =>
      auth(provider, {
        serverUrl,
        authorizationCode: back.searchParams.get('code')!,
        ...(back.searchParams.has('iss') && { iss: back.searchParams.get('iss')! }),
      } as never),
    async connect() {
      const client = new Client({ name: client_name, version: '1' });
      await client.connect(new StreamableHTTPClientTransport(serverUrl, { authProvider: provider }) as never);
      after(() => client.close());
      return client;
    },
  };
}

/** Does what the console does when a person agrees, and returns where the program is sent. */
async function agree(at: URL, scope: 'read' | 'write' = 'read', person = corporate): Promise<URL> {
  const shown = await fetch(at, { redirect: 'manual' });
  assert.equal(shown.status, 302, await shown.clone().text());
  const asked = new URL(shown.headers.get('location')!, api.url).searchParams;
  const { status, body } = await person('POST', connectAgent.path, {
    client_id: asked.get('client_id'),
    redirect_uri: asked.get('redirect_uri'),
    code_challenge: asked.get('code_challenge'),
    state: asked.get('state'),
    scope,
    mode: 'live',
  });
  assert.equal(status, 200, JSON.stringify(body));
  return new URL(connectAgent.reply.parse(body).data.redirect);
}

test('a program connects itself, and what it gets is an ordinary key of the person', async () => {
  const desk = program();
  const at = await desk.begin();
  const { body } = await corporate('GET', `${agentClient.path}?${at.searchParams}`);
  assert.deepEqual(agentClient.reply.parse(body).data, { name: 'Desk helper', host: '127.0.0.1', is_local: true });
  const back = await agree(at);
  assert.equal(back.searchParams.get('state'), 'state-of-desk');
  assert.equal(await desk.end(back), 'AUTHORIZED');
  const client = await desk.connect();
  const { structuredContent } = await client.callTool({ name: 'get_balance', arguments: {} });
  assert.equal((structuredContent as { currency: string }).currency, 'PHP');
  assert.ok(!(await client.listTools()).tools.some(({ name }) => name === 'send_message'));
  const { data } = (await corporate('GET', '/api/v1/api-keys?search=Desk')).body as {
    data: { id: number; doors: string[]; scopes: string[]; last_day: string }[];
  };
  assert.deepEqual(data[0]!.doors, ['agents']);
  assert.ok(data[0]!.scopes.every((scope) => scope.endsWith(':read')) && data[0]!.last_day > '2026');
  await corporate('POST', `/api/v1/api-keys/${data[0]!.id}/revoke`);
  await new Promise((done) => setTimeout(done, 1_000));
  await assert.rejects(client.callTool({ name: 'get_balance', arguments: {} }));
});

test('a code works once, for its own program, and only with its secret', async () => {
  const desk = program();
  const back = await agree(await desk.begin(), 'write');
  const code = back.searchParams.get('code')!;
  const { client_id } = desk.kept['client'] as { client_id: string };
  const exchange = async (changes: Record<string, string>) => {
    const form = {
      grant_type: 'authorization_code',
      code,
      client_id,
      redirect_uri: REDIRECT,
      code_verifier: desk.kept['verifier'] as string,
    };
    const answer = await fetch(`${api.url}/oauth/agents/token`, {
      method: 'POST',
      body: new URLSearchParams({ ...form, ...changes }),
    });
    assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
    return [answer.status, ((await answer.json()) as { error?: string }).error ?? 'none'];
  };
  const wrong = [400, 'invalid_grant'];
  assert.deepEqual(await exchange({ code_verifier: 'a'.repeat(43) }), wrong);
  assert.deepEqual(await exchange({ redirect_uri: 'http://127.0.0.1:1/callback' }), wrong);
  assert.deepEqual(await exchange({ client_id: 'another' }), wrong);
  assert.deepEqual(await exchange({ code: `${code}x` }), wrong);
  assert.deepEqual(await exchange({ grant_type: 'password' }), [400, 'unsupported_grant_type']);
  const both = await Promise.all([exchange({}), exchange({})]);
  assert.deepEqual(both.map(([status]) => status).toSorted(), [200, 400]);
  assert.deepEqual(await exchange({}), wrong);
});

test('nobody is sent to an address that the program did not register', async () => {
  const at = await program().begin();
  for (const address of ['https://evil.test/', 'javascript:alert(1)', 'http://127.0.0.1:8976/elsewhere']) {
    at.searchParams.set('redirect_uri', address);
    const { status } = await fetch(at, { redirect: 'manual' });
    assert.equal(status, 400, address);
    assert.equal((await corporate('GET', `${agentClient.path}?${at.searchParams}`)).status, 400);
  }
  at.searchParams.set('redirect_uri', 'http://127.0.0.1:9999/callback');
  assert.equal((await fetch(at, { redirect: 'manual' })).status, 302, 'another port of its own computer');
  const register = async (redirect_uris: string[]) =>
    (
      await fetch(`${api.url}/oauth/agents/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris, client_name: '<b>Bank</b>\u202e' }),
      })
    ).status;
  assert.equal(await register(['https://agent.example.com/cb', 'cursor://anysphere/cb']), 201);
  for (const bad of [
    'http://example.com/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a.test/#x',
    'https://u@a.test/',
    'x',
  ])
    assert.equal(await register([bad]), 400, bad);
  assert.equal(await register([]), 400);
});

test('people without the right to keys, and those of the platform, connect nothing', async () => {
  const at = await program().begin();
  const shown = new URL((await fetch(at, { redirect: 'manual' })).headers.get('location')!, api.url).searchParams;
  const body = { ...Object.fromEntries(shown), scope: 'read', mode: 'live' };
  for (const [login, status] of [
    ['user', 403],
    ['superadmin', 409],
  ] as const) {
    const answer = await (await api.as(login))('POST', connectAgent.path, body);
    assert.ok(
      [403, 409, 422].includes(answer.status),
      `${login} ${answer.status} ${status} ${JSON.stringify(answer.body)}`,
    );
  }
});
