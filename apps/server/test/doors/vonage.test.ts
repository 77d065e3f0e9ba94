import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Auth } from '@vonage/auth';
import { MessageSendAllFailure, MessageSendPartialFailure, SMS } from '@vonage/sms';
import { until } from '../callbacks/receiver.ts';
import { doorStage } from './stage.ts';

// The client is Vonage's own library for Node, with the address of the server.

const s = await doorStage({ after });
const { from } = s;

/** Makes a key; returns the name and the secret of a program of Vonage. */
async function program(fields: object = {}) {
  const { key, prefix } = await s.makeKey({ doors: ['vonage'], ...fields });
  return { apiKey: prefix, apiSecret: key };
}
const own = await program();
const clientOf = (who: { apiKey: string; apiSecret: string }) => new SMS(new Auth(who), { restHost: s.api.url });
const sms = clientOf(own);
const good = { from, to: '639170000501', text: 'Hello' };

/** Returns number and sentence of the error that the library throws. */
async function faultOf(work: Promise<unknown>): Promise<[string, string]> {
  const error = await work.then(
    () => assert.fail('it was accepted'),
    (thrown: unknown) => thrown,
  );
  // The library takes the count, which is a text, for another number than that of the failures.
  assert.ok(error instanceof MessageSendAllFailure || error instanceof MessageSendPartialFailure, String(error));
  const [message] = error.getFailedMessages() as { status: string; errorText: string }[];
  return [message!.status, message!.errorText];
}
async function sent(fields: object = {}): Promise<Record<string, string>> {
  const { messages } = await sms.send({ ...good, ...fields });
  return messages[0] as unknown as Record<string, string>;
}
const stored = (id: string | undefined) =>
  s.one<Record<string, unknown>>(
    `SELECT m.msisdn, r.text, m.unicode, k.flash, p.client_ref, p.callback_url, p.callback_form
     FROM message m JOIN message_row r ON r.id = m.id JOIN chunk k ON k.id = m.id >> 10
     JOIN program_message p ON p.message_id = m.id WHERE m.id = $1`,
    [id],
  );

test('a key opens the interface only if it names it, with its beginning as api_key', async () => {
  const kannel = await program({ doors: ['kannel'] });
  const reads = await program({ scopes: ['messages:read'] });
  for (const who of [{ ...own, apiSecret: `${own.apiSecret}x` }, { ...own, apiKey: 'hk_live_other0' }, kannel, reads])
    assert.deepEqual(await faultOf(clientOf(who).send(good)), ['4', 'Bad Credentials']);
});

test('a message is stored as its type says, and its price is told', async () => {
  const message = await sent({ text: 'Kumusta, José €', clientRef: 'order-7', ttl: 3_600_000 });
  assert.deepEqual([message['to'], message['status'], message['clientRef']], ['639170000501', '0', 'order-7']);
  assert.match(message['messagePrice']!, /^\d+\.\d{3}$/);
  const row = await stored(message['messageId']);
  assert.deepEqual(
    [row['msisdn'], row['text'], row['unicode'], row['client_ref'], row['flash']],
    ['639170000501', 'Kumusta, José €', false, 'order-7', false],
  );
  const wide = await stored((await sent({ type: 'unicode', text: '你好', messageClass: 0 }))['messageId']);
  assert.deepEqual([wide['unicode'], wide['flash']], [true, true]);
});

test('a request may come by address and as a form, with the key among its parameters', async () => {
  const query = new URLSearchParams({ ...good, api_key: own.apiKey, api_secret: own.apiSecret, text: '你好' });
  const answers = [
    await fetch(`${s.api.url}/sms/json?${query}`),
    await fetch(`${s.api.url}/sms/json`, { method: 'POST', body: query }),
  ];
  for (const answer of answers) {
    const said = (await answer.json()) as { messages: Record<string, string>[] };
    assert.equal(said.messages[0]!['status'], '0', JSON.stringify(said));
    assert.equal((await stored(said.messages[0]!['message-id']))['text'], '你好');
  }
});

test('a refusal has the number that programs know, and stores nothing', async () => {
  await s.corporate('POST', '/api/v1/opt-outs', { corporation_id: s.acme, number: '639170000599' });
  const count = () => s.one<{ count: number }>('SELECT count(*)::int AS count FROM program_message');
  const before = await count();
  for (const [fields, status] of [
    [{ text: '' }, '2'],
    [{ to: '' }, '2'],
    [{ to: '12' }, '3'],
    [{ type: 'binary', body: '00' }, '3'],
    [{ messageClass: 2 }, '3'],
    [{ ttl: 5 }, '3'],
    [{ clientRef: 'x'.repeat(65) }, '3'],
    [{ to: '639170000599' }, '7'],
    [{ text: 'a'.repeat(2_000) }, '12'],
    [{ sig: 'abc' }, '14'],
    [{ from: 'NotOurs' }, '15'],
    [{ callback: 'ftp://example.com' }, '23'],
  ] as const)
    assert.equal((await faultOf(sms.send({ ...good, ...fields } as never)))[0], status, JSON.stringify(fields));
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' };
  const broken = (await (await fetch(`${s.api.url}/sms/json`, json)).json()) as { messages: { status: string }[] };
  assert.equal(broken.messages[0]!.status, '3');
  assert.deepEqual(await count(), before);
});

test('an outcome calls the address once, with the parameters of a delivery receipt', async () => {
  const callback = `${s.receiver.url}/receipt?shop=1`;
  const told = async (state: string, type: 'message.delivered' | 'message.failed') => {
    const { messageId } = await sent({ callback, clientRef: 'order-8' });
    await s.tell({
      type,
      message_id: Number(messageId),
      data: { state, error_code: null, at: '2026-03-04T05:06:07Z' },
    });
    const came = () => s.receiver.came.filter(({ path }) => path.includes(`messageId=${messageId}`));
    await until('the receipt came', () => came().length > 0);
    assert.equal(came().length, 1);
    return Object.fromEntries(new URL(came()[0]!.path, 'http://x').searchParams);
  };
  const receipt = await told('delivered', 'message.delivered');
  assert.deepEqual(
    [receipt['msisdn'], receipt['to'], receipt['status'], receipt['err-code'], receipt['scts'], receipt['shop']],
    ['639170000501', from, 'delivered', '0', '2603040506', '1'],
  );
  assert.deepEqual(
    [receipt['client-ref'], receipt['api-key'], receipt['message-timestamp']],
    ['order-8', own.apiKey, '2026-03-04 05:06:07'],
  );
  const failed = await told('blocked', 'message.failed');
  assert.deepEqual([failed['status'], failed['err-code']], ['rejected', '1']);
  const { messageId } = await sent({ callback, statusReportReq: false });
  assert.equal((await stored(messageId))['callback_url'], null);
});
