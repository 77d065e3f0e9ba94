import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { agentClient, connectAgent } from '@heliograph/contract/api/agent-connection';
import { apiStage } from '../api/stage.ts';
import { agentProgram } from './agent-program.ts';

const stage = await apiStage({ after });
const { api } = stage;
const corporate = await api.as('corporate');
const REDIRECT = 'http://127.0.0.1:8976/callback';

const program = () => agentProgram({ url: api.url, redirect: REDIRECT });

/** Returns our own screen, to which a request leads. */
async function shownAt(at: URL): Promise<URL> {
  const { status, headers } = await fetch(at, { redirect: 'manual' });
  assert.equal(status, 302);
  const to = headers.get('location')!;
  assert.match(to, /^\/connect-agent\?/);
  return new URL(to, api.url);
}

/** Reads what the screen shows of a request. */
async function clientAt(at: URL, person = corporate) {
  const { status, body } = await person('GET', `${agentClient.path}${(await shownAt(at)).search}`);
  return status === 200 ? agentClient.reply.parse(body).data : { status, code: (body as { code: string }).code };
}

/** Does what the console does when a person agrees, and returns where the program is sent. */
async function agree(at: URL, scope: 'read' | 'write' = 'read', person = corporate): Promise<URL> {
  const asked = (await shownAt(at)).searchParams;
  const { status, body } = await person('POST', connectAgent.path, {
    client_id: asked.get('client_id'),
    redirect_uri: asked.get('redirect_uri'),
    code_challenge: asked.get('code_challenge'),
    state: asked.get('state'),
    resource: asked.get('resource'),
    scope,
    mode: 'live',
  });
  assert.equal(status, 200, JSON.stringify(body));
  return new URL(connectAgent.reply.parse(body).data.redirect);
}

test('a program connects itself, and what it gets is an ordinary key of the person', async () => {
  const desk = program();
  const at = await desk.begin();
  assert.equal(at.searchParams.get('resource'), `${api.url}/mcp`);
  assert.equal(at.searchParams.get('scope'), 'read', 'it is told to ask for the least');
  const { refusal, ...shown } = (await clientAt(at)) as { refusal: string };
  assert.deepEqual(shown, { name: 'Desk helper', known_by: null, host: '127.0.0.1', place: 'computer', fault: null });
  const refused = new URL(refusal).searchParams;
  assert.deepEqual(Object.fromEntries(refused), { error: 'access_denied', state: 'state-of-desk', iss: api.url });
  const back = await agree(at);
  assert.equal(back.searchParams.get('state'), 'state-of-desk');
  assert.equal(back.searchParams.get('iss'), api.url);
  const spoofed = new URL(back);
  spoofed.searchParams.set('iss', 'https://evil.test');
  await assert.rejects(desk.end(spoofed), 'a code of somebody else');
  await desk.end(back);
  const client = await desk.connect();
  after(() => client.close());
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
      resource: `${api.url}/mcp`,
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
  assert.deepEqual(await exchange({ code: `v1.${code[3] === 'A' ? 'B' : 'A'}${code.slice(4)}` }), wrong);
  assert.deepEqual(await exchange({ grant_type: 'password' }), [400, 'unsupported_grant_type']);
  assert.deepEqual(await exchange({ resource: 'https://other.test/mcp' }), [400, 'invalid_target']);
  const both = await Promise.all([exchange({}), exchange({})]);
  assert.deepEqual(both.map(([status]) => status).toSorted(), [200, 400]);
  const otherwise = ['', '=', '.', '-', 'A'].map((end) => exchange({ code: code + end }));
  const lastBits = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map((last) =>
    exchange({ code: code.slice(0, -1) + last }),
  );
  for (const answer of await Promise.all([...otherwise, ...lastBits])) assert.deepEqual(answer, wrong);
});

test('a code that comes a second time ends the key of the first', async () => {
  const desk = program();
  const back = await agree(await desk.begin());
  await desk.end(back);
  const client = await desk.connect();
  after(() => client.close());
  await client.callTool({ name: 'get_balance', arguments: {} });
  const keys = async () =>
    ((await corporate('GET', '/api/v1/api-keys?search=Desk&sort=-created_at')).body as { data: { state: string }[] })
      .data;
  const before = await keys();
  assert.equal(before[0]!.state, 'valid');
  await assert.rejects(desk.end(back), /used before/);
  const [ended, ...others] = await keys();
  assert.equal(ended!.state, 'revoked');
  assert.deepEqual(others, before.slice(1), 'those of other codes stay');
});

test('nobody is sent to an address that the program did not register', async () => {
  const at = await program().begin();
  for (const address of [
    'https://evil.test/',
    'javascript:alert(1)',
    'http://127.0.0.1:8976/elsewhere',
    'http://127.0.0.1:8976/x/../callback',
    'http://127.0.0.1.evil.test/callback',
    'http://127.0.0.1:8976@evil.test/callback',
    'http://localhost:8976/callback',
  ]) {
    at.searchParams.set('redirect_uri', address);
    assert.deepEqual(await clientAt(at), { status: 400, code: 'agent_client_unknown' }, address);
    const body = { ...Object.fromEntries((await shownAt(at)).searchParams), scope: 'read', mode: 'live' };
    const { response_type: _, code_challenge_method: __, ...rest } = body as Record<string, string>;
    assert.equal((await corporate('POST', connectAgent.path, rest)).status, 400);
  }
  at.searchParams.set('redirect_uri', 'http://127.0.0.1:9999/callback');
  assert.equal(((await clientAt(at)) as { host: string }).host, '127.0.0.1', 'another port of its own computer');
});

test('a request that is wrong goes back only when the person says so', async () => {
  const fault = async (changes: Record<string, string | null>) => {
    const at = await program().begin();
    for (const [name, value] of Object.entries(changes))
      if (value === null) at.searchParams.delete(name);
      else at.searchParams.set(name, value);
    const shown = (await clientAt(at)) as { fault: string; refusal: string };
    assert.equal(new URL(shown.refusal).searchParams.get('error'), shown.fault);
    return shown.fault;
  };
  assert.equal(await fault({ response_type: 'token' }), 'unsupported_response_type');
  assert.equal(await fault({ code_challenge: null }), 'invalid_request');
  assert.equal(await fault({ code_challenge_method: 'plain' }), 'invalid_request');
  assert.equal(await fault({ code_challenge_method: null }), 'invalid_request');
  assert.equal(await fault({ resource: 'https://elsewhere.test/mcp' }), 'invalid_target');
  const at = await program().begin();
  at.searchParams.append('redirect_uri', 'https://evil.test/');
  assert.equal((await shownAt(at)).searchParams.getAll('redirect_uri').length, 1);
});

test('a program registers only places that are its own', async () => {
  const register = async (redirect_uris: string[]) => {
    const answer = await fetch(`${api.url}/oauth/agents/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris, client_name: '<b>Bank</b>\u202e' }),
    });
    return { status: answer.status, ...((await answer.json()) as { client_name?: string }) };
  };
  const good = await register([
    'https://agent.example.com/cb',
    'cursor://anysphere/cb',
    'com.example.desk:/cb',
    'http://localhost/cb',
  ]);
  assert.deepEqual([good.status, good.client_name], [201, 'b Bank b']);
  for (const bad of [
    'http://example.com/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'ms-msdt:/id',
    'search-ms:query',
    'tel:+639170000000',
    'https://a.test/#x',
    'https://a.test/#',
    'https://u@a.test/',
    'https://:p@a.test/',
    'https://a.test/é',
    'x',
  ])
    assert.equal((await register([bad])).status, 400, bad);
  assert.equal((await register([])).status, 400);
  const long = Array.from({ length: 10 }, (_, each) => `https://a.test/${each}/${'x'.repeat(480)}`);
  assert.equal((await register(long)).status, 400, 'an id that nobody could send');
});

test('people without the right to keys, and those of the platform, connect nothing', async () => {
  const at = await program().begin();
  const { searchParams } = await shownAt(at);
  const { response_type: _, code_challenge_method: __, ...asked } = Object.fromEntries(searchParams);
  const answerTo = async (login: string) => {
    const { status, body } = await (await api.as(login))('POST', connectAgent.path, {
      ...asked,
      scope: 'read',
      mode: 'live',
    });
    return `${status} ${(body as { code: string }).code}`;
  };
  assert.equal(await answerTo('user'), '403 forbidden');
  assert.equal(await answerTo('superadmin'), '422 api_key_outside');
  const { name } = (await clientAt(at, await api.as('user'))) as { name: string };
  assert.equal(name, 'Desk helper', 'they see who asks, so that they can refuse');
});
