import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { applicationLogFigures } from '@heliograph/contract/reports/application-log';
import { startTestApi } from '../test-api.ts';

type Figures = ReplyOf<typeof applicationLogFigures>['data'];

const NOW = new Date('2026-03-20T17:30:00Z'); // 01:30 of the 21st in Manila
const api = await startTestApi({ after }, { clock: { now: () => NOW } });
const query = (filters: Record<string, string>) => new URLSearchParams(filters).toString();

test('only the administration sees application logs, by level, source and request', async () => {
  await api.database.pool('api').query('SELECT write_application_log($1::jsonb)', [
    JSON.stringify([
      {
        logged_at: NOW.toISOString(),
        level: 'error',
        source: 'sender',
        request_id: null,
        message: 'lost a bind',
        details: { link: 1 },
      },
      {
        logged_at: NOW.toISOString(),
        level: 'info',
        source: 'api',
        request_id: 'req-77',
        message: 'slow',
        details: {},
      },
    ]),
  ]);
  const ask = async (login: string, filters: Record<string, string>) =>
    (await (
      await api.as(login)
    )('GET', `/api/v1/application-logs?${query(filters)}`)) as {
      status: number;
      body: { data: { message: string }[] };
    };
  assert.equal((await ask('corporate', {})).status, 403);
  const messages = async (filters: Record<string, string>) =>
    (await ask('superadmin', filters)).body.data.map(({ message }) => message);
  assert.deepEqual(await messages({ level: 'error' }), ['lost a bind']);
  assert.deepEqual(await messages({ source: 'api', request_id: 'req-77' }), ['slow']);
  assert.deepEqual(await messages({ search: 'BIND' }), ['lost a bind']);
});

test('figures count log entries by time and level, in bars that a period makes finer', async () => {
  const hour = Math.floor(NOW.getTime() / 3_600_000 - 2) * 3_600_000;
  const at = (minutes: number) => new Date(hour + minutes * 60_000).toISOString();
  const owner = api.database.pool('owner');
  await owner.query('TRUNCATE application_log');
  await owner.query('SELECT write_application_log($1)', [
    JSON.stringify(
      [at(1), at(1), at(40), at(90)].map((logged_at, i) => ({
        logged_at,
        level: i === 3 ? 'error' : 'warn',
        source: 'worker',
        request_id: null,
        message: i === 2 ? 'once' : 'often',
        details: {},
      })),
    ),
  ]);
  const superadmin = await api.as('superadmin');
  const figures = async (filters: Record<string, string>) => {
    const { status, body } = await superadmin('GET', `/api/v1/application-logs/figures?${query(filters)}`);
    assert.equal(status, 200);
    return (body as { data: Figures }).data;
  };
  const day = await figures({});
  assert.deepEqual([day.step, day.totals], [1800, { info: 0, warn: 3, error: 1, fatal: 0 }]);
  assert.deepEqual(day.messages, [
    { message: 'often', count: 3 },
    { message: 'once', count: 1 },
  ]);
  assert.ok(day.bars.length >= 48 && day.bars.length <= 60);
  const inHour = { since: at(0), until: at(60) };
  const narrow = await figures(inHour);
  assert.deepEqual([narrow.step, narrow.bars.length, narrow.totals.warn, narrow.totals.error], [60, 60, 3, 0]);
  assert.deepEqual(
    narrow.bars.filter(({ warn }) => warn > 0).map(({ at, warn }) => [at, warn]),
    [
      [at(1), 2],
      [at(40), 1],
    ],
  );
  // The level narrows the messages, so that the levels stay comparable.
  const errors = await figures({ level: 'error' });
  assert.deepEqual([errors.totals.warn, errors.messages], [3, [{ message: 'often', count: 1 }]]);
  const listed = await superadmin('GET', `/api/v1/application-logs?${query(inHour)}`);
  assert.equal((listed.body as { data: unknown[] }).data.length, 3);
  assert.equal((await (await api.as('corporate'))('GET', '/api/v1/application-logs/figures')).status, 403);
});
