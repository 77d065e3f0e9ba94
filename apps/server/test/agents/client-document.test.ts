import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { after, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { agentClient } from '@heliograph/contract/api/agent-connection';
import { ClientDocuments, isDocumentAddress } from '../../src/modules/agents/client-document.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { callOnce } from '../../src/platform/outbound/agent.ts';
import { apiStage } from '../api/stage.ts';
import { listenOn } from '../own-port.ts';
import { authority } from '../smpp-server/certificates.ts';

const CALLBACK = 'https://agent.example.com/cb';

const issuer = authority({ after }, 'Agents');
const own = issuer.sign('localhost');
setDefaultCACertificates([...getCACertificates('default'), readFileSync(issuer.cert, 'utf8')]);

/** Site of a program, which describes itself there. */
let asked = 0;
const site = createServer({ cert: readFileSync(own.cert), key: readFileSync(own.key) }, ({ url }, answer) => {
  asked++;
  const described = (client_id: string) =>
    JSON.stringify({ client_id, client_name: 'Desk', redirect_uris: [CALLBACK, 'http://localhost/cb'] });
  if (url === '/moved.json') return void answer.writeHead(302, { location: '/agent.json' }).end();
  if (url === '/page') return void answer.end('<p>Hello</p>');
  answer.end(described(url === '/another.json' ? 'https://localhost/agent.json' : `${base}${url}`));
});
const base = `https://localhost:${await listenOn(site, { after }, 'localhost')}`;

const { api } = await apiStage({ after }, { PRIVATE_TARGETS: '127.0.0.0/8,::1/128' });
const corporate = await api.as('corporate');
const clientOf = async (client_id: string, redirect_uri = CALLBACK) => {
  const query = new URLSearchParams({ client_id, redirect_uri });
  const { status, body } = await corporate('GET', `${agentClient.path}?${query}`);
  return status === 200 ? agentClient.reply.parse(body).data : `${status} ${(body as { code: string }).code}`;
};

test('a program that describes itself at its address is known by it', async () => {
  const shown = await clientOf(`${base}/agent.json`);
  assert.ok(typeof shown === 'object');
  assert.deepEqual([shown.name, shown.known_by], ['Desk', new URL(base).host]);
  assert.equal((await clientOf(`${base}/agent.json`, 'https://evil.test/')) as string, '400 agent_client_unknown');
  const local = await clientOf(`${base}/agent.json`, 'http://localhost:4711/cb');
  assert.ok(typeof local === 'object' && local.place === 'computer');
  assert.equal(asked, 1, 'it is kept for a while');
});

test('a description that is not a program’s own counts for nothing', async () => {
  assert.equal(await clientOf(`${base}/another.json`), '400 agent_client_unknown');
  assert.equal(await clientOf(`${base}/page`), '400 agent_client_unknown');
  assert.equal(await clientOf(`${base}/moved.json`), '400 agent_client_unreachable');
});

test('a description is fetched from public addresses only, and never for strangers', async () => {
  const before = asked;
  const nothingPrivate = new ClientDocuments(
    (url, most) => callOnce({ PRIVATE_TARGETS: [] }, { method: 'GET', url, headers: {} }, most),
    systemClock,
  );
  await assert.rejects(nothingPrivate.read(`${base}/other.json`), { code: 'agent_client_unreachable' });
  const query = new URLSearchParams({ client_id: `${base}/strange.json`, redirect_uri: CALLBACK });
  assert.equal((await fetch(`${api.url}${agentClient.path}?${query}`)).status, 401);
  const sent = await fetch(`${api.url}/oauth/agents/authorize?${query}`, { redirect: 'manual' });
  assert.equal(sent.status, 302);
  assert.equal(asked, before);
});

test('an address of a description is written as browsers write it', () => {
  assert.ok(isDocumentAddress('https://agent.example.com/oauth/agent.json'));
  for (const id of [
    'http://agent.example.com/a.json',
    'https://agent.example.com',
    'https://agent.example.com/',
    'https://u:p@agent.example.com/a.json',
    'https://agent.example.com/a.json#x',
    'https://agent.example.com/x/../a.json',
    'https://AGENT.example.com/a.json',
    'v1.abc',
  ])
    assert.ok(!isDocumentAddress(id), id);
});
