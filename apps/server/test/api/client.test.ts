import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import { addEvents } from '#modules/events';
import { ApiError, ConnectionError, Heliograph } from '../../../../packages/client/src/index.ts';
import { apiStage } from './stage.ts';

const COMMAND = resolve(import.meta.dirname, '../../../../packages/client/src/cli.ts');

const stage = await apiStage({ after });
const { api, acme, one } = stage;
await api.database
  .pool('owner')
  .query("INSERT INTO link (name, host, port, system_id, for_tests) VALUES ('Tests', '127.0.0.1', 1, 'x', true)");
const { key } = await stage.makeKey({ mode: 'test' });
const folder = mkdtempSync(join(tmpdir(), 'heliograph-command-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const count = async () => Number((await one<{ n: string }>('SELECT count(*) AS n FROM program_message')).n);
const message = (to: number, words = 'Hello') => ({ from: acme.sender, to: stage.number(to), text: words });

type Fault = 'pass' | 'refuse' | 'lose' | 'busy' | 'stall' | 'full' | (() => void);

/** What the API answers while the disk of its database is full; nobody waits for as long as it says here. */
const FULL = { code: 'unavailable', reason: 'database_full', message: 'The disk is full. Try again in 600 s.' };

/** Something between a program and the API that does harm to the next calls, by a plan. */
async function harm(...plan: Fault[]) {
  const seen: { key: string | undefined; at: number }[] = [];
  const server = createServer(async (request, response) => {
    const fault = plan.shift();
    const { host: _, connection: __, ...headers } = request.headers as Record<string, string>;
    seen.push({ key: headers['idempotency-key'], at: performance.now() });
    if (fault === 'refuse') return void request.socket.destroy();
    if (fault === 'busy')
      return void response.writeHead(429, { 'retry-after': '1' }).end('{"code":"too_many_requests"}');
    if (fault === 'full') return void response.writeHead(503, { 'retry-after': '600' }).end(JSON.stringify(FULL));
    const body = request.method === 'POST' ? await text(request) : undefined;
    const answer = await fetch(api.url + request.url, {
      method: request.method!,
      headers,
      ...(body !== undefined && { body }),
    });
    const said = await answer.text();
    // The API has done it; the caller never hears of it.
    if (fault === 'lose') return void request.socket.destroy();
    if (fault === 'stall') return;
    if (typeof fault === 'function') return fault();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(said);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { seen, url, client: new Heliograph({ url, key, timeoutMs: 10_000 }) };
}

test('a message is sent once, whatever happens to requests and answers on their way', async () => {
  const { client, seen } = await harm('refuse', 'lose', 'busy');
  const before = await count();
  const sent = await client.send(message(1));
  assert.equal(await count(), before + 1);
  assert.equal((await client.get(sent.id)).id, sent.id);
  const tries = seen.slice(0, 4);
  assert.equal(tries.length, 4);
  assert.equal(new Set(tries.map((each) => each.key)).size, 1);
  assert.match(tries[0]!.key ?? '', /^[\da-f-]{36}$/);
  assert.ok(tries[3]!.at - tries[2]!.at >= 1_000, 'Retry-After is kept');
  const again = await client.send(message(1));
  assert.notEqual(again.id, sent.id);
});

test('calls end with an error of their own kind: refused, unreachable, too late, or ended by the caller', async () => {
  const { client, url } = await harm('stall');
  const refused = await client
    .send({ ...message(1), to: 'nobody' }, { timeoutMs: 2_000, retries: 5 })
    .catch((error) => error);
  assert.ok(refused instanceof ApiError);
  assert.deepEqual([refused.status, refused.code, Object.keys(refused.errors)], [422, 'validation_failed', ['to']]);
  assert.ok(refused.requestId);
  const late = await harm('stall');
  await assert.rejects(
    late.client.balance({ timeoutMs: 50, retries: 0 }),
    (error) => error instanceof ConnectionError && error.timeout,
  );
  const ended = new AbortController();
  const call = (await harm('stall')).client.balance({ signal: ended.signal });
  setTimeout(() => ended.abort(new Error('enough')), 50);
  await assert.rejects(call, /enough/);
  const wrong = new Heliograph({ url, key: 'hk_live_none' });
  await assert.rejects(wrong.balance(), { name: 'ApiError', status: 401, code: 'unauthenticated' });
  const nowhere = new Heliograph({ url: 'http://127.0.0.1:1', key, retries: 0 });
  await assert.rejects(nowhere.balance(), { name: 'ConnectionError', timeout: false });
  assert.throws(() => new Heliograph({ url: 'sms.example.com', key }), /https:/);
});

test('every call of the client does what it says', async () => {
  const client = new Heliograph({ url: `${api.url}/`, key });
  const estimate = await client.estimate({ from: acme.sender, to: [stage.number(1)], text: 'Hello' });
  assert.equal(estimate.messages, 1);
  const batch = await client.sendBatch({
    from: acme.sender,
    text: 'Hi',
    recipients: [2, 3, 4].map((n) => ({ to: stage.number(n) })),
  });
  assert.equal((await client.getBatch(batch.id)).accepted, 3);
  const found: string[] = [];
  for await (const { to } of client.find({ batch_id: batch.id }, { limit: 2 })) found.push(to);
  assert.deepEqual(found, [2, 3, 4].map(stage.number));
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await client.send({ ...message(5), send_at });
  for (let time = 0; time < 2; time++) assert.equal((await client.cancel(id)).state, 'cancelled');
  await assert.rejects(client.cancel(found.length > 0 ? (await client.send(message(6))).id : id), {
    code: 'message_has_left',
  });
  for (let time = 0; time < 2; time++)
    assert.deepEqual((await client.cancelBatch(batch.id)).states, { cancelled: 3 }, 'called off, and as it is');
  await assert.rejects(client.cancelBatch('999999'), { code: 'not_found' });
  assert.match((await client.balance()).available, /^-?\d+\.\d{3}$/);
  for await (const { from } of client.inbound({ limit: 200 })) assert.match(from, /\d/);
});

test('the feed is followed from now on, by pages whose cursors miss nothing and tell nothing twice', async () => {
  const client = new Heliograph({ url: api.url, key });
  const { user_id, id } = await one<{ user_id: number; id: number }>(
    'SELECT user_id, message_id AS id FROM program_message ORDER BY message_id LIMIT 1',
  );
  const happen = (error_code: string) =>
    addEvents(api.database.pool('owner') as never, [
      {
        corporation_id: acme.corporation_id,
        department_id: null,
        user_id,
        type: 'message.failed',
        message_id: id,
        data: { state: 'failed_other', error_code, at: new Date().toISOString() },
      },
    ]);
  await happen('before');
  const ended = new AbortController();
  const codes: unknown[] = [];
  let cursor: string | null = null;
  const events = client.events({ cursor: 'now', follow: true, everyMs: 20, limit: 2, signal: ended.signal });
  const following = (async () => {
    for await (const page of events.pages()) {
      for (const event of page.data) if (event.type === 'message.failed') codes.push(event.data.error_code);
      cursor = page.next_cursor;
      if (codes.length >= 3) ended.abort();
    }
  })();
  while (codes.length === 0) await happen('first');
  for (const code of ['second', 'third']) await happen(code);
  await assert.rejects(following, { name: 'AbortError' });
  assert.ok(!codes.includes('before'), String(codes));
  await happen('last');
  const rest: unknown[] = [];
  for await (const event of client.events({ cursor: cursor!, types: ['message.failed'], follow: true, everyMs: 20 })) {
    if (event.type === 'message.failed') rest.push(event.data.error_code);
    if (rest.at(-1) === 'last') break;
  }
  const all = [...codes, ...rest].filter((code) => code !== 'first');
  assert.deepEqual(all, ['second', 'third', 'last']);
});

interface Ran {
  code: number | null;
  out: string;
  wrong: string;
}
async function heliograph(
  args: string[],
  { url = api.url, signal }: { url?: string; signal?: AbortSignal } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: folder,
    env: { ...process.env, HOME: folder, HELIOGRAPH_URL: url, HELIOGRAPH_API_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  const [out, wrong, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out, wrong };
}

test('the command names the cause of an outage and when to try again', async () => {
  const { url } = await harm('full');
  const args = ['send', '--from', acme.sender, '--to', stage.number(7), '--text', 'Hello'];
  const { code, wrong } = await heliograph(args, { url });
  assert.equal(code, 1);
  assert.equal(wrong, `heliograph: ${FULL.message} (unavailable, database_full)\n`);
});

test('the command sends, tells, follows, and says plainly what is wrong', async () => {
  const sent = await heliograph([
    'send',
    '--from',
    acme.sender,
    '--to',
    stage.number(7),
    '--text',
    'Hello',
    '--ref',
    'c-1',
    '--json',
  ]);
  assert.equal(sent.code, 0, sent.wrong);
  const { id } = JSON.parse(sent.out) as { id: string };
  const runs = await Promise.all([
    heliograph(['status', id]),
    heliograph(['status', '--ref', 'c-1']),
    heliograph(['tail', '--all', '--once', '--json', '--types', 'message.failed', '--cursor', 'place']),
    heliograph(['send', '--from', acme.sender, '--to', '12', '--text', 'x']),
    heliograph(['send', '--from', acme.sender, '--to', '12']),
    heliograph(['status', '--nothing']),
    heliograph(['fly']),
    heliograph(['import', '--help']),
    heliograph(['status', id, '--config', 'none.json']),
    heliograph(['--version']),
  ]);
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 0, 1, 2, 2, 2, 0, 1, 0],
    JSON.stringify(runs),
  );
  for (const run of runs.slice(0, 2)) assert.ok(run.out.startsWith(`${id}  ${stage.number(7)}  pending`), run.out);
  assert.ok(
    runs[2]!.out
      .trim()
      .split('\n')
      .every((line) => JSON.parse(line).type === 'message.failed'),
    runs[2]!.out,
  );
  const next = await heliograph(['tail', '--once', '--cursor', 'place', '--types', 'message.failed']);
  assert.deepEqual([next.code, next.out], [0, '']);
  assert.match(runs[3]!.wrong, /\(validation_failed, request .*\n {2}to: \S/);
  assert.match(runs[4]!.wrong, /--text is missing/);
  assert.match(runs[7]!.out, /Usage: heliograph import FILE/);
  assert.match(runs[9]!.out, /^\d+\.\d+\.\d+\n$/);
});

test('the command calls off a message and a batch', async () => {
  const client = new Heliograph({ url: api.url, key });
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await client.send({ ...message(9), send_at });
  const batch = await client.sendBatch({
    from: acme.sender,
    text: 'Hi',
    recipients: [{ to: stage.number(9) }],
    send_at,
  });
  const runs = await Promise.all([
    heliograph(['cancel', id]),
    heliograph(['cancel', '--batch', batch.id]),
    heliograph(['cancel', '--batch', '999999']),
    heliograph(['cancel']),
  ]);
  assert.deepEqual(
    runs.map(({ code }) => code),
    [0, 0, 1, 2],
    JSON.stringify(runs),
  );
  assert.ok(runs[0]!.out.startsWith(`${id}  ${stage.number(9)}  cancelled`), runs[0]!.out);
  assert.match(runs[1]!.out, /1 cancelled/);
});

test('an import that breaks off goes on where it stood, and sends to every recipient once', async () => {
  const rows = Array.from({ length: 25 }, (_, row) => `${stage.number(100 + row)};"Ana; ""A""\n${row}"`);
  writeFileSync(join(folder, 'list.csv'), ['To;Name', ...rows, '12;Nobody', ''].join('\r\n'));
  const args = ['import', 'list.csv', '--from', acme.sender, '--text', 'Hi {name}', '--size', '5', '--json'];
  const before = await count();
  // The command dies when the API has taken the third batch, before it hears so.
  const dying = new AbortController();
  const { url } = await harm('pass', 'pass', () => dying.abort());
  const first = await heliograph(args, { url, signal: dying.signal });
  assert.equal(first.code, null);
  assert.equal(await count(), before + 15);
  const second = await heliograph(args);
  assert.equal(second.code, 0, second.wrong);
  const { rows: read, accepted, rejected, resumed } = JSON.parse(second.out) as Record<string, number>;
  assert.deepEqual([read, accepted, rejected, resumed], [26, 25, 1, 2]);
  assert.equal(await count(), before + 25);
  assert.match(
    readFileSync(join(folder, 'list.csv.refused.csv'), 'utf8'),
    /^line,to,code,why\n52,12,validation_failed,./,
  );
  const third = await heliograph(args);
  assert.deepEqual([third.code, await count()], [0, before + 25]);
  writeFileSync(join(folder, 'list.csv'), 'to\n12\n');
  assert.match((await heliograph(args)).wrong, /other contents/);
});

test('the document is OpenAPI 3.1 by a published validator, and a client made of it works unmodified', async () => {
  const document = (await api.anonymous()('GET', '/v1/openapi.json')).body as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const checked = await new Validator().validate(structuredClone(document) as never);
  assert.deepEqual([checked.valid, checked.errors], [true, undefined]);
  const made = await new OpenAPIClientAxios({
    definition: structuredClone(document) as never,
    // The document is relative to where it came from, unless PUBLIC_URL is set.
    withServer: { url: api.url },
    axiosConfigDefaults: { headers: { Authorization: `Bearer ${key}` } },
  }).getClient();
  const { data: sent, status } = await made['sendMessage']!(undefined, message(8));
  assert.equal(status, 202);
  const names = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.equal(names.length, 11);
  assert.equal((await made['getMessage']!(sent.id)).data.to, stage.number(8));
  assert.equal((await made['listEvents']!({ limit: 1 })).data.data.length, 1);
  const refused = await made['getBatch']!('999999').catch((error) => error.response);
  assert.deepEqual([refused.status, refused.data.code], [404, 'not_found']);
});
