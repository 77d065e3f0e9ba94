import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { permissionsOf } from '@heliograph/contract/access/role-permissions';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { RESOURCES } from '@heliograph/contract/registry';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import type { z } from 'zod';
import { errorsOf } from '../answers.ts';
import { type Client, startTestApi } from '../test-api.ts';
import { kindOfId, label, listAll, tableOf } from './records.ts';
import { type Fields, sampleBody, shapeOf } from './sample.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const everything = await api.as('superadmin');
const tenant = await api.as('corporate');

/** Calls that would end the sessions or change the passwords that this test uses. */
const LEFT_OUT = /\/(logout|sessions|password|two-factor|otp|reset-password)|\/oauth\/|\/connectivity-test/;
const operations = ALL_OPERATIONS.filter((o) => o.session !== 'public' && !o.upload && !LEFT_OUT.test(o.path));

/** Seed that chooses the odd values for fields that take nearly all of them. */
const SEED = Number(process.env['FAULT_SEED'] ?? 0);
const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Values that nobody sends on purpose. The values that a schema takes reach the code behind it. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  1e300,
  '',
  ' ',
  '0',
  '-1',
  'NaN',
  'Infinity',
  '1e309',
  '999999999999.999',
  '000000000000000',
  '999999999999999',
  "'; DROP TABLE message; --",
  '%_\\',
  '{name} {param1} {nothing}',
  '__proto__',
  'constructor',
  'x'.repeat(200),
  '文'.repeat(1_000),
  '\u202e\ufeff\u0007💥',
  'null@example.com',
  'https://user:password@[::1]:65535/?a=%00#b',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-14:00',
  '+275760-09-13T00:00:00Z',
  '0000-01',
  '9999-12',
  '9999-12-31T23:59',
  '00:00',
  'Etc/GMT+12',
  [],
  {},
  [[]],
  ['', ''],
  [1, 1],
  [Number.MAX_SAFE_INTEGER],
  { constructor: 1, toString: 'x' },
  { a: { b: [null, 1e300, ''] } },
  deep(40),
  encoded(null),
  encoded([]),
  encoded({}),
  encoded([1e300, 'x']),
  encoded({ id: 'x', at: '0000-01-01' }),
  '9007199254740991',
  '9223372036854775808',
  '99999999999999999999',
  '2026-01-01~9223372036854775808',
];
const UNSTORABLE = ['half \ud800 a pair', 'the other half \udc00', 'a\0b'];

const ids = new Map<string, number>();
for (const r of RESOURCES) {
  const [newest] = await listAll(everything, r);
  if (newest) ids.set(r.name, newest.id);
}
/** Returns the newest record of the kind that an id in a path names; 1 if there is none. */
async function idOf(o: Operation): Promise<number> {
  const kind = kindOfId(o);
  const known = ids.get(kind);
  if (known !== undefined) return known;
  const resource = RESOURCES.find((r) => r.name === kind);
  const table = resource ? tableOf(resource) : kind.split('/').at(-1)!.replaceAll('-', '_').replace(/s$/, '');
  const { rows } = await owner.query('SELECT to_regclass($1) IS NOT NULL AS present', [table]);
  const found = rows[0].present ? await owner.query(`SELECT max(id) AS id FROM ${table}`).catch(() => null) : null;
  const id = Number(found?.rows[0]?.id ?? 1);
  ids.set(kind, id);
  return id;
}
const pathOf = async (o: Operation) =>
  o.path.includes('/:id') ? o.path.replace(':id', String(await idOf(o))) : o.path;

/** Builds a body that the call takes, if one can be made. */
function bodyOf(o: Operation): Fields {
  try {
    return sampleBody(o.body, (to) => ids.get(to) ?? 1);
  } catch {
    return {};
  }
}
function queryOf(o: Operation): Fields {
  try {
    return sampleBody(o.query, (to) => ids.get(to) ?? 1);
  } catch {
    return {};
  }
}
const search = (query: Fields) => new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString();

interface Try {
  o: Operation;
  client: Client;
  query: Fields;
  body: Fields | undefined;
  field: string;
}

/** Runs work for many items, a few at a time. */
async function each<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const queue = [...things];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let thing = queue.pop(); thing !== undefined; thing = queue.pop()) await work(thing);
    }),
  );
}
const send = async ({ o, client, query, body }: Try) => {
  const text = search(query);
  return client(o.method, `${await pathOf(o)}${text && `?${text}`}`, o.method === 'GET' ? undefined : body);
};

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;
/** Number of odd values for a field that takes nearly all of them; each such field gets other values in turn. */
const SAMPLE = 8;
const held = new Set<string>(permissionsOf('corporate_admin'));
let turn = SEED;

/** Returns the odd values that a field's schema takes; the schema stops the others. */
function oddFor(schema: z.ZodType, values: readonly unknown[]): unknown[] {
  const taken = values.filter((odd) => takes(schema, odd));
  if (taken.length <= 2 * SAMPLE) return taken;
  turn += SAMPLE;
  return Array.from({ length: SAMPLE }, (_, at) => taken[(turn + at) % taken.length]);
}

function oddCalls(): Try[] {
  const tries: Try[] = [];
  for (const o of operations) {
    const [query, body] = [queryOf(o), bodyOf(o)];
    const add = (field: string, odd: { query?: Fields; body?: Fields }) => {
      const ofTenant = tries.length % 2 === 1 && (o.permission === null || held.has(o.permission));
      tries.push({ o, query, body, field, client: ofTenant ? tenant : everything, ...odd });
    };
    for (const [name, schema] of Object.entries(shapeOf(o.query)))
      for (const odd of oddFor(
        schema,
        ODD.filter((value) => typeof value === 'string'),
      ))
        add(name, { query: { ...query, [name]: odd } });
    if (o.method === 'GET') continue;
    for (const [name, schema] of Object.entries(shapeOf(o.body)))
      for (const odd of oddFor(schema, ODD)) add(name, { body: { ...body, [name]: odd } });
  }
  return tries;
}

test('a text that cannot be stored is refused by the name of its field', async () => {
  const tries: Try[] = [];
  for (const [turn, o] of operations.entries()) {
    const odd = (at: number) => UNSTORABLE[(turn + at) % UNSTORABLE.length]!;
    for (const [at, name] of Object.keys(shapeOf(o.query)).entries()) {
      // Text in a URL is always well formed, because half of a surrogate pair cannot be written there.
      if (odd(at).isWellFormed())
        tries.push({ o, client: everything, query: { [name]: odd(at) }, body: undefined, field: name });
    }
    if (o.method === 'GET') continue;
    for (const [at, name] of Object.keys(shapeOf(o.body)).entries())
      tries.push({ o, client: everything, query: {}, body: { ...bodyOf(o), [name]: odd(at) }, field: name });
    tries.push({ o, client: everything, query: {}, body: { nested: [{ deeper: odd(0) }] }, field: 'nested.0.deeper' });
  }
  await each(tries, async (one) => {
    const answer = await send(one);
    const told = `${label(one.o)} ${one.field}: ${answer.status} ${JSON.stringify(answer.body)}`;
    assert.equal(answer.status, 422, told);
    assert.match(errorsOf(answer)[one.field]?.[0] ?? '', /character/, told);
  });
  assert.ok(tries.length > 300, String(tries.length));
});

test('each kind of error has its own sentence, and only missing fields are required', async () => {
  const query = async (path: string) => errorsOf(await everything('GET', `/api/v1/${path}`));
  const made = async (path: string, body: Fields) => errorsOf(await everything('POST', `/api/v1/${path}`, body));
  const long = 'x'.repeat(151);
  assert.deepEqual(
    {
      ...(await query('activity-logs?limit=abc')),
      ...(await query('departments?sort=foo&page=1.5&per_page=500')),
      ...(await query('rates?in_force_on=tomorrow')),
    },
    {
      limit: ['This must be a number.'],
      sort: ['This must be one of: name, corporation_name, created_at, -name, -corporation_name, -created_at.'],
      page: ['Must be a whole number.'],
      per_page: ['Must be 200 or less.'],
      in_force_on: ['Enter a date such as 2026-01-31.'],
    },
  );
  assert.deepEqual(await made('roles', { name: ' ', guard: 'door', level: 1.5, permissions: 'all' }), {
    name: ['This field is required.'],
    guard: ['This must be one of: api, web.'],
    level: ['Must be a whole number.'],
    permissions: ['This must be a list.'],
  });
  assert.deepEqual(await made('departments', { name: 7, corporation_id: 0, enabled: 'yes', extra: long }), {
    name: ['This must be text, in quotation marks: "…".'],
    corporation_id: ['Must be 1 or more.'],
    enabled: ['This must be true or false.'],
    extra: ['This field is not supported here.'],
  });
  const large = await everything('POST', '/api/v1/departments', { name: 'x'.repeat(1_100_000) });
  assert.deepEqual(
    [large.status, (large.body as { message: string }).message],
    [413, 'This is too large. Send at most 1 MB at a time.'],
  );
});

test('no odd value in any field of any call is answered with a server error', async () => {
  const tries = oddCalls();
  const faults: string[] = [];
  await each(tries, async (one) => {
    const { status, body } = await send(one);
    if (status >= 500 || status === 401)
      faults.push(
        `${label(one.o)} ${one.field} ${JSON.stringify(one.query).slice(0, 200)} ${JSON.stringify(one.body)?.slice(0, 300)}: ${status} ${JSON.stringify(body).slice(0, 200)}`,
      );
  });
  assert.deepEqual(faults, [], `${faults.length} of ${tries.length}`);
  assert.ok(tries.length > 2_000, String(tries.length));
});
