import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { savedViews, saveView, sendView } from '@heliograph/contract/kernel/saved-view';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { mailReport, mailStoppedReport } from '../../src/modules/reports/mail-report.ts';
import { sendReports } from '../../src/modules/reports/send-reports.ts';
import { nextTime, sentPeriod } from '../../src/modules/reports/sent-period.ts';
import { startTestApi } from '../test-api.ts';

const START = new Date('2026-03-19T16:30:00Z'); // Friday the 20th, 00:30 in Manila
let now = START;
const clock = { now: () => now };
const api = await startTestApi({ after }, { clock });
const owner = api.database.pool('owner');
const database = api.database.db('worker');
const worker = { database, pool: api.database.pool('worker'), config: api.config, clock, log: api.log };
const load = (userId: number) => loadCaller(database, userId);
const never = new AbortController().signal;
const PATH = '/api/v1/saved-views';

async function save(login: string, list: string, name: string, query: Record<string, string>) {
  const { status, body } = await (await api.as(login))('POST', PATH, { list, name, query });
  assert.equal(status, 201, JSON.stringify(body));
  return saveView.reply.parse(body).data;
}

const downloads = async () => (await owner.query('SELECT * FROM download ORDER BY id')).rows;

test('a view belongs to one person, and a view of the same name replaces it', async () => {
  const first = await save('corporate', 'transactions', 'Failed', { state: 'failed_submit', columns: 'number,state' });
  const second = await save('corporate', 'transactions', 'Failed', { state: 'failed_other' });
  assert.equal(second.id, first.id);
  const seen = async (login: string, list = 'transactions') =>
    savedViews.reply
      .parse((await (await api.as(login))('GET', `${PATH}?list=${list}`)).body)
      .data.map(({ query }) => query);
  assert.deepEqual(await seen('corporate'), [{ state: 'failed_other' }]);
  assert.deepEqual(await seen('corporate', 'users'), []);
  assert.deepEqual(await seen('department'), []);
  const other = await api.as('department');
  assert.equal((await other('DELETE', `${PATH}/${first.id}`)).status, 404);
  assert.equal((await other('PATCH', `${PATH}/${first.id}`, { every: null, format: 'csv', hour: 7 })).status, 404);
  assert.equal((await (await api.as('corporate'))('DELETE', `${PATH}/${first.id}`)).status, 200);
  assert.deepEqual(await seen('corporate'), []);
});

test('a report is sent once each time it is due, in its person’s time zone', async () => {
  const view = await save('corporate', 'transactions', 'Daily', {
    state: 'delivered',
    from: '2026-01-01',
    columns: 'number',
  });
  const call = await api.as('corporate');
  const { body } = await call('PATCH', `${PATH}/${view.id}`, { every: 'day', format: 'csv', hour: 7 });
  assert.equal(sendView.reply.parse(body).data.next_at, '2026-03-19T23:00:00Z');
  await sendReports(worker, load, never);
  assert.deepEqual(await downloads(), [], 'it is not due yet');
  now = new Date('2026-03-19T23:00:10Z');
  await Promise.all([sendReports(worker, load, never), sendReports(worker, load, never)]);
  await sendReports(worker, load, never);
  const [file, ...more] = await downloads();
  assert.deepEqual(more, []);
  assert.deepEqual(file.parameters, {
    from: '2026-03-19',
    to: '2026-03-19',
    state: 'delivered',
    format: 'csv',
    locale: 'en',
    timezone: 'Asia/Manila',
  });
  await exportTransactions(worker, load, file.id, never);
  const { rows: jobs } = await owner.query("SELECT data FROM jobs.job WHERE name = 'mail-download'");
  assert.deepEqual(
    jobs.map((job) => job.data),
    [{ download_id: file.id }],
  );
  await mailReport(worker, file.id);
  const folder = join(api.config.DATA_DIR, 'mail');
  const mail = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  assert.equal(mail.length, 1);
  assert.match(mail[0]!, /To: corporate@heliograph.test/);
  assert.match(mail[0]!.replaceAll('=\r\n', ''), new RegExp(`download=(3D)?${file.id}`));
  await owner.query('DELETE FROM saved_view');
  now = START;
});

test('a person who may no longer have the file of a report is sent none', async () => {
  const view = await save('department', 'summary-reports', 'Weekly', { type: 'sender', period: 'daily' });
  const call = await api.as('department');
  const asked = { every: 'week', format: 'xlsx', hour: 6 };
  assert.equal((await call('PATCH', `${PATH}/${view.id}`, asked)).status, 200);
  const reader = await save('readonly', 'transactions', 'Mine', {});
  const { status } = await (await api.as('readonly'))('PATCH', `${PATH}/${reader.id}`, { ...asked, every: 'day' });
  assert.equal(status, 403);
  const users = await save('corporate', 'users', 'Enabled', { enabled: 'true' });
  assert.equal((await (await api.as('corporate'))('PATCH', `${PATH}/${users.id}`, asked)).status, 422);
  await owner.query("UPDATE user_account SET enabled = false WHERE email = 'department@heliograph.test'");
  now = new Date('2026-04-01T00:00:00Z');
  const before = await downloads();
  await sendReports(worker, load, never);
  assert.deepEqual(await downloads(), before);
  const { rows } = await owner.query('SELECT every, next_at FROM saved_view WHERE id = $1', [view.id]);
  assert.deepEqual(rows, [{ every: null, next_at: null }]);
});

test('a view with filters that are no longer allowed is not sent, and an email says so', async () => {
  now = START;
  await owner.query('DELETE FROM saved_view');
  const call = await api.as('corporate');
  const { rows: links } = await owner.query<{ id: number }>('SELECT id FROM link LIMIT 1');
  const start = (id: number) => call('PATCH', `${PATH}/${id}`, { every: 'day', format: 'csv', hour: 7 });
  const good = await save('corporate', 'transactions', 'Good', { state: 'delivered' });
  const wrong = {
    'By link': { link_id: String(links[0]!.id) },
    'Of old words': { state: 'no_such_state' },
    Elsewhere: { corporation_id: '987654' },
  };
  const views = [];
  for (const [name, query] of Object.entries(wrong)) {
    const view = await save('corporate', 'transactions', name, query);
    assert.deepEqual(view.unusable, Object.keys(query));
    const refused = await start(view.id);
    assert.equal(refused.status, 422, JSON.stringify(refused.body));
    views.push(view.id);
  }
  const told = (await start(views[0]!)).body as { errors: { every: string[] } };
  assert.match(told.errors.every[0]!, /The filter Link of this view is no longer available/);
  assert.equal((await start(good.id)).status, 200);

  // These views were saved by a version that took their filters. A fault in one must not delay the others.
  await owner.query(`UPDATE saved_view SET every = 'day', next_at = '2026-03-19T22:00:00Z' WHERE id = ANY ($1)`, [
    views,
  ]);
  const before = (await downloads()).length;
  const mailed = readdirSync(join(api.config.DATA_DIR, 'mail')).length;
  now = new Date('2026-03-19T23:00:10Z');
  await sendReports(worker, load, never);
  const files = (await downloads()).slice(before);
  assert.deepEqual(
    files.map(({ parameters }) => parameters.state),
    ['delivered'],
  );
  const { rows } = await owner.query('SELECT every, next_at FROM saved_view WHERE id = ANY ($1)', [views]);
  assert.deepEqual(rows, Array(3).fill({ every: null, next_at: null }));
  const { rows: jobs } = await owner.query(
    "SELECT data FROM jobs.job WHERE name = 'mail-stopped-report' ORDER BY created_on",
  );
  const stopped = jobs.map(({ data }) => data).sort((a, b) => a.name.localeCompare(b.name));
  assert.deepEqual(
    stopped.map(({ name, filters }) => [name, filters]),
    [
      ['By link', ['link_id']],
      ['Elsewhere', ['corporation_id']],
      ['Of old words', ['state']],
    ],
  );
  await mailStoppedReport(worker, stopped[0]);
  const folder = join(api.config.DATA_DIR, 'mail');
  const mails = readdirSync(folder);
  assert.equal(mails.length, mailed + 1);
  const text = mails
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
    .replaceAll('=\r\n', '');
  assert.match(text, /your report By link is no longer sent/);
  assert.match(text, /are no longer available: Link/);
  await owner.query('DELETE FROM saved_view');
});

test('times and days follow the calendar of the person’s time zone', () => {
  const at = (every: 'day' | 'week' | 'month', moment: string, zone = 'Asia/Manila', hour = 7) =>
    nextTime(every, hour, zone, new Date(moment));
  assert.equal(at('day', '2026-03-19T22:59:59Z'), '2026-03-19T23:00:00Z');
  assert.equal(at('day', '2026-03-19T23:00:00Z'), '2026-03-20T23:00:00Z');
  assert.equal(at('week', '2026-03-20T00:00:00Z'), '2026-03-22T23:00:00Z');
  assert.equal(at('month', '2026-03-20T00:00:00Z'), '2026-03-31T23:00:00Z');
  // The day on which the clocks go forward has this hour too.
  assert.equal(at('day', '2026-03-28T12:00:00Z', 'Europe/Berlin'), '2026-03-29T05:00:00Z');
  assert.deepEqual(sentPeriod('day', '2026-03-01'), { from: '2026-02-28', to: '2026-02-28' });
  assert.deepEqual(sentPeriod('week', '2026-03-23'), { from: '2026-03-16', to: '2026-03-22' });
  assert.deepEqual(sentPeriod('month', '2026-04-01'), { from: '2026-03-01', to: '2026-03-31' });
});
