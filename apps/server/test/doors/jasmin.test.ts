import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { encodeShortMessage } from '@heliograph/smpp';
import { type Came, until } from '../callbacks/receiver.ts';
import { doorStage } from './stage.ts';

const s = await doorStage({ after });
const { from } = s;

/** Makes a key; returns the user name and password of a Jasmin program. */
async function program(fields: object = { doors: ['jasmin'] }) {
  const { key, prefix } = await s.makeKey(fields);
  return { username: prefix, password: key };
}
const own = await program();
const { username } = own;

type Fields = Record<string, string | null>;
const fieldsOf = (fields: Fields, who: object) =>
  Object.entries({ ...who, from, to: '639170000201', content: 'Hello', ...fields }).filter(
    (each): each is [string, string] => each[1] !== null,
  );
async function answered(response: Response) {
  const text = await response.text();
  return { status: response.status, text, id: /^Success "(\d+)"$/.exec(text)?.[1] ?? null };
}
const send = async (fields: Fields = {}, who: object = own) =>
  answered(await fetch(`${s.api.url}/send?${new URLSearchParams(fieldsOf(fields, who))}`));
const post = async (body: string | URLSearchParams, type: string) =>
  answered(await fetch(`${s.api.url}/send`, { method: 'POST', headers: { 'content-type': type }, body }));
const read = async (path: string, fields: Fields, who: object = own) => {
  const response = await fetch(`${s.api.url}${path}?${new URLSearchParams(fieldsOf(fields, who))}`);
  return [response.status, await response.json()];
};
const stored = (id: string | null) =>
  s.one<Record<string, unknown>>(
    `SELECT m.msisdn, r.text, m.unicode, p.tags, p.callback_url, p.callback_form, k.not_before
     FROM message m JOIN message_row r ON r.id = m.id JOIN chunk k ON k.id = m.id >> 10
     JOIN program_message p ON p.message_id = m.id WHERE m.id = $1`,
    [id],
  );
const FORM = 'application/x-www-form-urlencoded';

test('a key opens the interface only if it names it, with its beginning as user name', async () => {
  for (const who of [
    { username, password: `${own.password}x` },
    { username: 'hk_live_other0', password: own.password },
  ])
    assert.deepEqual(await send({}, who), {
      status: 403,
      text: `Error "Authentication failure for username:${who.username}"`,
      id: null,
    });
  const kannel = await program({ doors: ['kannel'] });
  assert.equal((await send({}, kannel)).text, `Error "Authorization failed for username:${kannel.username}"`);
  const reads = await program({ doors: ['jasmin'], scopes: ['messages:read'] });
  assert.equal((await send({}, reads)).status, 403);
  assert.equal((await answered(await fetch(`${s.api.url}/send`))).status, 400);
});

test('a message by address, form or JSON is stored as its coding says', async () => {
  const first = await send({ content: 'Kumusta, José €', tags: 'shop,7', to: '+639170000202' });
  assert.equal(first.status, 200, first.text);
  const row = await stored(first.id);
  assert.deepEqual([row['msisdn'], row['text'], row['tags']], ['639170000202', 'Kumusta, José €', ['shop', '7']]);
  const query = new URLSearchParams(fieldsOf({ content: null }, own)).toString();
  const hex = (text: string) => Buffer.from(encodeShortMessage(text, 'gsm')).toString('hex');
  for (const [rest, text, unicode] of [
    ['coding=8&content=%4F%60%59%7D', '你好', true],
    ['coding=3&content=Se%F1or', 'Señor', false],
    [`hex-content=${hex('{€}')}`, '{€}', false],
    ['coding=8&hex-content=4F60597D', '你好', true],
    ['coding=0&content=%E4%BD%A0%E5%A5%BD', '你好', true],
  ] as const) {
    const answer = await post(`${query}&${rest}`, FORM);
    assert.equal(answer.status, 200, answer.text);
    const { text: kept, unicode: wide } = await stored(answer.id);
    assert.deepEqual([kept, wide], [text, unicode], rest);
  }
  const json = { ...own, from, to: 639170000203, content: 'Đón 你', coding: 8 };
  const answer = await post(JSON.stringify(json), 'application/json');
  assert.equal((await stored(answer.id))['text'], 'Đón 你');
});

test('times are those of SMPP, and minutes', async () => {
  const { id, text } = await send({ sdt: '000000010000000R', 'validity-period': '60' });
  assert.ok(id, text);
  const at = Date.parse(String((await stored(id))['not_before']));
  assert.ok(Math.abs(at - Date.now() - 3_600_000) < 60_000);
  assert.equal((await send({ sdt: '991301000000000+' })).status, 400);
});

test('what cannot be sent as asked is refused in words of Jasmin, and never changed', async () => {
  for (const [fields, status, words] of [
    [{ to: null }, 400, /^Error "Mandatory argument \[to\] is not found\."$/],
    [{ to: 'me' }, 400, /^Error "Argument \[to\] has an invalid value: \[me\]\."$/],
    [{ colour: 'red' }, 400, /^Error "Argument \[colour\] is unknown\."$/],
    [{ coding: '4' }, 400, /coding 4 is not supported here/],
    [{ content: null }, 400, /The content is empty/],
    [{ 'hex-content': '41' }, 400, /cannot be used both in same request/],
    [{ custom_tlvs: '[[12288, null, "COctetString", "x"]]' }, 400, /custom_tlvs\] is not supported/],
    [{ from: 'NotOurs' }, 400, /^Error "from: /],
    [{ 'dlr-level': '4' }, 400, /dlr-level/],
    [{ to: '12' }, 400, /^Error "to: /],
  ] as [Fields, number, RegExp][]) {
    const answer = await send(fields);
    assert.deepEqual([answer.status, words.test(answer.text)], [status, true], answer.text);
  }
  assert.match((await post('[]', 'application/json')).text, /not a JSON object/);
  assert.match((await post('{', 'application/json')).text, /not JSON/);
});

test('a price and the balance are told as numbers, to whoever may read them', async () => {
  const [status, told] = (await read('/rate', { content: 'a'.repeat(200) })) as [number, Record<string, number>];
  assert.equal(status, 200);
  assert.equal(told['submit_sm_count'], 2);
  assert.ok(told['unit_rate']! > 0);
  const [, bare] = (await read('/rate', { content: null })) as [number, Record<string, number>];
  assert.equal(bare['submit_sm_count'], 1);
  const [one, balance] = (await read('/balance', {})) as [number, Record<string, unknown>];
  const key = await fetch(`${s.api.url}/v1/balance`, { headers: { authorization: `Bearer ${own.password}` } });
  const { available } = (await key.json()) as { available: string };
  assert.deepEqual([one, balance['balance'], balance['sms_count']], [200, Number(available), 'ND']);
  const sends = await program({ doors: ['jasmin'], scopes: ['messages:send'] });
  assert.deepEqual(await read('/balance', {}, sends), [403, `Authorization failed for username:${sends.username}`]);
});

test('a message without credit is refused as Jasmin does, and stored nowhere', async () => {
  const accounts = await s.all<{ id: number; credit_balance: number; credit_limit: number }>(
    'SELECT id, credit_balance, credit_limit FROM billing_account WHERE corporation_id = $1',
    [s.acme],
  );
  const count = () => s.one<{ count: number }>('SELECT count(*)::int AS count FROM program_message');
  const before = await count();
  await s.all('UPDATE billing_account SET credit_balance = 0, credit_limit = 0 WHERE corporation_id = $1', [s.acme]);
  const { status, text } = await send();
  for (const { id, credit_balance, credit_limit } of accounts)
    await s.all('UPDATE billing_account SET credit_balance = $2, credit_limit = $3 WHERE id = $1', [
      id,
      credit_balance,
      credit_limit,
    ]);
  assert.equal(status, 403);
  assert.match(text, /^Error "Cannot charge submit_sm: /);
  assert.deepEqual(await count(), before);
});

test('a fault of the platform asks to come again', async () => {
  await s.all('ALTER TABLE program_message RENAME TO away');
  const { status, text } = await send();
  await s.all('ALTER TABLE away RENAME TO program_message');
  assert.deepEqual([status, text], [500, 'Error "Cannot send submit_sm, try again later."']);
  assert.equal((await send()).status, 200);
});

const reports = (): Came[] => s.receiver.came.filter(({ path }) => path.startsWith('/dlr'));

test('an outcome is reported by the wished method, at the wished level', async () => {
  const url = `${s.receiver.url}/dlr?own=1`;
  const told = async (fields: Fields, state: string, type: 'message.delivered' | 'message.failed') => {
    const { id, text } = await send({ 'dlr-url': url, ...fields });
    assert.ok(id, text);
    const at = '2026-03-04T05:06:07Z';
    await s.tell({ type, message_id: Number(id), data: { state, error_code: null, at } });
    await until('the report came', () => reports().some((came) => (came.path + came.body).includes(`id=${id}`)));
    return { id, came: reports().find((came) => (came.path + came.body).includes(`id=${id}`))! };
  };
  const posted = await told({ dlr: 'yes', 'dlr-level': '2', 'dlr-method': 'POST' }, 'delivered', 'message.delivered');
  assert.deepEqual([posted.came.path, posted.came.headers['content-type']], ['/dlr?own=1', FORM]);
  assert.equal(posted.came.headers['webhook-signature'], undefined);
  const values = Object.fromEntries(new URLSearchParams(posted.came.body));
  assert.deepEqual(
    [values['level'], values['message_status'], values['sub'], values['dlvrd'], values['donedate'], values['id_smsc']],
    ['2', 'DELIVRD', '001', '001', '2603040506', posted.id],
  );
  const got = await told({ 'dlr-level': '3', 'dlr-method': 'get' }, 'failed_other', 'message.failed');
  const query = new URL(got.came.path, 'http://x').searchParams;
  assert.deepEqual(
    [got.came.body, query.get('own'), query.get('message_status'), query.get('level')],
    ['', '1', 'UNDELIV', '3'],
  );
  const short = await told({ dlr: 'yes' }, 'failed_submit', 'message.failed');
  assert.deepEqual(Object.fromEntries(new URLSearchParams(short.came.body)), {
    id: short.id,
    level: '1',
    connector: 'heliograph',
    message_status: 'ESME_RSUBMITFAIL',
  });
});
