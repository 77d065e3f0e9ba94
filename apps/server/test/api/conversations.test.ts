import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { apiStage, codeOf } from './stage.ts';

const stage = await apiStage({ after });
const { acme, one } = stage;
const PHONE = '639170000077';

await one('DELETE FROM inbox_message');
await one(
  `INSERT INTO inbox_message (corporation_id, link_id, inbound_id, oa, number, message, parts, total, handled, received_at)
   SELECT $1, 1, 990000 + n, $2, '4141', 'text ' || n, 1, 1, 'inbox', now() + n * interval '1 ms' FROM generate_series(1, 3) n`,
  [acme.corporation_id, PHONE],
);

interface Conversation {
  id: string;
  number: string;
  to: string;
  open: boolean;
  unread: number;
}

test('a program lists conversations, reads their messages, and closes them', async () => {
  const { key } = await stage.makeKey({ name: 'conversations', as: 'corporate' });
  const call = stage.by(key);
  const list = async (state: string) =>
    ((await call('GET', `/v1/conversations?state=${state}`)).body as { data: Conversation[] }).data;
  const [conversation, ...others] = await list('open');
  assert.deepEqual(others, []);
  const { id, number, to, open, unread } = conversation!;
  assert.deepEqual([number, to, open, unread], [PHONE, '4141', true, 3]);
  const texts: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await call('GET', `/v1/conversations/${id}/messages?limit=2${after}`);
    const page = body as { data: { text: string }[]; next_cursor: string | null };
    texts.push(...page.data.map(({ text }) => text));
    cursor = page.next_cursor;
  }
  assert.deepEqual(texts, ['text 3', 'text 2', 'text 1']);
  const closed = await call('PATCH', `/v1/conversations/${id}`, { open: false });
  assert.deepEqual([closed.status, (closed.body as Conversation).unread], [200, 0]);
  assert.deepEqual([(await list('open')).length, (await list('closed')).length], [0, 1]);
  assert.equal(codeOf(await call('GET', '/v1/conversations?cursor=x')), '422 cursor_invalid');
  assert.equal(codeOf(await call('GET', '/v1/conversations/999999')), '404 not_found');
});

test('a key changes no conversation without its scope, and a test key sees none', async () => {
  const narrow = await stage.makeKey({ name: 'reads', as: 'corporate', scopes: ['inbound:read'] });
  const id = String((await one<{ id: number }>('SELECT id FROM conversation WHERE oa = $1', [PHONE])).id);
  assert.equal(
    codeOf(await stage.by(narrow.key)('PATCH', `/v1/conversations/${id}`, { open: true })),
    '403 scope_missing',
  );
  const tests = stage.by((await stage.makeKey({ name: 'tests', as: 'corporate', mode: 'test' })).key);
  assert.deepEqual(((await tests('GET', '/v1/conversations?state=closed')).body as { data: unknown[] }).data, []);
  assert.equal(codeOf(await tests('GET', `/v1/conversations/${id}`)), '404 not_found');
});
