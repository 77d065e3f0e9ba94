import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { clientFiles } from '../../../../scripts/generate-clients.ts';
import { acme, api, count, failed, harm, key, message, stage } from './client-stage.ts';
import { examplesOf } from './client-suite.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const PACKAGE = resolve(ROOT, 'clients/python');

/** Runs a program with the client, and returns the values that it prints as JSON, one a line; `heard` gets the first. */
async function run(program: string, url = api.url, timeout = 30, heard = () => {}): Promise<unknown[]> {
  const begin = `import json, os, heliograph\nsay = lambda value: print(json.dumps(value), flush=True)\nclient = heliograph.Heliograph(os.environ["URL"], os.environ["KEY"], timeout=${timeout})\n`;
  const child = spawn('python3', ['-c', begin + program], {
    env: {
      PATH: process.env.PATH,
      PYTHONPATH: PACKAGE,
      PYTHONDONTWRITEBYTECODE: '1',
      URL: url,
      KEY: key,
      HELIOGRAPH_API_KEY: key,
    },
    timeout: 60_000,
  });
  child.stdout.once('data', heard);
  const [out, wrong, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.equal(code, 0, wrong);
  return out
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
const literal = (value: unknown) => `json.loads(${JSON.stringify(JSON.stringify(value))})`;

test('the made parts of the clients are those of the contract', () => {
  for (const [path, made] of Object.entries(clientFiles()))
    assert.equal(readFileSync(resolve(ROOT, path), 'utf8'), made, `${path}: run npm run clients`);
});

test('the guide shows the first example of each client, word for word', () => {
  const article = readFileSync(resolve(ROOT, 'apps/server/src/seed/guide/api-first-message.md'), 'utf8');
  for (const folder of ['python', 'go', 'php', 'java', 'csharp']) {
    const [first] = /```\w+\n[\s\S]*?```/.exec(readFileSync(resolve(ROOT, `clients/${folder}/README.md`), 'utf8'))!;
    assert.ok(article.includes(first), folder);
  }
});

test('the example of the README for Python runs as it stands', async () => {
  const [example] = examplesOf('python', 'python');
  const shown = 'import builtins\nprint = lambda *parts: builtins.print(json.dumps([str(part) for part in parts]))\n';
  const said = await run(shown + example);
  assert.match((said[0] as string[]).join(' '), /^\d+ [\d.]+ [A-Z]{3}$/);
});

test('every type of the Python client can be resolved', async () => {
  const [types] = await run(`
import typing, heliograph.api as api
made = [t for t in vars(api).values() if isinstance(t, type) and hasattr(t, "__total__")]
for each in [*made, *(f for f in vars(api.Calls).values() if callable(f))]:
    typing.get_type_hints(each)
say(len(made))
`);
  assert.ok(Number(types) > 80);
});

test('a message is sent once from Python, even if requests and answers are lost', async () => {
  const { url, seen } = await harm('refuse', 'lose', 'busy');
  const before = await count();
  const [id, again] = await run(
    `say(client.send_message(${literal(message(51))})["id"])\nsay(client.send_message(${literal(message(51))})["id"])`,
    url,
  );
  assert.equal(await count(), before + 2);
  assert.notEqual(id, again);
  assert.equal(new Set(seen.slice(0, 4).map((each) => each.key)).size, 1);
  assert.ok(seen[3]!.at - seen[2]!.at >= 1_000, 'Retry-After is kept');
});

test('the Python client never repeats a call that could do something twice', async () => {
  const { url, seen } = await harm('busy', 'lose');
  const said = await run(
    `
try: client.add_consent({"number": "${message(52).to}", "kind": "opt_in"})
except heliograph.ConnectionFailed as error: say("lost")
`,
    url,
  );
  assert.deepEqual([said, seen.length], [['lost'], 2]);
});

test('errors of the Python client name the fields, and tell refusals from silence', async () => {
  const [refused] = await run(`
try: client.send_message({**${literal(message(1))}, "to": "nobody"})
except heliograph.ApiError as error: say([error.status, error.code, list(error.errors), error.request_id is not None, str(error)])
`);
  assert.deepEqual((refused as unknown[]).slice(0, 4), [422, 'validation_failed', ['to'], true]);
  const silence = `
client._retries = 0
try: client.get_balance()
except heliograph.ConnectionFailed as error: say([error.timeout, str(error)])
`;
  assert.equal(((await run(silence, (await harm('stall')).url, 0.3))[0] as unknown[])[0], true);
  const [nowhere] = (await run(silence, 'http://127.0.0.1:1')) as [[boolean, string]];
  assert.equal(nowhere[0], false);
  assert.match(nowhere[1], /^127\.0\.0\.1:1 could not be reached: /);
  // A key is for one host.
  const [moved] = await run(
    silence.replace('ConnectionFailed as error: say([error.timeout', 'ApiError as error: say([error.status'),
    await redirecting(),
  );
  assert.equal((moved as unknown[])[0], 302);
});

/** Starts a server that sends every caller elsewhere. */
async function redirecting(): Promise<string> {
  const { createServer } = await import('node:http');
  const server = createServer((_, response) => response.writeHead(302, { location: api.url }).end()).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  server.unref();
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

test('lists are read page by page from Python, and files as bytes', async () => {
  const recipients = [61, 62, 63].map((n) => ({ to: stage.number(n) }));
  const [found, estimate] = await run(`
batch = client.send_batch(${literal({ from: acme.sender, text: 'Hi', recipients })})
say([m["to"] for m in client.every(client.list_messages, batch_id=batch["id"], limit=2)])
say(client.estimate_message(${literal({ from: acme.sender, to: [stage.number(1)], text: 'Hello' })})["messages"])
`);
  assert.deepEqual([found, estimate], [[61, 62, 63].map(stage.number), 1]);
});

test('events reach a Python program as they happen, from its cursor on', async () => {
  const { id } = await stage.one<{ id: number }>('SELECT max(message_id) AS id FROM program_message');
  const program = `
cursor = client.list_events(cursor="now")["next_cursor"]
say("ready")
seen = []
for cursor, event in client.stream_events(cursor=cursor):
    seen.append(event["data"]["error_code"])
    if len(seen) == 2: break
say(seen)
for cursor, event in client.stream_events(cursor=cursor):
    say(event["data"]["error_code"])
    break
`;
  const happen = async () => {
    for (const code of ['one', 'two', 'three']) await failed({ user_id: acme.user_id, id }, code);
  };
  assert.deepEqual(await run(program, api.url, 30, () => void happen()), ['ready', ['one', 'two'], 'three']);
});

test('the Python client takes callbacks of the platform only', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const now = new Date();
  const body = JSON.stringify({ type: 'message.delivered', timestamp: now.toISOString(), data: { to: 'ñ' } });
  const headers = (at: Date, signed = body) => ({
    'Webhook-Id': 'evt_1',
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1_000)),
    'Webhook-Signature': new Webhook(secret).sign('evt_1', at, signed),
  });
  const verify = (given: object, own = secret, text = body) => `
try: say(heliograph.verify_webhook(${literal(text)}, ${literal(given)}, ${literal(own)}))
except heliograph.WebhookError as error: say(str(error))
`;
  const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
  const said = await run(
    [
      verify(headers(now)),
      verify(headers(now), other),
      verify(headers(new Date(now.getTime() - 600_000))),
      verify(headers(now), secret, body.replace('ñ', 'n')),
      verify({ ...headers(now), 'Webhook-Id': '' }),
      verify(headers(now), 'secret'),
    ].join(''),
  );
  assert.deepEqual(said[0], ['evt_1', JSON.parse(body)]);
  const reasons = [
    /any of the secrets/,
    /too old/,
    /any of the secrets/,
    /webhook-id is missing/,
    /begins with whsec_/,
  ];
  for (const [place, reason] of reasons.entries()) assert.match(String(said[place + 1]), reason);
});
