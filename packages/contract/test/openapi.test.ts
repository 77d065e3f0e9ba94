import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openApiDocument } from '../src/api/openapi.ts';
import { PUBLIC_OPERATIONS } from '../src/api/operations.ts';
import { REPLY_EXAMPLES } from '../src/api/reply-examples.ts';

interface Answer {
  description: string;
  headers?: Record<string, unknown>;
}
interface Call {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; description?: string }[];
  responses: Record<string, Answer>;
}
interface Schema {
  [key: string]: unknown;
  properties?: Record<string, Schema>;
}
interface Document {
  info: { contact: object };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Call>>;
  webhooks: Record<string, Record<string, Call>>;
  components: Record<'schemas' | 'headers', Record<string, Schema>>;
}

const document = openApiDocument({ title: 'Heliograph', url: '/' }) as unknown as Document;
const callsOf = (of: Document['paths']) => Object.values(of).flatMap((methods) => Object.values(methods));
const calls = callsOf(document.paths);

/** Yields every object in a value, including the value itself. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

test('each call of the document has a name, a description and one known tag', () => {
  assert.equal(calls.length, PUBLIC_OPERATIONS.length);
  const all = [...calls, ...callsOf(document.webhooks)];
  assert.equal(new Set(all.map(({ operationId }) => operationId)).size, all.length);
  const tags = new Set(document.tags.filter(({ description }) => description.length > 5).map(({ name }) => name));
  assert.equal(tags.size, document.tags.length);
  for (const { operationId, summary, description, tags: own } of all) {
    assert.ok(summary.length > 5 && description.length > 5, operationId);
    assert.ok(own.length === 1 && tags.has(own[0]!), `${operationId}: ${own.join()}`);
  }
});

test('each reference points to a component, and each component is used', () => {
  const used = new Set([...objectsIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : [])));
  const kinds = ['schemas', 'headers'] as const;
  const there = kinds.flatMap((kind) =>
    Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
  );
  assert.deepEqual([...used].sort(), there.sort());
});

test('each answer lists its possible headers', () => {
  const wanted: Record<string, string[]> = {
    202: ['Location', 'RateLimit', 'Idempotent-Replayed'],
    304: ['ETag'],
    401: ['WWW-Authenticate'],
    429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
    503: ['Retry-After'],
  };
  for (const { operationId, responses } of calls) {
    for (const [status, names] of Object.entries(wanted))
      for (const name of names)
        if (responses[status]) assert.ok(responses[status].headers?.[name], `${operationId} ${status} ${name}`);
    assert.ok(responses['401'] && responses['429'] && responses['503'], operationId);
  }
  assert.equal(calls.filter(({ responses }) => responses['202']).length, 3);
});

test('generated clients require no field with a default, and accept new answer fields', () => {
  const { schemas } = document.components;
  const requests = Object.entries(schemas).filter(([name]) => name.endsWith('Request'));
  assert.equal(requests.length, 17);
  for (const [name, schema] of requests)
    for (const each of objectsIn(schema)) assert.ok(!('default' in each), `${name} ${JSON.stringify(each)}`);
  const { encoding } = schemas['SendMessageRequest']!.properties!;
  assert.match(String(encoding?.['description']), /Default: `"auto"`\.$/);
  for (const [name, schema] of Object.entries(schemas).filter(([each]) => !each.endsWith('Request')))
    for (const each of objectsIn(schema)) assert.notEqual(each['additionalProperties'], false, name);
});

test('every language can read the regular expressions', () => {
  const patterns = [...objectsIn(document)].flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));
  assert.ok(patterns.length > 5);
  for (const pattern of patterns) assert.doesNotMatch(pattern, /\\p\{|\\u|\(\?[=!<]/, pattern);
  const line = new RegExp(patterns.find((each) => each.includes('\\x'))!);
  assert.deepEqual([line.test('Grüße 東京'), line.test('a\nb'), line.test('a\u0085')], [true, false, false]);
  for (const { body, example, name } of PUBLIC_OPERATIONS) if (body) assert.ok(body.safeParse(example).success, name);
});

test('each call has an example of its whole answer', () => {
  const answered = PUBLIC_OPERATIONS.filter(({ media }) => media === null);
  assert.deepEqual(Object.keys(REPLY_EXAMPLES).sort(), answered.map(({ name }) => name).sort());
  for (const { name, reply } of answered)
    assert.deepEqual(reply.parse(REPLY_EXAMPLES[name]), REPLY_EXAMPLES[name], name);
});
