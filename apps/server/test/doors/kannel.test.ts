import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import { startSimulator } from '@heliograph/carrier-simulator';
import { createLogger } from '#platform/log';
import { type Came, callbackStage, until } from '../callbacks/receiver.ts';
import { startGateway, withoutKannel } from '../delivery/kannel-gateway.ts';

const lines: string[] = [];
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk));
    done();
  },
});
const s = await callbackStage({ after }, {}, createLogger({ LOG_LEVEL: 'trace' }, 'doors', stream));
const { sender: from } = await s.one<{ sender: string }>(
  'SELECT sender_id AS sender FROM sender_id WHERE corporation_id = $1 AND enabled ORDER BY id LIMIT 1',
  [s.acme],
);
const { id: user_id } = await s.one<{ id: number }>(
  "SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'",
);
let keys = 0;

/** Makes a key; returns the user name and password of a Kannel program. */
async function program(fields: object = { doors: ['kannel'] }) {
  const body = { name: `Kannel ${++keys}`, user_id, ...fields };
  const answer = await s.corporate('POST', '/api/v1/api-keys', body);
  const { key, prefix } = (answer.body as { data: { key: string; prefix: string } }).data;
  return { username: prefix, password: key };
}
const own = await program();

interface Answered {
  status: number;
  text: string;
  ids: string[];
}
async function ask(url: string, init?: RequestInit): Promise<Answered> {
  const response = await fetch(url, init);
  const ids = (response.headers.get('x-message-ids') ?? '').split(',').filter(Boolean);
  return { status: response.status, text: (await response.text()).trim(), ids };
}
const send = (fields: Record<string, string>, who: Record<string, string> = own) =>
  ask(
    `${s.api.url}/cgi-bin/sendsms?${new URLSearchParams({ ...who, from, to: '639170000101', text: 'Hello', ...fields })}`,
  );
const stored = (id: string) =>
  s.one<Record<string, unknown>>(
    `SELECT m.msisdn, r.text, m.unicode, p.tags, p.callback_url, k.not_before
     FROM message m JOIN message_row r ON r.id = m.id JOIN chunk k ON k.id = m.id >> 10
     JOIN program_message p ON p.message_id = m.id WHERE m.id = $1`,
    [id],
  );

test('a key opens the interface only if it names it, with its beginning as user name', async () => {
  assert.deepEqual(await send({}, await program({})), {
    status: 403,
    text: 'Authorization failed for sendsms',
    ids: [],
  });
  for (const who of [
    { username: own.username, password: `${own.password}x` },
    { username: 'hk_live_other0', password: own.password },
    { username: '', password: own.password },
    { password: own.password },
    {},
  ])
    assert.equal((await send({}, who as Record<string, string>)).status, 403, JSON.stringify(who));
  const reads = await program({ doors: ['kannel'], scopes: ['messages:read'] });
  assert.equal((await send({}, reads)).status, 403);
  assert.equal((await send({}, { user: own.username, pass: own.password })).status, 202);
});

test('a message is stored with its text, whatever the charset', async () => {
  const { status, text, ids } = await send({ to: '639170000102', text: 'Kumusta, José', account: 'shop-7' });
  assert.deepEqual([status, text, ids.length], [202, '0: Accepted for delivery', 1]);
  const row = await stored(ids[0]!);
  assert.deepEqual([row['msisdn'], row['text'], row['tags']], ['639170000102', 'Kumusta, José', ['shop-7']]);
  const query = new URLSearchParams({ ...own, from, to: '639170000103' });
  for (const [charset, coding, octets, read] of [
    ['ISO-8859-1', '0', 'Se%F1or', 'Señor'],
    ['', '2', '%4F%60%59%7D', '你好'],
    ['UTF-8', '2', '%E4%BD%A0%E5%A5%BD', '你好'],
    ['windows-1251', '2', '%CF%F0%E8', 'При'],
  ]) {
    const answer = await ask(
      `${s.api.url}/cgi-bin/sendsms?${query}&charset=${charset}&coding=${coding}&text=${octets}`,
    );
    assert.equal(answer.status, 202, answer.text);
    assert.equal((await stored(answer.ids[0]!))['text'], read);
  }
});

test('a text may come as the body of a POST, with the parameters as headers', async () => {
  const headers = {
    'content-type': 'text/plain; charset=UTF-8',
    'x-kannel-username': own.username,
    'x-kannel-password': own.password,
    'x-kannel-from': from,
    'x-kannel-to': '639170000104',
  };
  const url = `${s.api.url}/cgi-bin/sendsms`;
  const answer = await ask(url, { method: 'POST', headers, body: 'Posted & kept + whole' });
  assert.deepEqual([answer.status, answer.text], [202, '0: Accepted for delivery']);
  assert.equal((await stored(answer.ids[0]!))['text'], 'Posted & kept + whole');
  const xml = await ask(url, { method: 'POST', headers: { ...headers, 'content-type': 'text/xml' }, body: '<a/>' });
  assert.deepEqual([xml.status, xml.text], [415, 'Unsupported content-type, rejected']);
});

test('each of several recipients gets a message once, and refusals are named', async () => {
  const { status, text, ids } = await send({ to: '639170000105 639170000106 639170000105 12' });
  assert.deepEqual([status, ids.length], [202, 2]);
  assert.match(text, /^0: Accepted for delivery\n12: to: /);
  const deferred = await send({ deferred: '60' });
  assert.deepEqual([deferred.status, deferred.text], [202, '3: Queued for later delivery']);
  assert.notEqual((await stored(deferred.ids[0]!))['not_before'], null);
});

test('what cannot be sent as asked is refused in words, and never changed silently', async () => {
  for (const [fields, words] of [
    [{ udh: '050003010201' }, /udh is not supported/],
    [{ coding: '1' }, /binary/],
    [{ mclass: '2' }, /mclass 2 and 3/],
    [{ mwi: '0' }, /mwi is not supported/],
    [{ pid: '127' }, /pid is not supported/],
    [{ from: 'NotOurs' }, /^from: .* Rejected$/],
    [{ validity: 'soon' }, /Validity field misformed/],
    [{ charset: 'UTF-8', text: '' }, /Empty text/],
  ] as const) {
    const { status, text } = await send(fields);
    assert.deepEqual([status, words.test(text)], [400, true], text);
  }
});

test('a fault of the platform asks to send again, and no log line has the password', async () => {
  await s.all('ALTER TABLE program_message RENAME TO away');
  const { status, text } = await send({});
  await s.all('ALTER TABLE away RENAME TO program_message');
  assert.deepEqual([status, text], [503, 'Temporal failure, try again later.']);
  assert.ok(lines.some((line) => line.includes('could not store messages of programs')));
  assert.ok(!lines.some((line) => line.includes(own.password)));
  assert.equal((await send({})).status, 202);
});

const MASKED = `${s.receiver.url}/dlr?d=%d&p=%p&P=%P&o=%o&pct=%%&unknown=%Z`;
const reports = (): Came[] => s.receiver.came.filter(({ path }) => path.startsWith('/dlr'));

test('an outcome calls the address by GET with its escapes, if the mask asks for it', async () => {
  const told = async (mask: string, state: string, type: 'message.delivered' | 'message.failed') => {
    const { ids, text } = await send({ 'dlr-mask': mask, 'dlr-url': MASKED, account: 'a b' });
    assert.equal(ids.length, 1, text);
    const at = '2026-03-04T05:06:07Z';
    await s.tell({ type, message_id: Number(ids[0]), data: { state, error_code: null, at } });
  };
  await told('1', 'failed_other', 'message.failed');
  await told('16', 'delivered', 'message.delivered');
  await told('3', 'delivered', 'message.delivered');
  await told('2', 'failed_other', 'message.failed');
  await told('16', 'failed_submit', 'message.failed');
  await until('three reports came', () => reports().length === 3);
  assert.deepEqual(
    reports()
      .map(({ path }) => new URL(path, 'http://x').searchParams.get('d'))
      .sort(),
    ['1', '16', '2'],
  );
  const [first] = reports();
  assert.deepEqual([first!.body, first!.headers['webhook-signature']], ['', undefined]);
  const read = first!.path.slice(first!.path.indexOf('&p='));
  assert.equal(read, `&p=639170000101&P=${encodeURIComponent(from)}&o=a+b&pct=%&unknown=%Z`);
});

/** Requests that both refuse, with the answer of Kannel. */
const REFUSED: readonly Record<string, string | null>[] = [
  { password: 'wrong' },
  { to: null },
  { to: '' },
  { from: null },
  { mclass: '9' },
  { 'dlr-mask': '1', 'dlr-url': 'nowhere' },
];

test('Kannel itself answers the same requests in the same way', { skip: withoutKannel }, async (t) => {
  const carrier = await startSimulator({ smppPort: 0, httpPort: null, settings: { receipt_delay_ms: 20 } });
  t.after(() => carrier.stop());
  const gateway = await startGateway(t, carrier.smppPort, 'kannelpw');
  const peer = { username: 'peer', password: 'kannelpw' };
  const both = async (fields: Record<string, string | null>) => {
    const query = (who: object) => {
      const all = Object.entries({ ...who, from, to: '639170000107', text: 'Hello', ...fields });
      return new URLSearchParams(all.filter((each): each is [string, string] => each[1] !== null));
    };
    const [theirs, ours] = await Promise.all([
      ask(`${gateway.address}?${query(peer)}`),
      ask(`${s.api.url}/cgi-bin/sendsms?${query(own)}`),
    ]);
    return { theirs, ours };
  };
  for (const fields of REFUSED) {
    const { theirs, ours } = await both(fields);
    assert.deepEqual([ours.status, ours.text], [theirs.status, theirs.text], JSON.stringify(fields));
  }
  // Ids and times differ, and what the platform does not have: Kannel's names, metadata and addresses of its own.
  const letters = [...'abABcCdfkmMOpPqQrsStuv'];
  const asked = `${s.receiver.url}/both?${letters.map((letter) => `${letter}=%${letter}`).join('&')}&pct=%%&unknown=%Z`;
  const before = s.receiver.came.length;
  const { theirs, ours } = await both({ 'dlr-mask': '3', 'dlr-url': asked });
  assert.deepEqual([theirs.status, theirs.text], [ours.status, ours.text]);
  const data = { state: 'delivered', error_code: null, at: '2026-03-04T05:06:07Z' };
  await s.tell({ type: 'message.delivered', message_id: Number(ours.ids[0]), data });
  const came = () => s.receiver.came.slice(before).filter(({ path }) => path.startsWith('/both'));
  await until('both reported', () => came().length === 2);
  const [one, other] = came().map(({ path }) =>
    path.replace(/\d{4}-\d\d-\d\d\+\d\d:\d\d:\d\d/, 'time').replace(/\d{10,}/g, '…'),
  );
  assert.equal(one, other);
});
