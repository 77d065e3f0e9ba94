import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import { apiStage } from './stage.ts';

/** Number of requests of each operation by each role; `npm run soak` sets a larger one, and another seed. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 12);
const SEED = Number(process.env['FAULT_SEED'] ?? 20_261);
const ROLES = ['corporate', 'department', 'user'];
const AT_ONCE = 8;

interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  maxItems?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
}
interface Call {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<string, unknown>;
}
interface Document {
  paths: Record<string, Record<string, Call>>;
  components: { schemas: Record<string, Schema> };
}

const stage = await apiStage({ after });
const document = (await stage.api.anonymous()('GET', '/v1/openapi.json')).body as Document;
const keys = await Promise.all(ROLES.map(async (role) => (await ownKey(role)).key));

/** Returns a key of a person, created by their corporation's administrator. */
async function ownKey(role: string) {
  const { user_id } = await stage.one<{ user_id: number }>('SELECT id AS user_id FROM user_account WHERE email = $1', [
    `${role}@heliograph.test`,
  ]);
  const corporate = await stage.api.as('corporate');
  const made = await corporate('POST', '/api/v1/api-keys', { name: `Fuzz ${role}`, user_id, mode: 'live' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return (made.body as { data: { key: string } }).data;
}

let state = SEED;
/** Returns the next random number by Mulberry32: the same seed gives the same run. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
const upTo = (n: number) => Math.floor(random() * n);
const pick = <T>(list: readonly T[]): T => list[upTo(list.length)]!;

const STRINGS = [
  '',
  'Hello',
  '639170000001',
  '+63 (917) 000-0001',
  stage.acme.sender,
  '0',
  '12345678901234567',
  '9007199254740993',
  '-1',
  'a\0b',
  '\ud800',
  "'; DROP TABLE message; --",
  '{name} {param1} {nothing}',
  '💥'.repeat(40),
  'x'.repeat(4_000),
  '../../etc/passwd',
  'http://127.0.0.1/',
  'https://example.test/hook',
  '2026-13-45T99:99:99Z',
  new Date(Date.now() + 3_600_000).toISOString(),
  'eyJzZWVuIjoiMToxOiJ9',
  'message.delivered',
];
const ANYTHING = [null, true, 0, -1, 1.5, 1e308, [], {}, [[]], { a: { b: 1 } }, ...STRINGS];

function valueFor(given: Schema, depth = 0): unknown {
  const schema = given.$ref ? document.components.schemas[given.$ref.split('/').at(-1)!]! : given;
  if (random() < 0.08) return pick(ANYTHING);
  if (schema.anyOf) return valueFor(pick(schema.anyOf), depth);
  if (schema.enum) return pick(schema.enum);
  if (schema.const !== undefined) return schema.const;
  switch (schema.type) {
    case 'object': {
      const made: Record<string, unknown> = {};
      for (const [name, each] of Object.entries(schema.properties ?? {}))
        if ((schema.required?.includes(name) && random() < 0.97) || random() < 0.4)
          made[name] = valueFor(each, depth + 1);
      if (random() < 0.05) made[pick(['extra', '__proto__', 'constructor'])] = pick(ANYTHING);
      return made;
    }
    case 'array':
      return Array.from({ length: upTo(Math.min(schema.maxItems ?? 4, 5) + 1) }, () =>
        valueFor(schema.items ?? {}, depth + 1),
      );
    case 'integer':
    case 'number':
      return random() < 0.8
        ? (schema.minimum ?? 0) + upTo(Math.min((schema.maximum ?? 100) - (schema.minimum ?? 0), 1_000) + 1)
        : pick(ANYTHING);
    case 'boolean':
      return random() < 0.5;
    default:
      return pick(STRINGS);
  }
}

/** Builds a body that is sometimes valid: the example, the same with a field or two changed, or random values. */
function bodyFor({ requestBody }: Call): unknown {
  const { schema, example } = requestBody!.content['application/json']!;
  const valid = typeof example === 'object' && { ...example, from: stage.acme.sender };
  if (valid && random() < 0.15) return valid;
  if (!valid || random() < 0.5) return valueFor(schema);
  const fresh = valueFor(schema);
  const changed = typeof fresh === 'object' && fresh !== null ? Object.entries(fresh).filter(() => random() < 0.2) : [];
  return { ...valid, ...Object.fromEntries(changed) };
}

/** Checks how an answer without an end begins. */
async function beginStream(key: string, path: string): Promise<void> {
  const end = new AbortController();
  const { status } = await fetch(stage.api.url + path, {
    headers: { authorization: `Bearer ${key}` },
    signal: end.signal,
  });
  end.abort();
  assert.ok([200, 422, 429].includes(status), `${path} → ${status}`);
}

test(`wrong requests get only documented answers, and never a 5xx (seed ${SEED})`, async () => {
  const replies = new Map(PUBLIC_OPERATIONS.map((o) => [o.name, o.reply]));
  const endless = new Set(
    PUBLIC_OPERATIONS.flatMap(({ media, name }) => (media === 'text/event-stream' ? [name] : [])),
  );
  const seen = new Map<string, number>();
  const jobs: (() => Promise<void>)[] = [];
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, call] of Object.entries(methods))
      for (let index = 0; index < REQUESTS * ROLES.length; index++) {
        const key = keys[index % keys.length]!;
        const values = new Map(
          call.parameters.map(({ name, required, schema }) => [
            name,
            required || random() < 0.5 ? String(valueFor(schema)) : null,
          ]),
        );
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
          encodeURIComponent((values.get(name) || '1').toWellFormed()),
        );
        const query = new URLSearchParams();
        const headers: Record<string, string> = {};
        for (const { name, in: place } of call.parameters) {
          const value = values.get(name)?.toWellFormed();
          if (value === undefined || value === '') continue;
          if (place === 'query') query.set(name, value);
          if (place === 'header' && /^[\x20-\x7e]+$/.test(value))
            headers[name] = `${value.trim().slice(0, 300)}${random() < 0.5 ? index : ''}`;
        }
        const body = call.requestBody ? bodyFor(call) : undefined;
        jobs.push(async () => {
          if (endless.has(call.operationId)) return beginStream(key, `${address}?${query}`);
          const answer = await stage.by(key)(method.toUpperCase(), `${address}?${query}`, body, headers);
          const told = `${call.operationId} ${address}?${query} ${JSON.stringify(body)?.slice(0, 400)} → ${answer.status} ${JSON.stringify(answer.body).slice(0, 400)}`;
          assert.ok(answer.status < 500, told);
          assert.ok(String(answer.status) in call.responses, told);
          if (answer.status < 300) {
            assert.ok(replies.get(call.operationId)!.safeParse(answer.body).success, told);
            seen.set(call.operationId, (seen.get(call.operationId) ?? 0) + 1);
          } else {
            assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, told);
            const { code, status, message, request_id } = answer.body as Record<string, unknown>;
            assert.ok(typeof code === 'string' && status === answer.status && message && request_id, told);
          }
        });
      }
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let job = jobs.pop(); job; job = jobs.pop()) await job();
    }),
  );
  // Some requests must have succeeded, otherwise little was tested.
  for (const name of ['sendMessage', 'sendBatch', 'estimateMessage', 'getBalance'])
    assert.ok(seen.get(name), `${name} ${[...seen]}`);
});
