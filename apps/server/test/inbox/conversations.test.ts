import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type {
  conversationCounts,
  conversationMessages,
  conversationPerson,
  conversations,
  getConversation,
} from '@heliograph/contract/inbox/conversation';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { reconcile } from '#modules/billing';
import type { Client } from '../test-api.ts';
import { inboxStage, SHORT } from './bring.ts';

const stage = await inboxStage({ after });
const { api, bring, one, all } = stage;
const corporate = await api.as('corporate');
const user = await api.as('user');
const personId = async (login: string) =>
  (await one<{ id: number }>('SELECT id FROM user_account WHERE email = $1', [`${login}@heliograph.test`])).id;
const userId = await personId('user');
await stage.routing({});
await stage.routing({ keyword: 'MINE', user_id: userId });
await stage.routing({ keyword: 'CORP', user_id: await personId('corporate') });
let phones = 0;
const newPhone = () => `63922${String(++phones).padStart(7, '0')}`;

type Row = ReplyOf<typeof conversations>['data'][number];
type One = ReplyOf<typeof getConversation>['data'];
type Entry = ReplyOf<typeof conversationMessages>['data'][number];

const path = '/api/v1/conversations';
const list = async (client: Client, query: Record<string, string> = {}) =>
  ((await client('GET', `${path}?${new URLSearchParams({ limit: '200', ...query })}`)).body as { data: Row[] }).data;
const ofPhone = async (client: Client, oa: string, view = 'open') => (await list(client, { oa, view }))[0];
const counts = async (client: Client) =>
  (await client('GET', `${path}/counts`)).body as ReplyOf<typeof conversationCounts>;
const shown = async (client: Client, id: number) => ((await client('GET', `${path}/${id}`)).body as { data: One }).data;
const entries = async (client: Client, id: number, query = '') =>
  (await client('GET', `${path}/${id}/messages${query}`)).body as {
    data: Entry[];
    next_cursor: string | null;
  };
const change = (client: Client, id: number, body: object, etag?: string) =>
  client('PATCH', `${path}/${id}`, body, etag === undefined ? {} : { 'if-match': `"${etag}"` });
const badge = async (client: Client) => ((await client('GET', '/api/v1/inbox-notify')).body as { count: number }).count;
const faultOf = ({ body }: { body: unknown }) => (body as { errors?: Record<string, string[]> }).errors;

test('a person has one row, with the latest text and the number of unread messages', async () => {
  const [phone, other] = [newPhone(), newPhone()];
  await bring({ from: phone, text: 'one' }, { from: other, text: 'other' }, { from: phone, text: 'two' });
  const rows = (await list(corporate)).filter(({ oa }) => [phone, other].includes(oa));
  assert.deepEqual(
    rows.map(({ oa, message, unread, open, direction }) => [oa, message, unread, open, direction]),
    [
      [phone, 'two', 2, true, 'in'],
      [other, 'other', 1, true, 'in'],
    ],
  );
});

test('the unread counts of the list add up to the badge', async () => {
  const sum = async (client: Client) => (await list(client)).reduce((total, { unread }) => total + unread, 0);
  const phone = newPhone();
  const [first] = await bring({ from: phone, text: 'mine a' }, { from: phone, text: 'mine b' });
  assert.deepEqual([await sum(user), (await counts(user)).unread], [await badge(user), await badge(user)]);
  const { id } = (await ofPhone(user, phone))!;
  const read = await user('POST', `${path}/${id}/read`);
  assert.equal((read.body as { count: number }).count, 2);
  assert.equal((await ofPhone(user, phone))!.unread, 0);
  assert.equal(await sum(user), await badge(user));
  await user('POST', '/api/v1/inbox/mark', { ids: [first!.id], read: false });
  assert.equal((await ofPhone(user, phone))!.unread, 1);
  assert.equal(await sum(user), await badge(user));
});

test('a closed conversation is read, and a new message opens it again and says so', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'mine question' });
  const { id } = (await ofPhone(user, phone))!;
  assert.equal((await change(user, id, { open: false })).status, 200);
  assert.equal(await ofPhone(user, phone), undefined);
  const closed = (await ofPhone(user, phone, 'closed'))!;
  assert.deepEqual([closed.id, closed.unread, closed.open], [id, 0, false]);
  await bring({ from: phone, text: 'mine again' });
  assert.equal(await ofPhone(user, phone, 'closed'), undefined);
  assert.equal((await ofPhone(user, phone))!.unread, 1);
  assert.deepEqual(
    (await entries(user, id)).data.map(({ kind, text }) => text ?? kind),
    ['mine again', 'reopened', 'closed', 'mine question'],
  );
});

test('STOP does not open a closed conversation, and a mark as unread does', async () => {
  const phone = newPhone();
  const [question] = await bring({ from: phone, text: 'mine question' });
  const { id } = (await ofPhone(user, phone))!;
  await change(user, id, { open: false });
  await bring({ from: phone, text: 'stop' });
  assert.equal(await ofPhone(corporate, phone), undefined);
  const stranger = newPhone();
  await bring({ from: stranger, text: 'stop' });
  assert.equal(await ofPhone(corporate, stranger), undefined);
  assert.equal((await ofPhone(corporate, stranger, 'closed'))!.unread, 0);
  await user('POST', '/api/v1/inbox/mark', { ids: [question!.id], read: false });
  assert.equal((await ofPhone(user, phone))!.open, true);
});

test('a conversation is seen by the people who see its messages, and by nobody else', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'corp secret' }, { from: phone, text: 'mine open' });
  const [whole, part] = [await ofPhone(corporate, phone), await ofPhone(user, phone)];
  assert.deepEqual([whole!.unread, whole!.message], [2, 'mine open']);
  assert.deepEqual([part!.unread, part!.message], [1, 'mine open']);
  assert.equal((await list(corporate, { oa: phone })).length, 1);
  const texts = async (client: Client, id: number) => (await entries(client, id)).data.map(({ text }) => text);
  assert.deepEqual(await texts(corporate, whole!.id), ['mine open', 'corp secret']);
  assert.deepEqual(await texts(user, part!.id), ['mine open']);
  const foreign = await api.as('corporate@harbor.test');
  for (const [method, what, body] of [
    ['GET', ''],
    ['GET', '/messages'],
    ['GET', '/person'],
    ['GET', '/colleagues'],
    ['PATCH', '', { open: false }],
    ['POST', '/read'],
    ['POST', '/notes', { text: 'x' }],
    ['POST', '/replies', { message: 'x' }],
  ] as const)
    assert.equal((await foreign(method, `${path}/${whole!.id}${what}`, body)).status, 404, `${method} ${what}`);
  // One person's close leaves the messages open that only others see.
  await change(user, part!.id, { open: false });
  assert.deepEqual(
    [(await ofPhone(corporate, phone))!.unread, (await ofPhone(corporate, phone))!.message],
    [1, 'corp secret'],
  );
});

test('a conversation can only be assigned to a person of its corporation', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'corp' });
  const { id } = (await ofPhone(corporate, phone))!;
  const { data: colleagues } = (await corporate('GET', `${path}/${id}/colleagues`)).body as { data: { id: number }[] };
  const superadmin = await personId('superadmin');
  assert.ok(colleagues.some((each) => each.id === userId));
  assert.ok(!colleagues.some((each) => each.id === superadmin));
  assert.equal((await change(corporate, id, { assigned_to: superadmin })).status, 422);
  const before = await counts(user);
  assert.equal((await change(corporate, id, { assigned_to: userId })).status, 200);
  assert.equal((await ofPhone(user, phone, 'mine'))!.id, id);
  assert.equal((await counts(user)).mine, before.mine + 1);
  assert.equal(await ofPhone(corporate, phone, 'unassigned'), undefined);
  // The person in charge sees the next messages too.
  await bring({ from: phone, text: 'corp next' });
  assert.equal((await ofPhone(user, phone, 'mine'))!.message, 'corp next');
  // The person who gives it away no longer sees it.
  const given = await change(user, id, { assigned_to: null });
  assert.deepEqual([given.status, (given.body as { data: unknown }).data], [200, null]);
  assert.equal((await user('GET', `${path}/${id}`)).status, 404);
});

test('of two people who change a conversation, the second is told what the first did', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'hello' });
  const { id, etag } = await shown(user, (await ofPhone(user, phone))!.id);
  assert.equal((await change(corporate, id, { open: false }, etag)).status, 200);
  const late = await change(user, id, { assigned_to: userId }, etag);
  assert.deepEqual([late.status, (late.body as { code: string }).code], [409, 'edit_conflict']);
});

test('an answer leaves from a number that the phone wrote to, and only after the last one was read', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'is it open?' });
  const before = await shown(user, (await ofPhone(user, phone))!.id);
  assert.deepEqual([before.senders, Number(before.price) > 0, before.last_answer_id], [[SHORT], true, null]);
  const send = (client: Client, message: string, more: object = {}) =>
    client('POST', `${path}/${before.id}/replies`, { message, after: null, ...more });
  assert.deepEqual(Object.keys(faultOf(await send(user, 'x', { sender: 'OTHER' })) ?? {}), ['sender']);
  const { status, body } = await send(user, 'Yes, until 6. 😀');
  assert.equal(status, 201, JSON.stringify(body));
  const { data } = body as { data: { message_id: number; parts: number; cost: string } };
  assert.deepEqual([data.parts, Number(data.cost) > 0], [1, true]);
  assert.deepEqual(await one('SELECT sender_id, number, encoding FROM message_row WHERE id = $1', [data.message_id]), {
    sender_id: SHORT,
    number: phone,
    encoding: 'ucs2',
  });
  const second = await send(corporate, 'Closed today.');
  assert.deepEqual([second.status, (second.body as { code: string }).code], [409, 'answered_meanwhile']);
  const row = (await ofPhone(user, phone))!;
  assert.deepEqual([row.message, row.direction, row.unread], ['Yes, until 6. 😀', 'out', 0]);
  await bring({ from: phone, text: 'thanks' });
  for (const client of [user, corporate])
    assert.deepEqual(
      (await entries(client, before.id)).data.map(({ kind, text, user_name }) => [kind, text, user_name !== null]),
      [
        ['in', 'thanks', false],
        ['out', 'Yes, until 6. 😀', true],
        ['in', 'is it open?', false],
      ],
    );
  assert.deepEqual(await reconcile(api.database.pool('worker')), []);
});

test('a reply is refused to opted-out phones, to names, and if its text is too long', async () => {
  const phone = newPhone();
  await bring(
    { from: phone, text: 'hi' },
    { from: 'MyBank', text: 'hi' },
    { from: newPhone(), text: 'hi', to: '888222' },
  );
  const refused = async (client: Client, oa: string, message = 'x') =>
    (await client('POST', `${path}/${(await ofPhone(client, oa))!.id}/replies`, { message })).status;
  assert.equal(await refused(user, phone, 'ü😀'.repeat(500)), 422);
  await bring({ from: phone, text: 'stop' });
  assert.equal(await refused(user, phone), 422);
  const { opted_out } = await shown(user, (await ofPhone(user, phone))!.id);
  assert.deepEqual([opted_out!.source, opted_out!.text], ['message', 'stop']);
  assert.equal(await refused(user, 'MYBANK'), 422);
  assert.equal(await refused(await api.as('superadmin'), `63922${String(phones).padStart(7, '0')}`), 422);
  assert.equal(
    (
      await all(
        'SELECT FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE msisdn = $1 AND NOT k.confirms_opt_out',
        [phone],
      )
    ).length,
    0,
  );
});

test('blocked words are sent neither by a person’s reply nor by an automatic one', async () => {
  await all("INSERT INTO blacklist_text (text) VALUES ('casino')");
  await stage.routing({ keyword: 'PLAY', valid_reply_message: 'Come to the C A S I N O tonight' });
  const phone = newPhone();
  const [, play] = await bring({ from: phone, text: 'hi' }, { from: phone, text: 'play' });
  assert.deepEqual([play!.reply_message, play!.reply_error], [null, 'blocked_text']);
  const { id } = (await ofPhone(user, phone))!;
  const answer = await user('POST', `${path}/${id}/replies`, { message: 'The cаsino is open' });
  assert.deepEqual(
    [answer.status, faultOf(answer)?.['message']],
    [422, ['The text contains words that may not be sent.']],
  );
  assert.equal((await all('SELECT FROM message WHERE msisdn = $1', [phone])).length, 0);
  const [, confirmed] = await bring({ from: phone, text: 'play' }, { from: phone, text: 'stop' });
  assert.ok(confirmed!.reply_message, 'an opt-out is confirmed all the same');
  await all("DELETE FROM blacklist_text WHERE text = 'casino'");
});

test('a note is seen by colleagues and never sent', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'hi' });
  const { id } = (await ofPhone(user, phone))!;
  assert.equal((await user('POST', `${path}/${id}/notes`, { text: 'Prefers calls.' })).status, 201);
  assert.deepEqual(
    (await entries(corporate, id)).data.map(({ kind, text, user_name }) => [kind, text, user_name]),
    [
      ['note', 'Prefers calls.', 'Acme marketing user'],
      ['in', 'hi', null],
    ],
  );
  assert.equal((await all('SELECT FROM message WHERE msisdn = $1', [phone])).length, 0);
  await all('SELECT redact_texts(current_date)');
  assert.equal((await entries(corporate, id)).data.find(({ kind }) => kind === 'note')!.text, '[removed]');
});

test('pages of the list and of a conversation have no gaps', async () => {
  const many = Array.from({ length: 25 }, newPhone);
  await bring(...many.map((from) => ({ from, text: 'page' })));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const { body } = await corporate('GET', `${path}?limit=7${cursor ? `&cursor=${cursor}` : ''}`);
    const page = body as { data: Row[]; next_cursor: string | null };
    seen.push(...page.data.map(({ oa }) => oa));
    cursor = page.next_cursor;
  } while (cursor);
  assert.deepEqual(seen.slice(0, 25), many.toReversed());
  assert.equal(new Set(seen).size, seen.length);
  assert.equal((await corporate('GET', `${path}?cursor=x`)).status, 422);
  const phone = newPhone();
  await bring(...Array.from({ length: 30 }, (_, i) => ({ from: phone, text: `text ${i}` })));
  // Some messages came months ago.
  await all(
    `UPDATE inbox_message SET received_at = received_at - interval '200 days' WHERE oa = $1 AND message ~ ' [0-9]$'`,
    [phone],
  );
  const { id } = (await ofPhone(corporate, phone))!;
  const texts: (string | null)[] = [];
  do {
    const page = await entries(corporate, id, `?limit=8${cursor ? `&cursor=${cursor}` : ''}`);
    texts.push(...page.data.map(({ text }) => text));
    cursor = page.next_cursor;
  } while (cursor);
  assert.deepEqual(
    texts,
    Array.from({ length: 30 }, (_, i) => `text ${29 - i}`),
  );
});

test('a search finds texts, names in lists, and numbers as people write them', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'Ünlike 100% any other' }, { from: phone, text: 'last' });
  await all(
    `INSERT INTO number_list_number (number_list_id, number, name)
     SELECT id, $1, 'Maria Clara Santos' FROM number_list WHERE corporation_id = $2 LIMIT 1`,
    [phone, stage.acme],
  );
  for (const search of ['ünlike', '00% any', 'clara', 'maria cl', phone, `+${phone}`, `0${phone.slice(2)}`]) {
    const found = await list(corporate, { search });
    assert.deepEqual(
      found.map(({ oa, name }) => [oa, name]),
      [[phone, 'Maria Clara Santos']],
      search,
    );
  }
  assert.deepEqual(await list(corporate, { search: 'lara' }), []);
  const { data } = (await corporate('GET', `${path}/${(await ofPhone(corporate, phone))!.id}/person`)).body as ReplyOf<
    typeof conversationPerson
  >;
  assert.deepEqual(
    data.lists.map(({ person }) => person),
    ['Maria Clara Santos'],
  );
});

test('a deleted message leaves its conversation, and the last one takes it along', async () => {
  const phone = newPhone();
  const [first, second] = await bring({ from: phone, text: 'mine one' }, { from: phone, text: 'mine two' });
  await user('POST', '/api/v1/inbox/delete', { ids: [second!.id] });
  const row = (await ofPhone(user, phone))!;
  assert.deepEqual([row.message, row.unread], ['mine one', 1]);
  await user('POST', '/api/v1/inbox/delete', { ids: [first!.id] });
  assert.equal(await ofPhone(user, phone), undefined);
  assert.deepEqual(await all('SELECT FROM conversation WHERE oa = $1', [phone]), []);
});

test('messages of a deleted person become the corporation’s, and their conversation stays', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'hi' });
  const leaver = await one<{ id: number }>(
    `INSERT INTO user_account (name, email, password_hash, corporation_id, department_id, role_id, scope_level)
     SELECT 'Leaver', 'leaver@heliograph.test', password_hash, corporation_id, department_id, role_id, scope_level
     FROM user_account WHERE id = $1 RETURNING id`,
    [userId],
  );
  await all('UPDATE inbox_message SET user_id = $1 WHERE oa = $2', [leaver.id, phone]);
  assert.equal(await ofPhone(user, phone), undefined);
  await all('DELETE FROM user_account WHERE id = $1', [leaver.id]);
  assert.deepEqual([(await ofPhone(user, phone))!.unread, (await ofPhone(user, phone))!.message], [1, 'hi']);
});

test('the rows of all conversations agree with their messages after all of this', async () => {
  assert.deepEqual(
    await all(`SELECT corporation_id, oa, department_id, user_id, last_id::int, unread FROM conversation
      EXCEPT SELECT corporation_id, oa, department_id, user_id, max(id)::int, count(*) FILTER (WHERE read_at IS NULL)::int
      FROM inbox_message GROUP BY 1, 2, 3, 4`),
    [],
  );
  assert.deepEqual(await all('SELECT FROM conversation WHERE closed_at IS NOT NULL AND unread > 0'), []);
});
