import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createLogger, type Logger } from '../../src/platform/log.ts';

function logged(write: (log: Logger) => void): string {
  const stream = new PassThrough();
  write(createLogger({ LOG_LEVEL: 'info' }, 'test', stream));
  return String(stream.read());
}

test('passwords, tokens and message text reach no log, at any depth', () => {
  const line = logged((log) =>
    log.info(
      {
        a: { b: [{ password: 'canary' }, { Authorization: 'canary' }], content: { text: 'canary' } },
        token: 'canary',
        text: 'canary',
      },
      'x',
    ),
  );
  assert.ok(!line.includes('canary'), line);
});

test('the log shows three digits of an MSISDN, and states unchanged', () => {
  const line = logged((log) =>
    log.info(
      { msisdn: '639171234567', to: '+639171234567', nested: [{ numbers: ['639171234567'] }], from: 'running' },
      'x',
    ),
  );
  assert.ok(!line.includes('639171234'), line);
  assert.match(line, /…567/);
  assert.match(line, /"from":"running"/);
});

test('an error is logged without the rows that PostgreSQL quotes', () => {
  const unique = Object.assign(new Error('duplicate key value violates unique constraint "number_key"'), {
    code: '23505',
    constraint: 'number_key',
    detail: 'Key (msisdn)=(639171234567) already exists.',
    where: 'canary',
  });
  const bad = Object.assign(new Error('invalid input syntax for type bigint: "canary"'), { code: '22P02' });
  const plain = new Error('cannot send to 639171234567', { cause: bad });
  const lines = logged((log) => {
    for (const err of [unique, bad, plain]) log.error({ err }, 'x');
  });
  assert.ok(!lines.includes('canary') && !lines.includes('639171234'), lines);
  assert.match(lines, /"constraint":"number_key"/);
});
