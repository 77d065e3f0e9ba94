import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { hasText } from '#platform/text/i18n';
import { activityFile } from '../../src/modules/audit/list-activity.ts';
import { exportedFile } from '../reports/exported-file.ts';
import { type Client, startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
type Entry = {
  id: number;
  name: string;
  description: string;
  causer_name: string | null;
  subject_id: number | null;
  area: string;
  action: string;
  subject: string;
  currency: string | null;
  changes: { field: string; label: string; show: string; before: string | null; after: string | null }[];
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

test('a change shows its author and each field before and after, in its scope only', async () => {
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

test('actions are described in the language of the reader', async () => {
  await superadmin('PATCH', '/api/v1/profiles', { preferred_language: 'cn' });
  const said = async () => (await list(superadmin, 'description=updated&limit=1')).data[0];
  const entry = await said();
  await superadmin('PATCH', '/api/v1/profiles', { preferred_language: 'en' });
  assert.deepEqual([entry?.description, entry?.action, (await said())?.action], ['updated', '已更新', 'updated']);
});

test('every action that a module records by a plain name has a text', () => {
  const folder = join(import.meta.dirname, '../../src/modules');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const recorded = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\bdescription: '([a-z -]+)'/g)].map(([, name]) => name!),
  );
  assert.ok(recorded.length > 10);
  const unsaid = recorded.filter((name) => !hasText(`activity_action.${name.replace(/[ -]/g, '_')}`));
  assert.deepEqual(unsaid, []);
});

test('a department sees only its own people’s actions, and a user only their own', async () => {
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

test('pages follow by cursor, and days are those of the reader’s time zone', async () => {
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

test('a state is written in the words of its reader', async () => {
  await owner.query(
    `INSERT INTO activity_log (name, description, subject_type, subject_id, properties, created_at)
     VALUES ('sender-ids', 'suspended', 'sender-ids', 1, $1, '2026-03-02T15:30:00Z')`,
    [JSON.stringify({ before: { state: 'approved' }, after: { state: 'suspended' } })],
  );
  const states = async () => {
    const [entry] = (await list(superadmin, 'name=sender-ids&from=2026-03-02&to=2026-03-02')).data;
    return entry!.changes.map(({ before, after }) => [before, after]);
  };
  assert.deepEqual(await states(), [['Approved', 'Suspended']]);
  await superadmin('PATCH', '/api/v1/profiles', { preferred_language: 'zh' });
  const chinese = await states();
  await superadmin('PATCH', '/api/v1/profiles', { preferred_language: 'en' });
  assert.deepEqual(chinese, [['已核准', '已暫停使用']]);
});

test('amounts, times and records look in the log as they do on screens', async () => {
  const admin = await api.as('admin');
  const { rows } = await owner.query(
    "SELECT b.id, b.corporation_id, p.id AS plan FROM billing_account b, price_plan p WHERE b.name = 'Acme main' ORDER BY p.id DESC LIMIT 1",
  );
  const account = rows[0] as { id: number; corporation_id: number; plan: number };
  const path = `/api/v1/billing-accounts/${account.id}`;
  assert.equal((await admin('PATCH', path, { low_balance_limit: '500' })).status, 200);
  assert.equal((await admin('PATCH', path, { low_balance_limit: '750.5' })).status, 200);
  const [entry] = (await list(admin, `subject_type=billing-accounts&subject_id=${account.id}`)).data;
  assert.deepEqual(
    [entry!.area, entry!.subject, entry!.currency, entry!.changes],
    [
      'Billing accounts',
      'Billing account Acme main',
      'PHP',
      [{ field: 'low_balance_limit', label: 'Low balance limit', show: 'money', before: '500.000', after: '750.500' }],
    ],
  );
  assert.deepEqual(entry!.properties, {
    before: { low_balance_limit: '500.000' },
    after: { low_balance_limit: '750.500' },
  });

  await owner.query(
    `INSERT INTO activity_log (name, description, subject_type, subject_id, corporation_id, properties, created_at)
     VALUES ('users', 'updated', 'users', 1, $1, $2, '2026-03-01T15:30:00Z')`,
    [
      account.corporation_id,
      JSON.stringify({
        before: { corporation_id: null, enabled: true, tags: [] },
        after: {
          corporation_id: account.corporation_id,
          enabled: false,
          activated_at: '2026-03-01T15:30:00.000Z',
          tags: ['a', { role: 'x', level: 2 }],
        },
      }),
    ],
  );
  const [made] = (await list(superadmin, 'name=users&from=2026-03-01&to=2026-03-01')).data;
  assert.deepEqual(made!.changes.map(({ field, show, before, after }) => [field, show, before, after]).sort(), [
    ['activated_at', 'instant', null, '2026-03-01T15:30:00.000Z'],
    ['corporation_id', 'text', null, 'Acme Retail'],
    ['enabled', 'yes-no', 'true', 'false'],
    ['tags', 'text', null, 'a, role: x; level: 2'],
  ]);
});

test('the file matches the list, in the reader’s language and time zone', async () => {
  await corporate('PATCH', '/api/v1/profiles', { name: '=HYPERLINK("http://x")' });
  await superadmin('PATCH', '/api/v1/profiles', { preferences: { timezone: 'Asia/Kathmandu' } });
  const asked = { login: 'superadmin', path: '/api/v1/activity-logs/exports', body: {} };
  const file = await exportedFile(api, [activityFile], asked);
  assert.equal(file.download_file, 'activity-logs_all_Asia-Kathmandu.csv');
  const text = readFileSync(file.path, 'utf8');
  const lines = parse(text, { columns: true, bom: true }) as Record<string, string>[];
  assert.deepEqual(Object.keys(lines[0]!).slice(0, 5), ['Time', 'User', 'Area', 'Description', 'Record']);
  assert.equal(lines.length, file.rows);
  const account = lines.find((line) => line['Changes']!.includes('750.500'))!;
  assert.deepEqual(
    [account['Record'], account['Changes']],
    ['Billing account Acme main', 'Low balance limit: PHP 500.000 → PHP 750.500'],
  );
  assert.ok(
    lines.some((line) => line['Time'] === '2026-03-01 21:15:00'),
    'times are those of Kathmandu',
  );
  assert.equal(/(^|,)"?=HYPERLINK/m.test(text), false);
  const forPrograms = await exportedFile(api, [activityFile], { ...asked, body: { format: 'jsonl' } });
  assert.match(forPrograms.download_file, /\.jsonl$/);
  const records = readFileSync(forPrograms.path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal(records.length, forPrograms.rows);
  const raised = records.find(({ after }) => JSON.stringify(after).includes('750.500'))!;
  assert.deepEqual(
    [raised['area'], raised['action'], raised['before'], raised['after'], raised['currency']],
    ['billing-accounts', 'updated', { low_balance_limit: '500.000' }, { low_balance_limit: '750.500' }, 'PHP'],
  );
  const chinese = await exportedFile(api, [activityFile], { ...asked, locale: 'cn' });
  assert.match(readFileSync(chinese.path, 'utf8').split('\n')[0]!, /区域.*记录/);
  await superadmin('PATCH', '/api/v1/profiles', { preferences: { timezone: null } });
});
