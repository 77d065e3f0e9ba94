import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountSid, messageSid } from '@heliograph/contract/api/twilio';
import twilio from 'twilio';
import { until } from '../callbacks/receiver.ts';
import { doorStage } from './stage.ts';

// The client is Twilio's own library for Node, unchanged but for the address of the server.

const s = await doorStage({ after });
const { from } = s;

interface Program {
  id: number;
  sid: string;
  token: string;
  key: string;
}
/** Makes a key; returns the account of a program of Twilio. */
async function program(fields: object = {}): Promise<Program> {
  const { id, key, auth_token } = await s.makeKey({ doors: ['twilio'], ...fields });
  return { id, key, sid: accountSid(id), token: auth_token };
}
function clientOf({ sid, token }: Pick<Program, 'sid' | 'token'>) {
  const client = twilio(sid, token);
  client.api.baseUrl = s.api.url;
  return client;
}
const own = await program();
const { messages } = clientOf(own);
const raw = (
  path: string,
  { method = 'GET', who = own }: { method?: string; who?: Pick<Program, 'sid' | 'token'> } = {},
) =>
  fetch(`${s.api.url}${path}`, {
    method,
    headers: { authorization: `Basic ${Buffer.from(`${who.sid}:${who.token}`).toString('base64')}` },
  });
/** Returns number and status of the error that the library throws. */
async function faultOf(work: Promise<unknown>): Promise<[number, number]> {
  const error = (await work.then(
    (made) => assert.fail(`it was accepted: ${JSON.stringify(made)}`),
    (thrown: unknown) => thrown,
  )) as { code: number; status: number; message: string };
  assert.ok(error.message.length > 5);
  return [error.code, error.status];
}
const stored = (sid: string) =>
  s.one<Record<string, unknown>>(
    `SELECT m.msisdn, r.text, k.not_before, p.callback_url, p.callback_form, k.expires_at - k.created_at AS validity
     FROM message m JOIN message_row r ON r.id = m.id JOIN chunk k ON k.id = m.id >> 10
     JOIN program_message p ON p.message_id = m.id WHERE m.id = $1`,
    [Number(BigInt(`0x${sid.slice(2)}`))],
  );

test('an account opens only with its own token, and only if the key opens it', async () => {
  const { token } = own;
  const kannel = await program({ doors: ['kannel'] });
  const reads = await program({ scopes: ['messages:read'] });
  const text = { from, to: '+639170000301', body: 'Hello' };
  for (const [who, fault] of [
    [{ ...own, token: 'f'.repeat(32) }, [20_003, 401]],
    [{ ...own, token: own.key }, [20_003, 401]],
    [{ sid: accountSid(999_999), token }, [20_003, 401]],
    [{ sid: kannel.sid, token }, [20_003, 401]],
    [kannel, [20_003, 403]],
    [reads, [20_003, 403]],
  ] as const)
    assert.deepEqual(await faultOf(clientOf(who).messages.create(text)), fault);
  const other = await program();
  const foreign = await raw(`/2010-04-01/Accounts/${other.sid}/Messages.json`);
  assert.deepEqual([foreign.status, ((await foreign.json()) as { code: number }).code], [404, 20_404]);
  const direct = await fetch(`${s.api.url}/v1/balance`, { headers: { authorization: `Bearer ${own.sid}:${token}` } });
  assert.equal(direct.status, 401, 'the token is no key');
});

test('a message is created as the library asks, fetched by its SID, and charged', async () => {
  const made = await messages.create({
    from,
    to: '+639170000302',
    body: 'Kumusta, José € 你',
    statusCallback: 'https://shop.example.com/status',
    validityPeriod: 3_600,
  });
  assert.deepEqual(
    [made.status, made.to, made.from, made.numSegments, made.accountSid, made.direction, made.errorCode],
    ['queued', '+639170000302', from, '1', own.sid, 'outbound-api', null],
  );
  assert.match(made.sid, /^SM[0-9a-f]{32}$/);
  assert.ok(Math.abs(made.dateCreated.getTime() - Date.now()) < 60_000);
  const row = await stored(made.sid);
  assert.deepEqual(
    [row['msisdn'], row['text'], row['callback_url'], row['callback_form']],
    ['639170000302', 'Kumusta, José € 你', 'https://shop.example.com/status', `twilio:${own.id}`],
  );
  const found = await messages(made.sid).fetch();
  assert.deepEqual([found.sid, found.body, found.to], [made.sid, 'Kumusta, José € 你', '+639170000302']);
  assert.equal(found.priceUnit, 'PHP');
  assert.deepEqual(await faultOf(messages(messageSid(123)).fetch()), [20_404, 404]);
});

test('a message can be scheduled', async () => {
  const sendAt = new Date(Date.now() + 3_600_000);
  const made = await messages.create({ from, to: '639170000303', body: 'Later', scheduleType: 'fixed', sendAt });
  assert.equal(made.status, 'scheduled');
  const row = await stored(made.sid);
  assert.equal(Math.round(Date.parse(String(row['not_before'])) / 1_000), Math.floor(sendAt.getTime() / 1_000));
  assert.equal((await messages(made.sid).fetch()).status, 'scheduled');
});

test('a refusal has the error number that programs know, and stores nothing', async () => {
  await s.corporate('POST', '/api/v1/opt-outs', { corporation_id: s.acme, number: '639170000399' });
  const count = () => s.one<{ count: number }>('SELECT count(*)::int AS count FROM program_message');
  const before = await count();
  const good = { from, to: '+639170000304', body: 'Hello' };
  for (const [fields, code] of [
    [{ to: '' }, 21_604],
    [{ to: '+12' }, 21_211],
    [{ to: 'me' }, 21_211],
    [{ to: '+639170000399' }, 21_610],
    [{ from: '' }, 21_603],
    [{ from: 'NotOurs' }, 21_606],
    [{ body: '' }, 21_602],
    [{ body: 'a'.repeat(2_000) }, 21_617],
    [{ mediaUrl: ['https://example.com/cat.png'] }, 20_001],
    [{ messagingServiceSid: `MG${'0'.repeat(32)}` }, 20_001],
    [{ statusCallback: 'ftp://example.com' }, 21_609],
    [{ validityPeriod: 0 }, 20_001],
    [{ sendAt: new Date() }, 20_001],
    [{ sendAt: new Date(Date.now() + 30 * 86_400_000), scheduleType: 'fixed' as const }, 20_001],
  ] as const)
    assert.deepEqual(
      await faultOf(messages.create({ ...good, ...fields } as never)),
      [code, 400],
      JSON.stringify(fields),
    );
  assert.deepEqual(await count(), before);
});

test('messages are listed by pages, the newest first, by number, sender and day', async () => {
  const lister = await program();
  const client = clientOf(lister);
  // The library writes whole seconds, and other tests made messages in this one. A timer may end a millisecond early.
  await sleep(1_050 - (Date.now() % 1_000));
  const since = new Date();
  const sids: string[] = [];
  for (let nth = 0; nth < 7; nth += 1)
    sids.unshift((await client.messages.create({ from, to: `+63917000040${nth % 3}`, body: `No. ${nth}` })).sid);
  const listed = await client.messages.list({ dateSentAfter: since, pageSize: 3 });
  assert.deepEqual(
    listed.map(({ sid }) => sid),
    sids,
    'by three pages',
  );
  assert.deepEqual(
    (await client.messages.list({ limit: 2 })).map(({ sid }) => sid),
    sids.slice(0, 2),
  );
  const byNumber = await client.messages.list({ to: '+639170000401', dateSentAfter: since });
  assert.deepEqual(
    byNumber.map(({ body }) => body),
    ['No. 4', 'No. 1'],
  );
  assert.equal((await client.messages.list({ from: 'Nobody' })).length, 0);
  assert.ok((await client.messages.list({ dateSent: since, limit: 20 })).length >= 7);
  assert.equal((await client.messages.list({ dateSentBefore: new Date('2020-01-01') })).length, 0);
  const page = await raw(`/2010-04-01/Accounts/${own.sid}/Messages.json?Page=2`);
  assert.equal(page.status, 400);
  const tests = clientOf(await program({ mode: 'test' }));
  assert.equal((await tests.messages.list({ limit: 5 })).length, 0, 'a test key sees no live messages');
});

test('an outcome is reported once and signed with the token, also after a new one', async () => {
  const callbacks = clientOf(own);
  const url = `${s.receiver.url}/status?shop=1`;
  const told = async (state: string, type: 'message.delivered' | 'message.failed') => {
    const { sid } = await callbacks.messages.create({ from, to: '+639170000305', body: 'Report', statusCallback: url });
    const message_id = Number(BigInt(`0x${sid.slice(2)}`));
    await s.tell({ type, message_id, data: { state, error_code: null, at: '2026-03-04T05:06:07Z' } });
    await until('the report came', () => s.receiver.came.some(({ body }) => body.includes(sid)));
    const came = s.receiver.came.filter(({ body }) => body.includes(sid));
    assert.equal(came.length, 1);
    const values = Object.fromEntries(new URLSearchParams(came[0]!.body));
    return { sid, values, signature: String(came[0]!.headers['x-twilio-signature']) };
  };
  const good = await told('delivered', 'message.delivered');
  assert.deepEqual(
    [good.values['MessageSid'], good.values['MessageStatus'], good.values['AccountSid'], good.values['To']],
    [good.sid, 'delivered', own.sid, '+639170000305'],
  );
  assert.equal(good.values['ErrorCode'], undefined);
  assert.ok(twilio.validateRequest(own.token, good.signature, url, good.values));
  assert.ok(!twilio.validateRequest('another', good.signature, url, good.values));
  const bad = await told('expired', 'message.failed');
  assert.deepEqual([bad.values['MessageStatus'], bad.values['ErrorCode']], ['undelivered', '30036']);

  const { body } = await s.corporate('POST', `/api/v1/api-keys/${own.id}/rotate`, { overlap_hours: 1 });
  const { auth_token } = (body as { data: { auth_token: string } }).data;
  assert.notEqual(auth_token, own.token);
  const next = await told('delivered', 'message.delivered');
  assert.ok(twilio.validateRequest(auth_token, next.signature, url, next.values), 'the new token signs');
  assert.ok((await clientOf({ sid: own.sid, token: auth_token }).messages.list({ limit: 1 })).length > 0);
  assert.ok((await clientOf(own).messages.list({ limit: 1 })).length > 0, 'the old one works for an hour');
});

test('paths and methods that are not offered are named, but only to holders of a key', async () => {
  const path = `/2010-04-01/Accounts/${own.sid}`;
  const answered = async (response: Response) => {
    const { code, status } = (await response.json()) as { code: number; status: number };
    return [response.status, code, status];
  };
  assert.deepEqual(await answered(await raw(`${path}/Calls.json`)), [404, 20_404, 404]);
  assert.deepEqual(
    await answered(await raw(`${path}/Calls.json`, { who: { sid: own.sid, token: 'x' } })),
    [401, 20_003, 401],
  );
  assert.deepEqual(await answered(await raw(`${path}/Messages.json`, { method: 'DELETE' })), [405, 20_004, 405]);
});
