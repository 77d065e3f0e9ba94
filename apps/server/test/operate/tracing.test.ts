import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { signIn } from '@heliograph/contract/identity/session';
import { addEvents } from '#modules/events';
import { DEMO_PASSWORD } from '../../src/seed/demo-logins.ts';
import { receiver } from '../callbacks/receiver.ts';
import { numbers, stage, until } from '../delivery/stage.ts';
import { startTestApi } from '../test-api.ts';
import { startProcess } from './running.ts';
import { type ReceivedSpan, startTraceReceiver } from './trace-receiver.ts';

const TEXT = 'Lighthouse semaphore 4711';
const NUMBER = '639179990001';

const collector = await startTraceReceiver({ after });
const settings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20lamp',
};
const find = (name: string, of: (span: ReceivedSpan) => boolean = () => true) =>
  collector.spans.find((span) => span.name === name && of(span));
const came = async (name: string, of?: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> => {
  await until(`the span ${name} has come`, () => find(name, of) !== undefined);
  return find(name, of)!;
};
/** Returns the complete lines of a log. */
const linesOf = (output: string) =>
  output
    .slice(0, output.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('one trace goes from a request through its transaction to the job', async (t) => {
  const demo = await startTestApi(t);
  const program = await receiver(t);
  const here = {
    PRIVATE_TARGETS: '127.0.0.0/8',
    HTTP_CALLBACKS: 'true',
    SECRET_KEY: Buffer.alloc(32).toString('base64'),
  };
  const api = await startProcess(t, 'api', demo.database.url, { ...settings, ...here });
  const worker = await startProcess(t, 'worker', demo.database.url, { ...settings, ...here, LOG_LEVEL: 'debug' });
  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(new URL(path, api.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const signedIn = await post(signIn.path, { username: 'corporate@heliograph.test', password: DEMO_PASSWORD });
  const token = String(signedIn.body['access_token']);
  const owner = demo.database.pool('owner');
  const { rows } = await owner.query<{ id: number; corporation_id: number }>(
    `SELECT s.id, s.corporation_id FROM sender_id s JOIN corporation c ON c.id = s.corporation_id WHERE c.name = 'Acme Retail' LIMIT 1`,
  );
  const asked = await post(
    '/api/v1/campaigns/quotes',
    { sender_id: rows[0]!.id, content: TEXT, custom_numbers: NUMBER },
    token,
  );
  assert.equal(asked.status, 202, JSON.stringify(asked.body));

  const request = await came('POST /api/v1/campaigns/quotes');
  const transaction = await came('transaction', (span) => span.trace_id === request.trace_id);
  const job = await came('job count-quote', (span) => span.trace_id === request.trace_id);
  assert.equal(request.parent_id, '');
  assert.equal(transaction.parent_id, request.span_id);
  assert.equal(job.parent_id, transaction.span_id);
  assert.deepEqual([request.service, job.service], ['heliograph-api', 'heliograph-worker']);
  assert.deepEqual([request.kind, job.kind], [2, 5]);
  assert.equal(request.attributes['http.route'], '/api/v1/campaigns/quotes');
  assert.equal(request.attributes['http.response.status_code'], 202);
  assert.equal(collector.headers[0]?.['authorization'], 'Bearer lamp');

  const made = await post(
    '/api/v1/callbacks',
    { corporation_id: rows[0]!.corporation_id, url: `${program.url}/told` },
    token,
  );
  assert.equal(made.status, 201, JSON.stringify(made.body));
  await addEvents(demo.database.db('worker'), [
    {
      corporation_id: rows[0]!.corporation_id,
      department_id: null,
      user_id: null,
      type: 'balance.low',
      message_id: null,
      data: { billing_account_id: 1, limit: 'low_balance', balance: 9_500 },
    },
  ]);
  const callback = await came('callback', (span) => span.attributes['http.response.status_code'] === 200);
  assert.deepEqual([callback.kind, callback.failed], [3, false]);

  // A refusal is logged with its trace. Neither spans nor logs contain the text or the recipient.
  const broken = await post(
    '/api/v1/campaigns/quotes',
    { sender_id: rows[0]!.id, content: TEXT, custom_numbers: ' ' },
    token,
  );
  assert.equal(broken.status, 422);
  for (const octets of collector.raw)
    assert.ok(!octets.includes(TEXT) && !octets.includes(NUMBER) && !octets.includes(token));
  for (const { output } of [api, worker]) assert.ok(!output().includes(TEXT) && !output().includes(NUMBER), output());
});

test('hand-overs and records of a sender are spans, and a stop sends the last ones', async (t) => {
  const s = await stage(t as TestContext);
  const simulator = await s.simulator();
  await s.addLink({ port: simulator.smppPort, rate: 500 });
  const sender = await startProcess(
    { after: (action) => void s.closing.push(async () => action()) },
    'sender',
    s.database.url,
    settings,
  );
  await s.campaign(numbers(3));
  await until('all are delivered', async () => (await s.states())['delivered'] === 3);
  sender.child.kill('SIGTERM');
  assert.equal(await sender.exited, 0);
  const handed = collector.spans.filter(({ name, service }) => name === 'hand over' && service === 'heliograph-sender');
  assert.equal(
    handed.reduce((sum, { attributes }) => sum + Number(attributes['segments']), 0),
    3,
  );
  assert.equal(handed[0]?.attributes['link'], 'Carrier');
  const recorded = collector.spans.filter(({ name }) => name === 'record outcomes');
  assert.ok(recorded.reduce((sum, { attributes }) => sum + Number(attributes['entries']), 0) >= 6);
});

test('every log line has process, host and time, and its trace and request id', async (t) => {
  const s = await stage(t as TestContext);
  const scope = { after: (action: () => Promise<void> | void) => void s.closing.push(async () => action()) };
  const api = await startProcess(scope, 'api', s.database.url, { ...settings, LOG_LEVEL: 'debug' });
  // A missing table is an unexpected error: it is logged where it happened.
  await s.owner.query('ALTER TABLE session_token RENAME TO nothing');
  await fetch(new URL('/api/v1/campaigns', api.url), { headers: { authorization: 'Bearer x' } });
  await until('the failure is logged', () => linesOf(api.output()).some(({ msg }) => msg === 'request failed'));
  const lines = linesOf(api.output());
  for (const { name, pid, hostname, time, level } of lines) {
    assert.equal(name, 'api');
    assert.ok(
      typeof pid === 'number' && typeof hostname === 'string' && typeof time === 'number' && typeof level === 'number',
    );
  }
  const failure = lines.find(({ msg }) => msg === 'request failed')!;
  const span = await came('GET /api/v1/campaigns', ({ failed }) => failed);
  assert.equal(failure['trace_id'], span.trace_id);
  assert.equal(failure['reqId'] ?? failure['request_id'], span.attributes['request_id']);
});
