import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { after, test } from 'node:test';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { sampleValue, shapeOf } from '../every-resource/sample.ts';
import type { Client } from '../test-api.ts';
import { idFields, tableOfPath, whoseOf } from './classification.ts';
import type { Place } from './world.ts';

// Tests only the second wall. Statements no longer name a corporation: the only clause that does is removed as Node
// reads it, before any server code is loaded. Only row level security is left. Sessions of the database serve another
// tenant with every request.

const CLAUSE = 'caller.scope_level < 2 ? null : caller.corporations';
let takenOut = 0;
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/platform/access/scope-clause.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(CLAUSE)) throw new Error('the clause is not where it was');
    takenOut++;
    return { ...loaded, source: source.replace(CLAUSE, 'caller && null') };
  },
});
const { readTables, tenantTables } = await import('./tables.ts');
const { CANARY, fill, sharedIds } = await import('./world.ts');
const { writeCanaryFile } = await import('./canary-file.ts');
const { startTestApi } = await import('../test-api.ts');
const { corporationsOf } = await import('../../src/platform/access/scope-clause.ts');

const TENANTS = 20;
const SESSIONS = 5;
const REQUESTS = Number(process.env['WALLS_REQUESTS']) || 1_000;

// Behind PgBouncer, many of our sessions share a few sessions of the database.
const behindPooler = Boolean(process.env['HELIOGRAPH_TEST_POOLER']);
const api = await startTestApi({ after }, behindPooler ? {} : { sessions: SESSIONS });
const owner = api.database.pool('owner');
const tables = await readTables(owner);
const names = new Set(tables.map(({ name }) => name));
const shared = await sharedIds(owner);
writeCanaryFile(api.config.DATA_DIR);

/** Returns the letters for a place: AA, AB, … */
const codeOf = (i: number) => String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26));
const places: Place[] = [];
for (let i = 0; i < TENANTS; i++) {
  const place: Place = { code: codeOf(i), corporation_id: null, ids: { ...shared } };
  await fill(owner, place, tenantTables(tables));
  places.push(place);
}
// Each tenant has one person who sees all of their corporation and holds every permission.
const people = places.map(({ ids }) => ids['user_account']!);
await owner.query(`UPDATE user_account SET scope_level = 2, department_id = NULL, otp = false WHERE id = ANY ($1)`, [
  people,
]);
// A person with a passkey cannot sign in with the password alone.
await owner.query('DELETE FROM passkey');
await owner.query(
  `INSERT INTO user_permission SELECT u.id, p.id FROM user_account u, permission p WHERE u.id = ANY ($1) ON CONFLICT DO NOTHING`,
  [people],
);

test('the clauses are out: no statement names the corporations of its caller', () => {
  assert.equal(takenOut, 1);
  assert.equal(corporationsOf({ scope_level: 2, corporations: [7] }), null);
});

test(`only row level security keeps ${TENANTS} tenants apart in ${REQUESTS} requests`, {
  timeout: 600_000,
}, async () => {
  const { rows } = await owner.query<{ email: string }>(
    'SELECT email FROM user_account WHERE id = ANY ($1) ORDER BY id',
    [people],
  );
  const clients: Client[] = [];
  for (const { email } of rows) clients.push(await api.as(email));
  const calls = ALL_OPERATIONS.filter((o) => o.method === 'GET' && o.session !== 'public' && whoseOf(o) === 'tenant');
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString().slice(0, 10);
  const wanted: Readonly<Record<string, string>> = { from: day(3), to: day(0), number: '639170001234' };

  /** Returns the path of a call. Every third request uses another tenant's record, the others one's own. */
  const pathOf = (o: (typeof calls)[number], ids: Place['ids']) => {
    const path = o.path.replace(/:(\w+)/g, (_, name: string) =>
      String(name === 'id' ? (ids[tableOfPath(o)] ?? 1) : sampleValue(shapeOf(o.params)[name]!)),
    );
    const query = new URLSearchParams();
    const fields = new Map(idFields(o, o.query, names).map(({ name, table }) => [name, table]));
    for (const [name, schema] of Object.entries(shapeOf(o.query))) {
      if (schema.safeParse(undefined).success && !['from', 'to'].includes(name)) continue;
      query.set(name, String(ids[fields.get(name) ?? ''] ?? wanted[name] ?? sampleValue(schema)));
    }
    return `${path}?${query}`;
  };

  const wrong: string[] = [];
  let own = 0;
  let refused = 0;
  let next = 0;
  const work = async () => {
    for (let n = next++; n < REQUESTS; n = next++) {
      const who = n % TENANTS;
      const neighbour = n % 3 === 0 ? (who + 1 + (n % (TENANTS - 1))) % TENANTS : who;
      const o = calls[Math.floor(n / 7 + n * 5) % calls.length]!;
      const path = pathOf(o, places[neighbour]!.ids);
      const { status, body } = await clients[who]!('GET', path);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      for (const [, code] of text.matchAll(new RegExp(CANARY, 'gi')))
        if (code !== undefined && code !== 'FF' && code.toUpperCase() !== codeOf(who))
          wrong.push(`${codeOf(who)} GET ${path}: ${text.slice(0, 300)}`);
      if (status >= 500) wrong.push(`GET ${path}: ${status}`);
      if (text.includes(`Cnry${codeOf(who)}`)) own++;
      if (status === 404 && who !== neighbour) refused++;
    }
  };
  await Promise.all(Array.from({ length: 3 * SESSIONS }, work));
  assert.deepEqual(wrong, []);
  // Without any visible record, no foreign record would be visible either.
  assert.ok(own > REQUESTS / 4, `${own} answers with the person's own canaries`);
  assert.ok(refused > REQUESTS / 20, `${refused} records of neighbours`);
  const sessions = await owner.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'heliograph api'",
  );
  assert.ok(sessions.rows.length <= SESSIONS + 2, `${sessions.rows.length} sessions`);
});
