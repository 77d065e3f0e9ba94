import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { curlOf, type Target } from '@heliograph/contract/api/curl-command';
import { keyFault, missing } from '../../src/modules/documentation/tried-call.ts';

const target: Target = {
  method: 'POST',
  path: '/v1/things/{id}',
  call: {
    operationId: 'doThing',
    summary: 'Do it',
    'x-scope': 'things',
    parameters: [
      { name: 'id', in: 'path', required: true, schema: {} },
      { name: 'tag', in: 'query', required: false, schema: {} },
      { name: 'limit', in: 'query', required: false, schema: {} },
      { name: 'Idempotency-Key', in: 'header', required: false, schema: {} },
    ],
    requestBody: { content: { 'application/json': { schema: {} } } },
    responses: {},
  },
};

test('a command passes the call to curl unchanged, even with shell characters', () => {
  const odd = `it's "$HOME" \`id\` \\ ; & | \n {é} 🎉 %s`;
  const command = curlOf('https://sms.example', target, {
    parameters: { id: 'a/b?c', tag: odd, limit: '', 'Idempotency-Key': `o'clock $(id)` },
    body: JSON.stringify({ text: odd }, null, 2),
  });
  const script = `curl() { for each; do printf '%s\\0' "$each"; done; }; ${command}`;
  const heard = execFileSync('sh', ['-c', script], { env: { HELIOGRAPH_API_KEY: 'the key' }, encoding: 'utf8' });
  assert.deepEqual(heard.split('\0').slice(0, -1), [
    '--request',
    'POST',
    `https://sms.example/v1/things/a%2Fb%3Fc?${new URLSearchParams({ tag: odd })}`,
    '--header',
    'Authorization: Bearer the key',
    '--header',
    'Content-Type: application/json',
    '--header',
    "Idempotency-Key: o'clock $(id)",
    '--data',
    JSON.stringify({ text: odd }, null, 2),
  ]);
});

test('only a complete test key is used, and a live key is known by its prefix', () => {
  const rest = 'aB3_-'.repeat(9).slice(0, 43);
  assert.equal(keyFault(`hk_test_${rest}`), undefined);
  for (const live of [`hk_live_${rest}`, 'hk_live_']) assert.equal(keyFault(live), 'live_key');
  for (const none of ['hk_test_', `hk_test_${rest}x`, `Bearer hk_test_${rest}`, rest])
    assert.equal(keyFault(none), 'not_a_key');
  assert.equal(keyFault(''), 'no_key');
});

test('missing required parameters of a call are named', () => {
  assert.deepEqual(missing(target, { parameters: { id: '', tag: '' }, body: '{}' }), ['id']);
  assert.deepEqual(missing(target, { parameters: { id: '7' }, body: '{}' }), []);
});
