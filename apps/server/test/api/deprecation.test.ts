import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBalance } from '@heliograph/contract/api/account';
import { answersOf } from '@heliograph/contract/api/openapi-answers';
import { Keyring } from '../../src/modules/api/keyring.ts';
import { mountPublicOperation } from '../../src/modules/api/mount-public.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createServer } from '../../src/platform/http/server.ts';
import { startTestApi } from '../test-api.ts';

const deprecated = { since: '2026-12-01', sunset: '2027-06-01', instead: 'listTopUps' };

test('each answer of a call that goes away says since when, until when, and where to read on', async (t) => {
  const { config, log, database } = await startTestApi(t);
  const server = await createServer(config, log);
  t.after(() => server.close());
  const db = { intake: database.db('intake'), auth: database.db('auth') };
  const api = { app: { server }, keyring: new Keyring(db, systemClock, () => Buffer.alloc(32)) };
  mountPublicOperation(api as never, { ...getBalance, deprecated }, async () => ({}) as never);
  const { statusCode, headers } = await server.inject({ method: 'GET', url: getBalance.path });
  assert.equal(statusCode, 401);
  assert.equal(headers['deprecation'], '@1796083200');
  assert.equal(headers['sunset'], 'Tue, 01 Jun 2027 00:00:00 GMT');
  assert.match(String(headers['link']), /^<\/document\/0\?article=api-changes>; rel="deprecation"/);
});

test('the document says which call goes away, and with which headers', () => {
  const answers = answersOf({ ...getBalance, deprecated }, {}) as Record<string, { headers: object }>;
  assert.deepEqual(Object.keys(answers['200']!.headers), ['ETag', 'Deprecation', 'Sunset', 'Link']);
});
