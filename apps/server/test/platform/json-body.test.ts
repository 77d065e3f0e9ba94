import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import Fastify from 'fastify';
import { BusinessError, problem } from '#platform/errors';
import { acceptJson, boundsOf } from '../../src/platform/http/json-body.ts';

const code = (text: string) => boundsOf(Buffer.from(text))?.code;

test('a body of millions of small values is refused before it is parsed', () => {
  assert.equal(code(`{"recipients":[${'{},'.repeat(2_600_000)}{}]}`), 'payload_too_large');
  assert.equal(code(`[${'[],'.repeat(20_001)}[]]`), 'payload_too_large');
  assert.equal(code(`[${`[${'1,'.repeat(19_000)}1],`.repeat(20)}1]`), 'payload_too_large');
  const sentence = (text: string) => problem(boundsOf(Buffer.from(text))!, '', 'en').message;
  assert.match(sentence(`[${'1,'.repeat(20_001)}1]`), /more than 20,000 elements/);
  assert.match(sentence(`[${`[${'1,'.repeat(19_000)}1],`.repeat(20)}1]`), /more than 300,000 values/);
  assert.equal(code('['.repeat(1_000_000)), 'malformed_request');
  assert.equal(code('{"a":'.repeat(65)), 'malformed_request');
});

test('a body within the limits is accepted, whatever its texts contain', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), text, (value, more) => {
      assert.equal(code(JSON.stringify([value, more, '[[[{{{,,,\\"'])), undefined);
    }),
  );
  const full = Array.from({ length: 10_000 }, (_, i) => ({ to: `63917${i}`, params: { name: '"[,', param1: '\\' } }));
  assert.equal(code(JSON.stringify({ recipients: full })), undefined);
});

test('a compressed or non-UTF-8 body is refused, and a plain one is read', async () => {
  const server = Fastify();
  acceptJson(server);
  server.setErrorHandler((error, _request, reply) =>
    reply.code(400).send({ code: error instanceof BusinessError ? error.code : 'other' }),
  );
  server.post('/', async (request) => request.body);
  const post = async (payload: string | Buffer, headers: Record<string, string> = {}) =>
    (
      await server.inject({
        method: 'POST',
        url: '/',
        payload,
        headers: { 'content-type': 'application/json', ...headers },
      })
    ).json();
  assert.deepEqual(await post('{"a":[1,"é"]}'), { a: [1, 'é'] });
  assert.deepEqual(await post(gzipSync('{"a":1}'), { 'content-encoding': 'gzip' }), { code: 'unsupported_media_type' });
  assert.deepEqual(await post('{"__proto__":{"a":1}}'), { code: 'other' });
  assert.deepEqual(await post('['.repeat(100)), { code: 'malformed_request' });
  // Letters in the octets of another encoding would be sent to phones as �.
  const latin1 = Buffer.from('{"text":"Grüße"}', 'latin1');
  assert.deepEqual(await post(latin1), { code: 'malformed_request' });
  const named = (charset: string) => ({ 'content-type': `application/json; charset=${charset}` });
  assert.deepEqual(await post(latin1, named('iso-8859-1')), { code: 'unsupported_media_type' });
  assert.deepEqual(await post('{"text":"Grüße"}', named('"UTF-8"')), { text: 'Grüße' });
  await server.close();
});
