import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { testConnectivity } from '@heliograph/contract/links/connectivity-test';
import { listenOn } from '../own-port.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after }, { settings: { PRIVATE_TARGETS: '127.0.0.0/8' } });
let asked = 0;
const server = createServer((_, response) => {
  asked++;
  response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end('secret');
});
const port = await listenOn(server, { after });

async function run(login: string, body: object) {
  const reply = await (await api.as(login))('POST', '/api/v1/connectivity-test', body);
  return { ...reply, body: reply.body as { data: unknown; errors?: Record<string, string[]> } };
}
const result = async (body: object) => testConnectivity.reply.parse((await run('superadmin', body)).body).data;

test('each step of a test is shown, but of the answer only its status', async () => {
  const { accessible, steps } = await result({ target: `http://127.0.0.1:${port}/hook`, check: 'http' });
  assert.equal(accessible, true);
  assert.deepEqual(
    steps.map(({ step, outcome }) => [step, outcome]),
    [
      ['resolve', 'done'],
      ['connect', 'done'],
      ['http', 'done'],
    ],
  );
  assert.equal(steps[2]?.detail, 'HTTP 302');
  assert.equal(asked, 1);
  assert.doesNotMatch(JSON.stringify(steps), /secret|location/);

  const refused = await result({ target: '127.0.0.1', port: 1, check: 'tcp' });
  assert.equal(refused.accessible, false);
  assert.equal(refused.steps.at(-1)?.code, 'ECONNREFUSED');

  const bind = await result({ target: '127.0.0.1', port, check: 'smpp', system_id: 'x', password: 'y' });
  assert.equal(bind.accessible, false);
  assert.equal(bind.steps.at(-1)?.step, 'bind');
});

test('private addresses are not connected to, and invalid targets are refused', async () => {
  for (const target of ['10.0.0.1', 'http://169.254.169.254/latest', '[::1]', '192.168.1.1']) {
    const { accessible, steps } = await result({ target, check: 'tcp' });
    assert.equal(accessible, false, target);
    assert.deepEqual(
      steps.map(({ step, code }) => [step, code]),
      [['resolve', 'address_not_allowed']],
      target,
    );
  }
  for (const target of [
    'ftp://example.com',
    'http://',
    'http://user:pass@example.com/',
    '1.2.3',
    '300.1.1.1',
    'a b',
    '-x.test',
    'exa_mple',
  ]) {
    const { status, body } = await run('superadmin', { target, check: 'tcp' });
    assert.equal(status, 422, target);
    assert.match(body.errors?.['target']?.[0] ?? '', /valid (URL|.*IP)/, target);
  }
});

test('a caller without the permission cannot test a connection', async () => {
  assert.equal((await run('corporate', { target: 'example.com', check: 'tcp' })).status, 403);
});
