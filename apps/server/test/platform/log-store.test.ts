import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { createLogger } from '../../src/platform/log.ts';
import { entryOf, storeLog } from '../../src/platform/process/log-store.ts';
import { testDatabase } from '../template-database.ts';

const database = await testDatabase({ after });

test('log entries of every process are stored without texts, numbers or secrets', async () => {
  const kept = storeLog({ DATABASE_URL: database.url }, 'sender');
  const log = createLogger({ LOG_LEVEL: 'debug' }, 'sender', new PassThrough().resume());
  log.debug('not kept');
  log
    .child({ request_id: 'req-1' })
    .error({ err: new Error('no way to 639991234567'), text: 'Secret words', token: 'abc' }, 'failed for 639991234567');
  await kept.stop();
  log.info('after the end');
  const { rows } = await database.pool('owner').query('SELECT * FROM application_log');
  assert.equal(rows.length, 1);
  const [{ level, source, request_id, message }] = rows;
  assert.deepEqual(
    { level, source, request_id, message },
    { level: 'error', source: 'sender', request_id: 'req-1', message: 'failed for …567' },
  );
  assert.doesNotMatch(JSON.stringify(rows), /639991234567|Secret words|abc/);
});

test('a missing database loses only log entries', async () => {
  const kept = storeLog({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, 'api');
  let lines = 0;
  const output = new PassThrough().on('data', (text: Buffer) => (lines += String(text).split('\n').length - 1));
  const log = createLogger({ LOG_LEVEL: 'info' }, 'api', output);
  for (let i = 0; i < 5_000; i++) log.info({ i }, 'entry');
  await kept.stop();
  await until('every entry is in the output', () => lines === 5_000);
  const { rows } = await database.pool('owner').query("SELECT FROM application_log WHERE source = 'api'");
  assert.equal(rows.length, 0);
});

test('long entries are cut, and no character stops a batch', () => {
  const line = (more: object) =>
    JSON.stringify({ level: 30, time: 0, name: 'x', msg: `a\0${'b'.repeat(2_000)}`, ...more });
  assert.equal(entryOf(line({}), 'api')?.message.length, 1_000);
  assert.deepEqual(entryOf(line({ long: 'x'.repeat(9_000) }), 'api')?.details, { too_long: true });
  assert.equal(entryOf(JSON.stringify({ level: 20, time: 0 }), 'api'), undefined);
});
