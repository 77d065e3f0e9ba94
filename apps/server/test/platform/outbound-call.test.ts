import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, type TestContext, test } from 'node:test';
import { OutboundAgent, type OutboundCall } from '../../src/platform/outbound/agent.ts';
import { listenOn } from '../own-port.ts';

/** Starts a server on an address of this machine that counts requests. */
async function canary(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  host = '127.0.0.1',
) {
  let hits = 0;
  const server = createServer((request, response) => {
    hits++;
    answer(request, response);
  });
  return { port: await listenOn(server, t, host), hits: () => hits };
}

const get = (url: string): OutboundCall => ({ method: 'GET', url, headers: {} });
const MAX_BYTES = 65_536;

/** Returns an agent that may call private targets in these networks. */
function agentFor(targets: string[], resolve?: ConstructorParameters<typeof OutboundAgent>[1]) {
  const agent = new OutboundAgent({ PRIVATE_TARGETS: targets }, resolve);
  after(() => agent.close());
  return (call: OutboundCall) => agent.call(call, MAX_BYTES);
}
const nothing = agentFor([]);
const here = agentFor(['127.0.0.0/8']);

/** Lists ways to write an address that must not be reached. */
function hostile(port: number): string[] {
  const hosts = [
    ...[
      'localhost',
      'LOCALHOST',
      'localhost.',
      'x.localhost',
      'ip6-localhost',
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '127.0.1',
      '127.255.255.254',
    ],
    ...[
      '0',
      '0.0.0.0',
      '0x0',
      '0x7f000001',
      '0x7f.0.0.1',
      '0x7f.1',
      '0177.0.0.1',
      '017700000001',
      '2130706433',
      '127.0.0.01',
      '%31%32%37.0.0.1',
    ],
    ...[
      '①②⑦.⓪.⓪.①',
      '１２７.０.０.１',
      '127。0。0。1',
      '[::1]',
      '[::]',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
    ],
    ...[
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::7f00:1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
      '[fe80::1]',
      '[fe80::1%25lo]',
      '[fc00::1]',
      '[fd00::1]',
      '[ff02::1]',
    ],
    ...[
      '10.0.0.1',
      '10.255.255.255',
      '172.16.0.1',
      '172.31.255.254',
      '192.168.0.1',
      '192.168.255.255',
      '169.254.169.254',
      '169.254.0.1',
      '100.64.0.1',
      '100.100.100.200',
    ],
    ...[
      '192.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '198.51.100.7',
      '203.0.113.9',
      '224.0.0.1',
      '239.1.1.1',
      '240.0.0.1',
      '255.255.255.255',
      '[::ffff:169.254.169.254]',
    ],
    ...['[::ffff:10.0.0.1]', '[fd00:ec2::254]', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
  ];
  const ways = [
    `http://127.0.0.1@localhost:${port}/`,
    `http://example.com@127.0.0.1:${port}/`,
    `http://localhost:${port}@localhost:${port}/`,
    `http:\\\\127.0.0.1:${port}\\`,
    `http:/127.0.0.1:${port}/`,
    `HTTP://127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/#@example.com`,
    `http://127.0.0.1:${port}?@example.com/`,
    `http://127.0.0.1\t:${port}/`,
    ` http://127.0.0.1:${port}/ `,
    `ftp://127.0.0.1:${port}/`,
    `file:///etc/passwd`,
    `gopher://127.0.0.1:${port}/`,
    `javascript:alert(1)`,
    `data:text/plain,x`,
    `//127.0.0.1:${port}/`,
    `127.0.0.1:${port}`,
    '',
    'http://',
  ];
  return [
    ...hosts.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/`]),
    ...ways,
    ...hosts.map((host) => `http://${host}/`),
  ];
}

test('no spelling of a private address reaches it', async (t) => {
  const { port, hits } = await canary(t, (_, response) => response.end('reached'));
  const urls = hostile(port);
  assert.ok(urls.length >= 150, String(urls.length));
  for (const url of urls) {
    const answer = await nothing(get(url));
    assert.equal(answer.status, null, url);
    assert.ok(
      ['bad_address', 'unknown_host', 'address_not_allowed', 'port_not_allowed'].includes(answer.fault ?? ''),
      `${url}: ${answer.fault}`,
    );
  }
  assert.equal(hits(), 0);
});

/** Starts a name server that answers with the next address at each lookup. The first one is harmless. */
async function rebindingServer(t: TestContext, addresses: readonly string[]) {
  let asked = 0;
  const socket = createSocket('udp4', (query, from) => {
    const end = query.indexOf(0, 12) + 5;
    const isA = query.readUInt16BE(end - 4) === 1;
    const address = addresses[Math.min(asked, addresses.length - 1)]!;
    if (isA) asked++;
    const answer = Buffer.concat([
      Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]),
      Buffer.from(address.split('.').map(Number)),
    ]);
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(isA ? 1 : 0, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, query.subarray(12, end), ...(isA ? [answer] : [])]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => void socket.close());
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    asked: () => asked,
    resolve: async (host: string) => (await resolver.resolve4(host)).map((address) => ({ address, family: 4 })),
  };
}

test('a call connects to the address of its single lookup, even if the name changes', async (t) => {
  const { port, hits } = await canary(t, (_, response) => response.end('reached'));
  const names = await rebindingServer(t, ['127.0.0.2', '127.0.0.1']);
  const call = agentFor(['127.0.0.2/32'], names.resolve);
  for (let i = 1; i <= 5; i++) {
    const { fault } = await call(get(`http://rebind.example:${port}/`));
    // The name's first address has no listener; from the second call on it leads to a forbidden address.
    assert.equal(fault, i === 1 ? 'unreachable' : 'address_not_allowed');
    assert.equal(names.asked(), i, 'a name is looked up once a call');
  }
  assert.equal(hits(), 0);
});

test('redirects are not followed, and an answer is cut at 64 KB', async (t) => {
  const target = await canary(t, (_, response) => response.end('reached'));
  const server = await canary(t, (request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${target.port}/` }).end();
    else if (request.url === '/broken') response.writeHead(500).end('no');
    else if (request.url === '/large')
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('x'.repeat(1_000_000));
    else {
      let body = '';
      request.on('data', (chunk) => (body += chunk));
      request.on('end', () => response.end(`${request.method} ${request.headers['x-own']} ${body}`));
    }
  });
  const at = (path: string) => `http://127.0.0.1:${server.port}${path}`;
  const away = await here(get(at('/away')));
  assert.deepEqual([away.status, away.fault, target.hits()], [302, 'redirect', 0]);
  assert.equal((await here(get(at('/broken')))).fault, 'http_status');
  const large = await here(get(at('/large')));
  assert.deepEqual([large.fault, large.type, large.body.length], [null, 'text/plain', 65_536]);
  const posted = await here({ method: 'POST', url: at('/'), headers: { 'x-own': 'yes' }, body: 'Größe' });
  assert.deepEqual([posted.status, posted.body], [200, 'POST yes Größe']);
});
