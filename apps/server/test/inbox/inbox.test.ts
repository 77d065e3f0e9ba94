import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inbox } from '@heliograph/contract/inbox/inbox-message';
import { parse } from 'csv-parse/sync';
import exceljs from 'exceljs';
import { loadCaller } from '#modules/identity';
import { exportList } from '#platform/tasks/exported-list';
import { inboxFile } from '../../src/modules/inbox/export-inbox.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Client } from '../test-api.ts';
import { inboxStage } from './bring.ts';

const stage = await inboxStage({ after });
const { api, bring, one, all } = stage;
const corporate = await api.as('corporate');
const user = await api.as('user');
const people = Object.fromEntries(
  (
    await all<{ name: string; id: number }>(
      "SELECT split_part(email, '@', 1) AS name, id FROM user_account WHERE email LIKE '%@heliograph.test'",
    )
  ).map(({ name, id }) => [name, id]),
);
await stage.routing({});
await stage.routing({ keyword: 'MINE', user_id: people['user'] });
await stage.routing({ keyword: 'CORP', user_id: people['corporate'] });
let phones = 0;
const newPhone = () => `63921${String(++phones).padStart(7, '0')}`;

const list = async (client: Client, query: Record<string, string> = {}) =>
  inbox.reply.parse((await client('GET', `/api/v1/inbox?${new URLSearchParams(query)}`)).body);
const unread = async (client: Client) =>
  ((await client('GET', '/api/v1/inbox-notify')).body as { count: number }).count;

test('pages of the inbox have no gaps, and search finds text and numbers', async () => {
  const phone = newPhone();
  await bring(...Array.from({ length: 25 }, (_, i) => ({ from: phone, text: `message ${i} 100%` })), {
    from: newPhone(),
    text: 'Ünlike',
  });
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await list(corporate, { oa: phone, limit: '10', ...(cursor && { cursor }) });
    seen.push(...page.data.map(({ message }) => message ?? ''));
    cursor = page.next_cursor;
  } while (cursor);
  assert.deepEqual(
    seen,
    Array.from({ length: 25 }, (_, i) => `message ${24 - i} 100%`),
  );
  assert.equal((await list(corporate, { search: 'ünlike' })).data.length, 1);
  assert.equal((await list(corporate, { search: '00%' })).data.length, 25);
  assert.equal((await list(corporate, { search: `+${phone.slice(0, 11)}` })).data.length > 0, true);
  assert.equal((await list(corporate, { search: 'nothing like it' })).data.length, 0);
  assert.equal((await corporate('GET', '/api/v1/inbox?cursor=x')).status, 422);
});

test('messages of one person are visible to that person and administrators only', async () => {
  const [mine, corp, ours, nobodys] = await bring(
    { from: newPhone(), text: 'mine' },
    { from: newPhone(), text: 'corp' },
    { from: newPhone(), text: 'ours' },
    { from: newPhone(), text: 'lost', to: '999111' },
  );
  const sees = async (login: string) => {
    const ids = new Set((await list(await api.as(login), { limit: '200' })).data.map(({ id }) => id));
    return [mine, corp, ours, nobodys].map((row) => ids.has(row!.id));
  };
  assert.deepEqual(await sees('corporate'), [true, true, true, false]);
  assert.deepEqual(await sees('user'), [true, false, true, false]);
  assert.deepEqual(await sees('superadmin'), [true, true, true, true]);
  assert.deepEqual(await sees('corporate@harbor.test'), [false, false, false, false]);
});

test('messages are marked and deleted in bulk, and the unread count follows', async () => {
  await user('POST', '/api/v1/inbox/mark', {
    ids: (await list(user, { read: 'false', limit: '200' })).data.map(({ id }) => id),
    read: true,
  });
  assert.equal(await unread(user), 0);
  const rows = await bring(...Array.from({ length: 3 }, () => ({ from: newPhone(), text: 'mine' })));
  assert.equal(await unread(user), 3);
  const ids = rows.map(({ id }) => id);
  const marked = await user('POST', '/api/v1/inbox/mark', { ids: [...ids, 999_999_999], read: true, important: true });
  assert.deepEqual([marked.status, (marked.body as { count: number }).count], [200, 3]);
  assert.equal(await unread(user), 0);
  assert.deepEqual(
    (await list(user, { important: 'true' })).data.map(({ id, read }) => [id, read]),
    ids.toReversed().map((id) => [id, true]),
  );
  await user('POST', '/api/v1/inbox/mark', { ids, read: false });
  assert.equal(await unread(user), 3);
  for (const what of ['mark', 'delete']) {
    const { status, body } = await user('POST', `/api/v1/inbox/${what}`, { ids: [], read: true });
    assert.deepEqual(
      [status, (body as { errors: Record<string, string[]> }).errors['ids']],
      [422, ['At least one number must be selected.']],
    );
  }
  const gone = await user('POST', '/api/v1/inbox/delete', { ids: ids.slice(0, 2) });
  assert.equal((gone.body as { count: number }).count, 2);
  assert.equal(await unread(user), 1);
  const foreign = await api.as('corporate@harbor.test');
  assert.equal(((await foreign('POST', '/api/v1/inbox/delete', { ids })).body as { count: number }).count, 0);
});

test('an export as CSV or workbook has no formulas, and only what its owner may see', async () => {
  await bring(
    { from: newPhone(), text: '=1+1' },
    { from: newPhone(), text: 'a <b> & "c"\nline two 你好' },
    { from: newPhone(), text: 'corp secret' },
  );
  const today = Temporal.Now.plainDateISO('Asia/Manila').toString();
  const database = api.database.db('worker');
  const worker = { database, config: api.config, log: api.log, clock: systemClock };
  const write = async (format: string) => {
    const { status, body } = await user('POST', '/api/v1/inbox/exports', { from: today, to: today, format });
    assert.equal(status, 202, JSON.stringify(body));
    const { id } = (body as { data: { id: number } }).data;
    await exportList(worker, (userId) => loadCaller(database, userId), [inboxFile], id, new AbortController().signal);
    const row = await one<{ state: string; rows: number; file_path: string }>(
      'SELECT state, rows, file_path FROM download WHERE id = $1',
      [id],
    );
    assert.equal(row.state, 'done');
    return { ...row, file: join(api.config.DATA_DIR, 'files', row.file_path) };
  };
  const listed = (await list(user, { limit: '200' })).data.map(({ message }) => message);
  const csv = await write('csv');
  const lines = parse(readFileSync(csv.file), { bom: true, columns: true }) as Record<string, string>[];
  assert.deepEqual(
    lines.map((line) => line['Message']),
    listed.map((text) => (text?.startsWith('=') ? `'${text}` : text)),
  );
  assert.deepEqual(Object.keys(lines[0]!).slice(0, 6), [
    'Created at',
    'From (OA)',
    'Message',
    'Campaign',
    'Reply message',
    'Number',
  ]);
  const xlsx = await write('xlsx');
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(xlsx.file);
  const cells = book.worksheets[0]!.getColumn(3).values.slice(2);
  assert.deepEqual(cells, listed);
  assert.equal(xlsx.rows, listed.length);
  assert.ok(!listed.includes('corp secret'));
  assert.equal((await user('POST', '/api/v1/inbox/exports', { from: '2020-01-01', to: '2020-01-02' })).status, 422);
});
