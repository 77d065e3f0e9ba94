import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { conversationPerson } from '@heliograph/contract/inbox/conversation';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Client } from '../test-api.ts';
import { conversationStage, path, type Row } from './conversation-stage.ts';

const stage = await conversationStage({ after });
const { api, bring, one, all, corporate, user, userId, newPhone, list, ofPhone, counts, entries, change } = stage;
const badge = async (client: Client) => ((await client('GET', '/api/v1/inbox-notify')).body as { count: number }).count;

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

test('the conversation of a deleted person’s messages stays', async () => {
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

test('the values and the language of the contact are known to those who see contacts', async () => {
  const phone = newPhone();
  await bring({ from: phone, text: 'mine question' });
  const conversation = (await ofPhone(user, phone))!;
  const { corporation_id } = conversation;
  await all(
    `INSERT INTO contact_field (corporation_id, name, key, type, slot, is_language)
     VALUES ($1, 'Home', 'home', 'text', 'text_12', false), ($1, 'Speaks', 'speaks', 'text', 'text_13', true)`,
    [corporation_id],
  );
  await all(`INSERT INTO contact (corporation_id, number, text_12, text_13) VALUES ($1, $2, 'Cebu', 'Tagalog')`, [
    corporation_id,
    phone,
  ]);
  const personOf = async () =>
    ((await user('GET', `${path}/${conversation.id}/person`)).body as ReplyOf<typeof conversationPerson>).data;
  const { contact, language } = await personOf();
  assert.deepEqual([contact, language], [{ home: 'Cebu', speaks: 'Tagalog' }, 'Tagalog']);
});
