import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReading } from '@heliograph/contract/access/role-permissions';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { HTTP_PRESETS } from '@heliograph/contract/links/http-presets';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { exportList } from '../../src/platform/tasks/exported-list.ts';
import { codeOf } from '../answers.ts';
import { type Fields, shapeOf } from '../every-resource/sample.ts';
import {
  bodyOf,
  difference,
  each,
  everythingRead,
  OF_ONE_PERSON,
  ownIds,
  pathOf,
  plain,
  queryOf,
  reads,
  withIds,
} from './calls.ts';
import { type IdField, idFields, label, tableOfPath, unusedWords, whoseOf } from './classification.ts';
import {
  api,
  clients,
  FOREIGN,
  foreignId,
  LOGINS,
  MAKE,
  names,
  owner,
  PLACES,
  type PlaceName,
  places,
  table,
  tables,
  tenants,
} from './places.ts';
import { TENANT_FILES } from './tenant-files.ts';
import { CANARY, makeRow } from './world.ts';

// Every call × the five roles outside the platform × own, sibling person, sibling department, sibling corporation,
// parent, and another reseller's. Each person holds every permission, so only the walls keep them from others' records.
// Records beyond a wall must change no byte of any answer on this side of it.

const NOWHERE = 999_999_999;

test('every call is classified by its owner, and its ids by their tables', () => {
  const unknown = ALL_OPERATIONS.filter((o) => whoseOf(o) === undefined).map(label);
  assert.deepEqual(unknown, [], 'say in WHOSE of walls/classification.ts whose these are');
  assert.deepEqual(unusedWords(ALL_OPERATIONS), [], 'no call has these words any more');
  for (const o of ALL_OPERATIONS) {
    if (o.path.includes('/:id')) tableOfPath(o);
    for (const field of [...idFields(o, o.query, names), ...idFields(o, o.body, names)])
      assert.ok(names.has(field.table), `${label(o)} ${field.name}`);
    if (whoseOf(o) === 'self') assert.ok(!o.path.includes('/:'), `${label(o)} names somebody’s record`);
  }
});

test('a new record beyond a wall changes no byte of any answer on this side', {
  timeout: 600_000,
}, async () => {
  await makeRow(owner, table('user_account'), PLACES.sibling_person);
  const before = new Map<string, Map<string, string>>();
  for (const login of LOGINS) before.set(login, await everythingRead(login));
  let compared = 0;
  const changed: string[] = [];
  const made: PlaceName[] = [];
  for (const name of Object.keys(MAKE) as PlaceName[]) {
    await MAKE[name]();
    made.push(name);
    // Each person reads again once all records foreign to them have been created.
    for (const login of LOGINS) {
      if (made.length !== FOREIGN[login]!.length) continue;
      for (const [call, now] of await everythingRead(login)) {
        const then = before.get(login)!.get(call) ?? '';
        if (now !== then) changed.push(`${call}, once there was: ${made.join(', ')}: ${difference(then, now)}`);
        if (now.startsWith('5')) changed.push(`${call}: ${now}`);
        compared++;
      }
    }
  }
  assert.deepEqual(changed, []);
  assert.ok(compared > 300, String(compared));
});

test('every tenant table has a row in each created corporation', async () => {
  for (const { name, columns } of tenants) {
    if (!columns.some((column) => column.name === 'corporation_id')) continue;
    const { rows } = await owner.query(`SELECT FROM ${name} WHERE corporation_id = ${PLACES.rival.corporation_id}`);
    assert.ok(rows.length > 0, name);
  }
});

/** Returns one digest by table of the rows that hold a canary. */
async function canaryRows(): Promise<Record<string, string>> {
  const { rows } = await owner.query<{ name: string; digest: string }>(
    tables
      .map(
        ({
          name,
        }) => `SELECT '${name}' AS name, count(*) || ' ' || md5(string_agg(t::text, '|' ORDER BY t::text)) AS digest
          FROM ${name} t WHERE t::text ~ 'Cnry'`,
      )
      .join(' UNION ALL '),
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

test('the records beyond the walls exist, and those who may see them do', async () => {
  const everything = clients.get('superadmin')!;
  let seen = 0;
  for (const o of withIds.filter((each) => each.method === 'GET' && each.session !== 'public')) {
    const of = tableOfPath(o);
    const id = PLACES.rival.ids[of];
    if (whoseOf(o) !== 'tenant' || OF_ONE_PERSON.has(of)) continue;
    assert.ok(id, `${label(o)}: walls/world.ts makes no ${of}`);
    // A reseller cannot move to another reseller, so such a preview does not apply to it.
    if (o.path.endsWith('-preview')) continue;
    const { status, body } = await everything('GET', pathOf(o, id) + (await queryOf('superadmin', o)));
    assert.equal(status, 200, `${label(o)} ${JSON.stringify(body).slice(0, 300)}`);
    if (CANARY.test(JSON.stringify(body))) seen++;
  }
  assert.ok(seen > 12, `${seen} answers with a canary`);
});

test('a record beyond the walls does not exist: 404 for every call that names it', async () => {
  const before = await canaryRows();
  const wrong: string[] = [];
  let tried = 0;
  for (const login of LOGINS) {
    const client = clients.get(login)!;
    const calls: [Operation, PlaceName][] = withIds
      .filter((o) => whoseOf(o) === 'tenant')
      .flatMap((o, turn) => places(login, turn).map((name): [Operation, PlaceName] => [o, name]));
    await each(calls, async ([o, name]) => {
      const id = foreignId(name, tableOfPath(o));
      if (id === undefined) return;
      const answer = await client(o.method, pathOf(o, id) + (await queryOf(login, o)), await bodyOf(login, o));
      tried++;
      // A person who only reads is refused every change, even of a record that does not exist.
      const refused = login === 'readonly' && o.permission !== null && !isReading(o.permission);
      if (codeOf(answer) !== (refused ? 'forbidden' : 'not_found'))
        wrong.push(`${login} ${label(o)} of ${name}: ${plain(answer).slice(0, 200)}`);
    });
  }
  assert.deepEqual(wrong, []);
  assert.ok(tried > 400, String(tried));
  assert.deepEqual(await canaryRows(), before);
});

test('a foreign record in a query or a body is answered like a missing one', async () => {
  const before = await canaryRows();
  const wrong: string[] = [];
  let tried = 0;
  let exports = 0;
  type Try = { o: Operation; field: IdField; name: PlaceName; of: 'query' | 'body' };
  for (const login of LOGINS) {
    const client = clients.get(login)!;
    const tries = ALL_OPERATIONS.filter((o) => o.session !== 'public').flatMap((o, turn) =>
      (['query', 'body'] as const).flatMap((of) =>
        idFields(o, o[of], names).flatMap((field, i) =>
          places(login, turn + i, 1).map((name): Try => ({ o, field, name, of })),
        ),
      ),
    );
    await each(tries, async ({ o, field, name, of }) => {
      const foreign = foreignId(name, field.table);
      // A corporation's own record names its reseller.
      if (foreign === undefined || (name === 'parent' && field.table === 'corporation')) return;
      const [own] = o.path.includes('/:id') ? await ownIds(login, tableOfPath(o)) : [0];
      if (own === undefined) return;
      const call = async (id: number) => {
        const query = await queryOf(login, o, of === 'query' ? { [field.name]: String(id) } : {});
        const body = await bodyOf(login, o);
        if (of === 'body') (body as Fields)[field.name] = field.many ? [id] : id;
        return plain(await client(o.method, pathOf(o, own) + (query ?? ''), body)).replace(
          /"id":\d+|"created_at":"[^"]+"/g,
          '',
        );
      };
      const [here, nowhere] = [await call(foreign), await call(NOWHERE)];
      tried++;
      if (here !== nowhere) wrong.push(`${login} ${label(o)} ${field.name} of ${name}: ${difference(nowhere, here)}`);
      else if (here.startsWith('202') && field.name === 'contact_field_ids') return;
      else if (here.startsWith('202') && o.path.endsWith('/exports')) exports++;
      else if (here.startsWith('5') || (of === 'body' && here.startsWith('2')))
        wrong.push(`${login} ${label(o)} ${field.name} of ${name}: ${here.slice(0, 300)}`);
    });
  }
  assert.deepEqual(wrong, []);
  assert.ok(tried > 200, String(tried));
  assert.deepEqual(await canaryRows(), before);
  await emptyFiles(exports);
});

/**
 * Writes the requested files that have a foreign filter, with only the headings. Each function takes files of its kind. A
 * field that is not seen is no filter of contacts: their file has no column for it.
 */
async function emptyFiles(asked: number): Promise<void> {
  const { rows } = await owner.query<{ id: number }>(
    "SELECT id FROM download WHERE state = 'queued' AND kind <> 'contacts' ORDER BY id",
  );
  assert.equal(rows.length, 2 * asked);
  const database = api.database.db('worker');
  const worker = { pool: api.database.pool('worker'), database, config: api.config, log: api.log, clock: systemClock };
  const load = (userId: number) => loadCaller(database, userId);
  const { signal } = new AbortController();
  for (const { id } of rows) {
    await exportTransactions(worker, load, id, signal);
    await exportList(worker, load, TENANT_FILES, id, signal);
  }
  const written = await owner.query('SELECT state, rows FROM download WHERE id = ANY ($1)', [rows.map(({ id }) => id)]);
  for (const row of written.rows) assert.deepEqual(row, { state: 'done', rows: 0 });
}

/** Bodies that no sample matches. */
const WHOLE: Readonly<Record<string, object>> = {
  'POST /api/v1/links/try-mapping': { http: HTTP_PRESETS.get.mapping, text: 'Hello' },
  'POST /api/v1/carrier-routes/simulate': { id: null, route: { links: [{ link_id: 1, position: 1, weight: 1 }] } },
  'POST /api/v1/sender-registrations': { link_id: 1, sender_id_ids: [1], state: 'registered' },
  'PATCH /api/v1/sender-registrations/:id': { state: 'registered', network_ids: [1] },
  'POST /api/v1/sender-registrations/decisions': { ids: [1], state: 'registered' },
  'POST /api/v1/moderation/decisions': { ids: [1], decision: 'approved' },
  'PUT /api/v1/menus/order': { entries: [{ id: 1, parent_id: null }] },
};

/** Queries of uploads that ask for a record. */
const QUERIES: Readonly<Record<string, string>> = {
  'POST /api/v1/carrier-rates/bulk': '?carrier_card_id=1',
  'POST /api/v1/carrier-invoices/bulk': '?link_id=1&currency=USD&from=2026-05-01&to=2026-05-02&timezone=UTC',
  'POST /api/v1/number-sources/bulk': '?number_source_id=1',
};

test('only the platform’s own people change what all tenants share', async () => {
  const platform = ALL_OPERATIONS.filter((o) => whoseOf(o) === 'platform');
  const digest = async () =>
    (
      await owner.query(
        `SELECT ${[
          ...new Set(platform.filter((o) => o.path.includes('/:id')).map(tableOfPath)),
          'carrier_route_link',
          'role_permission',
        ]
          .map((name) => `(SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM ${name} t) AS ${name}`)
          .join()}`,
      )
    ).rows[0];
  const before = await digest();
  const wrong: string[] = [];
  for (const login of LOGINS) {
    const client = clients.get(login)!;
    for (const o of platform.filter((each) => each.method !== 'GET')) {
      const { rows } = o.path.includes('/:id')
        ? await owner.query(`SELECT max(id) AS id FROM ${tableOfPath(o)}`)
        : { rows: [{ id: 0 }] };
      const path = pathOf(o, rows[0].id ?? 1) + (QUERIES[label(o)] ?? '');
      const answer = await client(o.method, path, WHOLE[label(o)] ?? (await bodyOf(login, o)));
      // Built-in records are refused to everybody before any other check.
      if (![403, 404].includes(answer.status) && !/_built_in$/.test(codeOf(answer) ?? ''))
        wrong.push(`${login} ${label(o)}: ${plain(answer).slice(0, 200)}`);
    }
  }
  assert.deepEqual(await digest(), before);
  assert.deepEqual(wrong, []);
});

test('a search finds nothing beyond the walls', async () => {
  const wrong: string[] = [];
  for (const login of LOGINS) {
    const client = clients.get(login)!;
    await each(
      reads.filter((o) => 'search' in shapeOf(o.query)),
      async (o) => {
        const [own] = o.path.includes('/:id') ? await ownIds(login, tableOfPath(o)) : [0];
        if (own === undefined) return;
        const found = async (search: string) => {
          const query = await queryOf(login, o, { search });
          return query === null ? '' : plain(await client('GET', pathOf(o, own) + query));
        };
        for (const name of places(login, o.path.length, 1)) {
          // A department sees who its people are.
          if (name === 'sibling_person' && /users|give-permissions/.test(o.path)) continue;
          const [here, nowhere] = [await found(`Cnry${PLACES[name].code}`), await found('Cnryxxxx')];
          if (here !== nowhere) wrong.push(`${login} ${label(o)} for a word of ${name}: ${difference(nowhere, here)}`);
        }
      },
    );
  }
  assert.deepEqual(wrong, []);
});
