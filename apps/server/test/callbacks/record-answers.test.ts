import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answered, recordAnswers } from '../../src/modules/callbacks/record-answers.ts';
import { testDatabase } from '../template-database.ts';

test('a try recorded twice, because its commit was not acknowledged, counts once', async (t) => {
  const { pool, db } = await testDatabase(t);
  const owner = pool('owner');
  const { rows } = await owner.query<{ id: number; callback_endpoint_id: number }>(`
    WITH c AS (INSERT INTO corporation (name) VALUES ('C') RETURNING id),
    e AS (INSERT INTO callback_endpoint (corporation_id, url) SELECT id, 'https://a.test/' FROM c RETURNING *)
    INSERT INTO callback (corporation_id, callback_endpoint_id, event_id, type, body)
    SELECT corporation_id, id, 1, 'balance.low', '{}' FROM e RETURNING id, callback_endpoint_id`);
  const due = { ...rows[0]!, event_id: 1, url: null, body: '{}', tries: 0, test: false };
  const tried = (at: string): Answered => ({
    due,
    attempt: { at, status: 503, fault: 'status', ms: 7, answer: 'no' },
    state: 'waiting',
    again: 3_600,
    gone: false,
  });
  const first = tried('2026-01-01T00:00:00.000Z');
  await recordAnswers(db('worker'), [first]);
  await recordAnswers(db('worker'), [first]);
  const found = async () =>
    (await owner.query('SELECT tries, jsonb_array_length(attempts) AS kept FROM callback')).rows;
  assert.deepEqual(await found(), [{ tries: 1, kept: 1 }]);
  await recordAnswers(db('worker'), [tried('2026-01-01T01:00:00.000Z')]);
  assert.deepEqual(await found(), [{ tries: 2, kept: 2 }]);
});
