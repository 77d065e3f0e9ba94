import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startTestApi } from '../test-api.ts';

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
