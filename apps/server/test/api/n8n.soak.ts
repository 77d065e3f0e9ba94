import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { callbackStage } from '../callbacks/receiver.ts';
import { ownPort } from '../own-port.ts';
import { emptyDatabase, overTcp } from '../template-database.ts';

// The nodes within n8n itself, which is installed on first use: 2.8 GB, so it is no part of `npm test`.

const VERSION = '2.40.7';
const ROOT = resolve(import.meta.dirname, '../../../..');
const SOURCE = join(ROOT, 'clients/n8n');
const INSTALLED = process.env['N8N_FOLDER'] ?? join(ROOT, 'node_modules/.n8n');

const run = (command: string, args: string[], cwd: string) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${stdout}${stderr}`);
};

/** Builds the package with the types of n8n, and puts it where n8n looks for community nodes. */
function install(home: string): void {
  if (!existsSync(join(INSTALLED, 'node_modules/n8n'))) {
    mkdirSync(INSTALLED, { recursive: true });
    writeFileSync(join(INSTALLED, 'package.json'), '{"private":true}');
    // Its drivers of other databases would be downloaded from elsewhere; PostgreSQL needs none.
    run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `n8n@${VERSION}`], INSTALLED);
  }
  const built = join(home, 'built');
  cpSync(SOURCE, built, { recursive: true });
  symlinkSync(join(INSTALLED, 'node_modules'), join(built, 'node_modules'));
  run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], built);
  run(process.execPath, ['copy-icons.js'], built);
  const { name, version } = JSON.parse(readFileSync(join(SOURCE, 'package.json'), 'utf8'));
  const nodes = join(home, '.n8n/nodes');
  const folder = join(nodes, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(nodes, 'package.json'), JSON.stringify({ private: true, dependencies: { [name]: version } }));
  cpSync(join(built, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(built, 'package.json'), join(folder, 'package.json'));
}

/** Starts n8n with a database of its own, and returns a client of its editor. */
async function startN8n(home: string) {
  const database = new URL(overTcp((await emptyDatabase({ after })).url));
  const port = await ownPort();
  const url = `http://127.0.0.1:${port}`;
  const child: ChildProcess = spawn(process.execPath, [join(INSTALLED, 'node_modules/n8n/bin/n8n'), 'start'], {
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      N8N_USER_FOLDER: home,
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: database.hostname,
      DB_POSTGRESDB_PORT: database.port,
      DB_POSTGRESDB_DATABASE: database.pathname.slice(1),
      DB_POSTGRESDB_USER: decodeURIComponent(database.username),
      DB_POSTGRESDB_PASSWORD: decodeURIComponent(database.password),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_PORT: String(port),
      N8N_HOST: '127.0.0.1',
      WEBHOOK_URL: `${url}/`,
      N8N_ENCRYPTION_KEY: randomUUID(),
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
    },
  });
  after(() => child.kill('SIGKILL'));
  await until('n8n answers', async () => {
    assert.equal(child.exitCode, null, 'n8n has ended');
    return (await fetch(`${url}/healthz/readiness`).catch(() => undefined))?.ok === true;
  });
  let cookie = '';
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', cookie, 'browser-id': 'soak' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const set = response.headers.getSetCookie();
    if (set.length > 0) cookie = set.map((each) => each.split(';')[0]).join('; ');
    const text = await response.text();
    return { status: response.status, data: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text };
  };
  const person = { email: 'owner@example.com', firstName: 'A', lastName: 'B', password: `Aa1${randomUUID()}` };
  assert.equal((await call('POST', '/rest/owner/setup', person)).status, 200);
  return { url, call };
}

test('n8n loads the nodes, sends once, reads all pages, and starts workflows from signed events', async () => {
  const home = mkdtempSync(join(tmpdir(), 'heliograph-n8n-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  install(home);
  const s = await callbackStage({ after });
  const { user_id, from } = await s.one<{ user_id: number; from: string }>(
    `SELECT u.id AS user_id, (SELECT sender_id FROM sender_id WHERE corporation_id = u.corporation_id AND enabled
       ORDER BY id LIMIT 1) AS from FROM user_account u WHERE email = 'corporate@heliograph.test'`,
  );
  const made = await s.corporate('POST', '/api/v1/api-keys', { name: 'n8n', user_id });
  const { key } = (made.body as { data: { key: string } }).data;
  const program = s.api.anonymous(key);
  const { url, call } = await startN8n(home);

  const credential = { name: 'Heliograph', type: 'heliographApi', data: { url: `${s.api.url}/`, key } };
  const { id } = (await call('POST', '/rest/credentials', credential)).data.data;
  const tried = async (data: object) =>
    (await call('POST', '/rest/credentials/test', { credentials: { ...credential, id, data } })).data.data.status;
  assert.deepEqual(
    [await tried(credential.data), await tried({ ...credential.data, key: 'hk_live_wrong' })],
    ['OK', 'Error'],
  );

  const credentials = { heliographApi: { id, name: 'Heliograph' } };
  const node = (name: string, type: string, parameters: object, more: object = {}) => ({
    id: randomUUID(),
    name,
    type,
    typeVersion: 1,
    position: [0, 0],
    parameters,
    ...more,
  });
  const ours = (name: string, parameters: object) =>
    node(name, `n8n-nodes-heliograph.${name}`, parameters, { credentials, webhookId: randomUUID() });
  const activate = async (name: string, nodes: object[], connections: object) => {
    const settings = { executionOrder: 'v1' };
    const { id, versionId } = (await call('POST', '/rest/workflows', { name, nodes, connections, settings })).data.data;
    const answer = await call('POST', `/rest/workflows/${id}/activate`, { versionId });
    assert.equal(answer.status, 200, JSON.stringify(answer.data));
    return id as string;
  };
  const through = (path: string, parameters: object) =>
    activate(
      path,
      [
        node(
          'in',
          'n8n-nodes-base.webhook',
          { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries' },
          { webhookId: randomUUID(), typeVersion: 2 },
        ),
        ours('heliograph', parameters),
      ],
      { in: { main: [[{ node: 'heliograph', type: 'main', index: 0 }]] } },
    );

  const events = await activate('events', [ours('heliographTrigger', { types: ['balance.low'] })], {});
  await through('send', {
    resource: 'messages',
    operation: 'sendMessage',
    from,
    to: '={{ $json.body.to }}',
    text: 'From n8n',
    additionalFields: { client_ref: 'n8n', tags: ['one', 'two'] },
  });
  const all = { resource: 'messages', operation: 'listMessages', returnAll: true };
  await through('list', { ...all, additionalFields: { client_ref: 'n8n' } });

  const sent = await call('POST', '/webhook/send', { to: '+63 917 000 1234' });
  assert.equal(sent.status, 200, JSON.stringify(sent.data));
  assert.equal(sent.data[0].to, '639170001234');
  assert.equal((await call('POST', '/webhook/send', { to: 'nobody' })).status, 500);
  for (let n = 0; n < 120; n++)
    assert.equal(
      (
        await program('POST', '/v1/messages', {
          from,
          to: `63917${String(2_000_000 + n)}`,
          text: 'x',
          client_ref: 'n8n',
        })
      ).status,
      202,
    );
  const listed = (await call('POST', '/webhook/list', {})).data as { id: string; tags: string[] }[];
  assert.equal(new Set(listed.map((each) => each.id)).size, 121);
  assert.deepEqual(listed.find((each) => each.id === sent.data[0].id)!.tags, ['one', 'two']);

  const runs = async () =>
    (await call('GET', `/rest/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: events }))}`)).data
      .data.results as { status: string }[];
  await s.tell({});
  await until('the event started the workflow', async () => (await runs()).some(({ status }) => status === 'success'));
  const { data } = (await program('GET', '/v1/callbacks')).body as { data: { url: string }[] };
  assert.ok(data[0]!.url.startsWith(url));
  const forged = await fetch(data[0]!.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1_000)),
      'webhook-signature': 'v1,AAAA',
    },
    body: '{"type":"balance.low"}',
  });
  assert.equal(forged.status, 401);
  assert.equal((await runs()).length, 1);
  assert.equal((await call('POST', `/rest/workflows/${events}/deactivate`, {})).status, 200);
  await until('the address is gone', async () => {
    const { body } = await program('GET', '/v1/callbacks');
    return (body as { data: unknown[] }).data.length === 0;
  });
});
