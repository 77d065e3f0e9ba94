import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mailFailing, tellFailing } from '../../src/modules/scheduled-files/tell-failing.ts';
import { startSmtpSink } from '../organizations/smtp-sink.ts';
import { fileStage, HOUR, NOON } from './stage.ts';

const s = await fileStage({ after });
const sink = await startSmtpSink({ after });
const worker = { ...s.worker, config: { ...s.worker.config, MAIL_URL: `smtp://127.0.0.1:${sink.port}` } };

interface News {
  kind: 'scheduled-files' | 'audit-streams';
  id: number;
  user_id: number;
}
/** Tells, and answers the mails that are asked for since the last time. */
async function told(): Promise<News[]> {
  await tellFailing(worker);
  const { rows } = await s.owner.query(
    `WITH taken AS (DELETE FROM jobs.job WHERE name = 'mail-failing-destination' RETURNING data) SELECT data FROM taken`,
  );
  return rows.map(({ data }) => data as News);
}

test('the people of a customer are told once of a destination that fails for an hour', async () => {
  const made = await s.corporate('POST', '/api/v1/scheduled-files', {
    name: 'Away',
    destination: 'sftp',
    host: '127.0.0.1',
    username: 'files',
    secret: 'a secret',
  });
  const stream = await s.corporate('POST', '/api/v1/audit-streams', {
    name: 'Silent',
    destination: 'syslog',
    host: '127.0.0.1',
  });
  const idOf = ({ body }: { body: unknown }) => (body as { data: { id: number } }).data.id;
  const ids = { 'scheduled-files': idOf(made), 'audit-streams': idOf(stream) };
  const fail = (at: number | null) =>
    Promise.all(
      ['scheduled_file', 'audit_stream'].map((table) =>
        s.owner.query(`UPDATE ${table} SET failing_since = $1`, [at === null ? null : new Date(at).toISOString()]),
      ),
    );
  await fail(NOON - HOUR + 60_000);
  assert.deepEqual(await told(), []);
  await fail(NOON - HOUR - 60_000);
  await s.owner.query(`UPDATE audit_stream SET error = 'unreachable'`);
  const news = await told();
  const { rows: admins } = await s.owner.query<{ id: number; preferred_language: string; email: string }>(
    `SELECT id, email FROM user_account WHERE corporation_id = $1 AND scope_level = 2 AND enabled AND role_id =
       (SELECT id FROM role WHERE name = 'corporate_admin') ORDER BY id`,
    [s.acme],
  );
  for (const kind of ['scheduled-files', 'audit-streams'] as const)
    assert.deepEqual(
      news.filter((one) => one.kind === kind).map(({ id, user_id }) => [id, user_id]),
      admins.map(({ id }) => [ids[kind], id]),
    );
  assert.deepEqual(await told(), [], 'once');
  for (const one of news) await mailFailing(worker, one);
  assert.equal(sink.mails.length, news.length);
  const about = sink.mails.filter(({ source }) => source.includes('Silent'));
  assert.deepEqual(about.map(({ to }) => to).sort(), admins.map(({ email }) => email).sort());
  assert.ok(about.every(({ source }) => source.includes('/audit-streams') && source.includes('cannot be reached')));
  // It works again before a late mail, and then fails again.
  await fail(null);
  for (const one of news) await mailFailing(worker, one);
  assert.equal(sink.mails.length, news.length);
  s.time.now = NOON + 3 * HOUR;
  await fail(NOON + HOUR);
  assert.equal((await told()).length, news.length);
});
