import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { callbackKind } from '#modules/callbacks';
import { createLogger } from '#platform/log';
import { recordTries } from '../../src/modules/http-deliveries/record-tries.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { testDatabase } from '../template-database.ts';

test('a try recorded twice, because its commit was not acknowledged, counts once', async (t) => {
  const { pool, db, url } = await testDatabase(t);
  const owner = pool('owner');
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-tries-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = readConnectedConfig({ DATABASE_URL: url, DATA_DIR: folder, NODE_ENV: 'test' });
  const worker = { database: db('worker'), config, log: createLogger({ LOG_LEVEL: 'silent' }, 'test') };
  const kind = callbackKind(worker);
  const { rows } = await owner.query<{ id: number; target: number }>(`
    WITH c AS (INSERT INTO corporation (name) VALUES ('C') RETURNING id),
    e AS (INSERT INTO callback_endpoint (corporation_id, url) SELECT id, 'https://a.test/' FROM c RETURNING *)
    INSERT INTO http_delivery (kind, corporation_id, callback_endpoint_id, event_id, type, body)
    SELECT 'callback', corporation_id, id, 1, 'balance.low', '{}' FROM e RETURNING id, callback_endpoint_id AS target`);
  const tried = (at: string, tries: number) => ({
    due: { ...rows[0]!, event_id: 1, url: null, body: '{}', tries, test: false },
    target: { url: 'https://a.test/', resting: false, keys: [] },
    answer: { type: '', body: '' },
    attempt: { at, status: 503, fault: 'status', ms: 7, answer: 'no' },
    state: 'waiting' as const,
    again: 3_600,
  });
  const first = tried('2026-01-01T00:00:00.000Z', 0);
  await recordTries(worker, kind, [first]);
  await recordTries(worker, kind, [first]);
  const found = async () =>
    (await owner.query('SELECT tries, jsonb_array_length(attempts) AS kept FROM http_delivery')).rows;
  assert.deepEqual(await found(), [{ tries: 1, kept: 1 }]);
  await recordTries(worker, kind, [tried('2026-01-01T01:00:00.000Z', 1)]);
  assert.deepEqual(await found(), [{ tries: 2, kept: 2 }]);
  // Another worker made the same try after a long silence: the try is logged and changes nothing.
  await recordTries(worker, kind, [{ ...tried('2026-01-01T02:00:00.000Z', 1), state: 'done' }]);
  assert.deepEqual(await found(), [{ tries: 2, kept: 3 }]);
});
