import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Client, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
type Entry = {
  id: number;
  name: string;
  description: string;
  causer_name: string | null;
  subject_id: number | null;
  properties: { before: Record<string, unknown> | null; after: Record<string, unknown> | null };
};
type List = { data: Entry[]; next_cursor: string | null; has_more: boolean };
const list = async (client: Client, query = '') => {
  const { status, body } = await client('GET', `/api/v1/activity-logs?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as List;
};
const [superadmin, reseller, corporate, harbor] = (await Promise.all(
  ['superadmin', 'reseller', 'corporate', 'corporate@harbor.test'].map((who) => api.as(who)),
)) as [Client, Client, Client, Client];

test('a change shows with who made it and each field before and after, to who sees the corporation and nobody else', async () => {
  const { rows } = await owner.query("SELECT id FROM department WHERE name = 'Marketing'");
  const id = rows[0].id as number;
  await corporate('PATCH', `/api/v1/departments/${id}`, { signature: 'Acme, with love' });
  const query = `name=departments&subject_id=${id}&search=with love`;
  for (const client of [corporate, reseller, superadmin]) {
    const [entry] = (await list(client, query)).data;
    assert.deepEqual(
      [entry?.description, entry?.causer_name, entry?.properties],
      ['updated', 'Acme corporate admin', { before: { signature: null }, after: { signature: 'Acme, with love' } }],
    );
  }
  assert.deepEqual((await list(harbor, query)).data, []);
  const user = await api.as('user');
  assert.equal((await user('GET', '/api/v1/activity-logs')).status, 403);
});

test('who is given the log within a department sees its own people’s doings, a user their own', async () => {
  for (const login of ['department', 'user']) {
    await owner.query(
      `INSERT INTO user_permission SELECT u.id, p.id FROM user_account u, permission p WHERE u.email = $1 AND p.name = 'activity-logs-index'`,
      [`${login}@heliograph.test`],
    );
    await (await api.as(login))('PATCH', '/api/v1/profiles', { name: `Renamed ${login}` });
  }
  const causers = async (login: string) =>
    [...new Set((await list(await api.as(login))).data.map(({ causer_name }) => causer_name))].sort();
  assert.deepEqual(await causers('department'), ['Renamed department', 'Renamed user']);
  assert.deepEqual(await causers('user'), ['Renamed user']);
});

test('pages follow one another by cursor, filters narrow, and days are those of the reader’s zone', async () => {
  await owner.query(
    `INSERT INTO activity_log (name, description, subject_type, subject_id, created_at)
     SELECT 'lamps', 'lit', 'lamps', n, '2026-03-01T15:30:00Z'::timestamptz + n * interval '10 minutes' FROM generate_series(1, 7) n`,
  );
  const all = (await list(superadmin, 'name=lamps&limit=200')).data.map(({ id }) => id);
  assert.equal(all.length, 7);
  const pages: number[] = [];
  let cursor = '';
  do {
    const page = await list(superadmin, `name=lamps&limit=3${cursor && `&cursor=${cursor}`}`);
    pages.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor ?? '';
  } while (cursor);
  assert.deepEqual(pages, all);
  // Midnight in Manila is 16:00 UTC: two entries are of the first of March, five of the second.
  assert.equal((await list(superadmin, 'name=lamps&to=2026-03-01')).data.length, 2);
  assert.equal((await list(superadmin, 'name=lamps&from=2026-03-02&to=2026-03-02')).data.length, 5);
  assert.equal((await superadmin('GET', '/api/v1/activity-logs?from=2026-03-02&to=2026-03-01')).status, 422);
  assert.equal((await superadmin('GET', '/api/v1/activity-logs?cursor=zzz')).status, 400);
});

test('the file has what the list has, and no cell that a spreadsheet would run', async () => {
  await corporate('PATCH', '/api/v1/profiles', { name: '=HYPERLINK("http://x")' });
  const { status, headers, body } = await corporate('GET', '/api/v1/activity-logs/file?name=profile');
  assert.equal(status, 200);
  assert.match(headers.get('content-disposition') ?? '', /activity-logs\.csv/);
  const lines = String(body).split('\r\n');
  assert.match(lines[0]!, /^\ufeff?id,created_at,name,description/);
  assert.ok(
    lines.some((line) => line.includes(`'=HYPERLINK`)),
    lines.slice(0, 3).join('\n'),
  );
  assert.equal(/(^|,)"?=HYPERLINK/m.test(String(body)), false);
});
