import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { ALL_OPERATIONS, RESOURCES } from '@heliograph/contract/registry';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { tableOf } from '../every-resource/records.ts';
import { type Fields, sampleBody, sampleValue, shapeOf } from '../every-resource/sample.ts';
import { type Answer, type Client, startTestApi } from '../test-api.ts';
import { type IdField, idFields, label, tableOfPath, unusedWords, whoseOf } from './classification.ts';
import {
  CANARY,
  fill,
  makeRow,
  type Place,
  readTables,
  sharedIds,
  type Table,
  tenantTables,
  writeCanaryFile,
} from './world.ts';

// Every call × the five roles that are not the platform's × own, sibling person, sibling department, sibling corporation,
// parent, and another reseller's: each person holds every permission there is, so that nothing but the walls keeps them
// from what is another's. What there is beyond a wall must change no byte of any answer on this side of it.

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const tables = await readTables(owner);
const tenants = tenantTables(tables);
const names = new Set(tables.map(({ name }) => name));
const NOWHERE = 999_999_999;
writeCanaryFile(api.config.DATA_DIR);

const one = async (text: string) => (await owner.query<{ id: number }>(text)).rows[0]!.id;
const [northwind, acme, marketing] = [
  await one("SELECT id FROM corporation WHERE name = 'Northwind Telecom'"),
  await one("SELECT id FROM corporation WHERE name = 'Acme Retail'"),
  await one("SELECT id FROM department WHERE name = 'Marketing'"),
];
const shared = await sharedIds(owner);
const account = await one(`SELECT min(id) AS id FROM billing_account WHERE corporation_id = ${acme}`);
const plan = await one(`SELECT price_plan_id AS id FROM billing_account WHERE id = ${account}`);

const place = (code: string, corporation_id: number | null, ids: Record<string, number> = {}): Place => ({
  code,
  corporation_id,
  ids: { ...shared, ...ids },
});
const PLACES = {
  platform: place('PL', null),
  rival: place('RV', null),
  rivals_customer: place('RC', null),
  sibling_corporation: place('SC', null, { parent: northwind }),
  parent: place('PA', northwind, { corporation: northwind }),
  sibling_department: place('SD', acme, { corporation: acme, billing_account: account, price_plan: plan }),
  sibling_person: place('SP', acme, {
    corporation: acme,
    department: marketing,
    billing_account: account,
    price_plan: plan,
  }),
};
type PlaceName = keyof typeof PLACES;

/** What is foreign to whom, the farthest first. */
const corporations: PlaceName[] = ['platform', 'rival', 'rivals_customer', 'sibling_corporation', 'parent'];
const FOREIGN: Readonly<Record<string, readonly PlaceName[]>> = {
  reseller: ['platform', 'rival', 'rivals_customer'],
  corporate: corporations,
  department: [...corporations, 'sibling_department'],
  user: [...corporations, 'sibling_department', 'sibling_person'],
  readonly: [...corporations, 'sibling_department', 'sibling_person'],
};
const LOGINS = Object.keys(FOREIGN);

// Every permission there is, given directly: roles stay what they are.
await owner.query(`INSERT INTO user_permission SELECT u.id, p.id FROM user_account u, permission p
  WHERE u.email LIKE '%@heliograph.test' ON CONFLICT DO NOTHING`);
const clients = new Map<string, Client>();
for (const login of ['superadmin', ...LOGINS]) clients.set(login, await api.as(login));

test('every call is classified: whose it is, and what its ids are the ids of', () => {
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

/** The path of a call with an id in it, and what else it takes there. */
const pathOf = (o: Operation, id: number) =>
  o.path.replace(/:(\w+)/g, (_, name: string) => String(name === 'id' ? id : sampleValue(shapeOf(o.params)[name]!)));

/** What a call answered, without what differs from call to call by itself. */
function plain({ status, body }: Answer): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const same = text
    .replace(/"request_id":"\w+"/g, '')
    .replace(/expires=\d+&signature=[\w-]+/g, '')
    .replace(/%PDF.*/s, 'a document')
    .replace(/"(since|state_since|downloaded_at)":"[^"]+"/g, '');
  return `${status} ${same}`;
}

const today = new Date();
const day = (back: number) => new Date(today.getTime() - back * 86_400_000).toISOString().slice(0, 10);
/** Values of query fields that no sample finds. */
const QUERY: Readonly<Record<string, string>> = { from: day(7), to: day(0), number: '639170001234' };

/** The ids of a table's rows that a person sees, the newest first. */
const own = new Map<string, Map<string, number[]>>();
async function ownIds(login: string, table: string): Promise<number[]> {
  const known = own.get(login) ?? new Map<string, number[]>();
  own.set(login, known);
  if (!known.has(table)) {
    const { rows } = await owner.query(`SELECT u.id, u.scope_level, u.department_id, u.corporation_id,
      ARRAY(SELECT c.id FROM corporation c WHERE c.id = u.corporation_id OR (u.scope_level = 2 AND c.reseller_id = u.corporation_id)) AS corporations
      FROM user_account u WHERE email = '${login}@heliograph.test'`);
    const person = rows[0];
    const client = await api.database.pool('api').connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `SELECT set_config('app.level', $1, true), set_config('app.corporations', $2, true),
          set_config('app.department', $3, true), set_config('app.user', $4, true)`,
        [
          String(person.scope_level),
          `{${person.corporations.join()}}`,
          person.scope_level > 2 ? String(person.department_id) : '',
          String(person.id),
        ],
      );
      const found = await client.query<{ id: number }>(
        `SELECT id FROM ${table} WHERE id <> ${person.id} OR '${table}' <> 'user_account' ORDER BY id DESC LIMIT 1`,
      );
      known.set(
        table,
        found.rows.map(({ id }) => id),
      );
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
  return known.get(table)!;
}

/** A query with what a call cannot do without; null where the person has no record to name. */
async function queryOf(login: string, o: Operation, change: Record<string, string> = {}): Promise<string | null> {
  const query = new URLSearchParams();
  const ids = new Map(idFields(o, o.query, names).map((field) => [field.name, field]));
  for (const [name, schema] of Object.entries(shapeOf(o.query))) {
    if (change[name] !== undefined) query.set(name, change[name]);
    else if (QUERY[name] !== undefined && name !== 'number') query.set(name, QUERY[name]);
    else if (['limit', 'per_page'].includes(name)) query.set(name, '200');
    else if (!schema.safeParse(undefined).success) {
      const [id] = ids.has(name) ? await ownIds(login, ids.get(name)!.table) : [undefined];
      if (ids.has(name) && id === undefined) return null;
      query.set(name, String(id ?? QUERY[name] ?? sampleValue(schema)));
    }
  }
  return `?${query}`;
}

const reads = ALL_OPERATIONS.filter((o) => o.method === 'GET' && o.session !== 'public');

/** Runs work for many things, some at a time. */
async function each<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const queue = [...things];
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let thing = queue.shift(); thing !== undefined; thing = queue.shift()) await work(thing);
    }),
  );
}

/**
 * Of what is foreign to a person, the nearest and one more, another for each thing that is tried; `npm run soak` tries all.
 */
function places(login: string, turn: number, least = 2): PlaceName[] {
  const foreign = FOREIGN[login]!;
  if (process.env['WALLS_ALL'] === 'true') return [...foreign];
  const other = foreign[turn % (foreign.length - 1)]!;
  return least === 1 ? [turn % 2 === 0 ? other : foreign.at(-1)!] : [other, foreign.at(-1)!];
}

/** The id of a record that a place has for itself; undefined where the person may well see it. */
function foreignId(name: PlaceName, of: string): number | undefined {
  const id = PLACES[name].ids[of];
  if (name === 'sibling_department' && of !== 'department' && !departmental.includes(table(of))) return undefined;
  if (name === 'sibling_person' && !personal.includes(table(of))) return undefined;
  return name === 'parent' && of === 'corporation' ? northwind : shared[of] === id ? undefined : id;
}

/** Everything a person can read: every call, with the newest own record where it names one. */
async function everythingRead(login: string): Promise<Map<string, string>> {
  const client = clients.get(login)!;
  const answers = new Map<string, string>();
  await each(reads, async (o) => {
    const query = await queryOf(login, o);
    if (query === null) return;
    const ids = o.path.includes('/:id') ? await ownIds(login, tableOfPath(o)) : [0];
    for (const id of ids) {
      const path = pathOf(o, id) + query;
      answers.set(`${login} GET ${path}`, plain(await client('GET', path)));
    }
  });
  return answers;
}

/** Where two texts part, and how they go on. */
function difference(then: string, now: string): string {
  let at = 0;
  while (then[at] === now[at] && at < then.length) at++;
  return `…${then.slice(Math.max(0, at - 40), at + 80)}… became …${now.slice(Math.max(0, at - 40), at + 80)}…`;
}

/** What tells of a message, whose chunk says whose it is. */
const OF_MESSAGES = [
  'message',
  'submission',
  'outcome',
  'receipt',
  'correction',
  'resend',
  'retry',
  'chunk_state',
  'answer_pack',
  'receipt_pack',
];
/** Tables of these columns, with those of a message's life and whatever refers to one of them. */
function tablesWith(columns: readonly string[], but: readonly string[]): Table[] {
  const found = new Set(OF_MESSAGES);
  for (const { name, columns: present } of tenants)
    if (present.some((column) => columns.includes(column.name))) found.add(name);
  for (const name of but) found.delete(name);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const { name, references } of tenants)
      if (!but.includes(name) && Object.values(references).some((to) => found.has(to))) found.add(name);
  }
  return tenants.filter(({ name }) => found.has(name));
}
/** The card of a plan is the corporation's, whoever uploaded it; a sender that is assigned is taken from all others. */
const OF_ALL = ['department', 'card_upload', 'card_upload_row', 'sender_id_assignment'];
/** What a department has for itself. */
const departmental = tablesWith(['department_id', 'causer_id'], OF_ALL);
/** What a person has for themselves; who they are is seen by their department. */
const personal = tablesWith(
  ['user_id', 'created_by', 'causer_id'],
  [...OF_ALL, 'user_account', 'user_permission', 'user_image'],
);
const ofCorporation = tenants.filter(({ name }) => name !== 'corporation');
const PLATFORMS_OWN = [
  'price_plan',
  'user_account',
  'carrier_route',
  'activity_log',
  'card_upload',
  'download',
  'upload',
];

const table = (name: string): Table => tables.find((each) => each.name === name)!;
/** How each place comes to be, in this order. */
const MAKE: Readonly<Record<PlaceName, () => Promise<void>>> = {
  platform: async () => {
    await fill(owner, PLACES.platform, PLATFORMS_OWN.map(table));
  },
  rival: () => fill(owner, PLACES.rival, tenants),
  rivals_customer: () => {
    PLACES.rivals_customer.ids['parent'] = PLACES.rival.corporation_id!;
    return fill(owner, PLACES.rivals_customer, tenants);
  },
  sibling_corporation: () => fill(owner, PLACES.sibling_corporation, tenants),
  parent: () => fill(owner, PLACES.parent, ofCorporation),
  sibling_department: async () => {
    await makeRow(owner, table('department'), PLACES.sibling_department);
    await fill(owner, PLACES.sibling_department, departmental);
  },
  sibling_person: () => fill(owner, PLACES.sibling_person, personal),
};

test('what comes to be beyond a wall changes no byte of any answer on this side of it', {
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
    // Each person looks again once all there is that is foreign to them has come to be.
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

test('every tenant table has a row in each corporation that was made', async () => {
  for (const { name, columns } of tenants) {
    if (!columns.some((column) => column.name === 'corporation_id')) continue;
    const { rows } = await owner.query(`SELECT FROM ${name} WHERE corporation_id = ${PLACES.rival.corporation_id}`);
    assert.ok(rows.length > 0, name);
  }
});

/** Rows with a canary in them, whichever table they are in, as one digest by table. */
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

const codeOf = ({ body }: Answer) => (body as { code?: string } | null)?.code;
const csv = () => {
  const form = new FormData();
  form.append('file', new Blob(['number\n639170001234\n']), 'numbers.csv');
  return form;
};
/** A body the call takes, with records of the person's own; null where none can be made. */
async function bodyOf(login: string, o: Operation): Promise<Fields | FormData | undefined> {
  if (o.method === 'GET' || o.method === 'DELETE') return undefined;
  if (o.upload) return csv();
  const refer = new Map<string, number | undefined>();
  for (const r of RESOURCES) refer.set(r.name, (await ownIds(login, tableOf(r)))[0] ?? 1);
  try {
    const body = sampleBody(o.body, (to) => refer.get(to), { whole: true });
    for (const { name, table: of, many } of idFields(o, o.body, names)) {
      const [id] = await ownIds(login, of);
      if (id !== undefined && body[name] !== null) body[name] = many ? [id] : id;
    }
    return body;
  } catch {
    return {};
  }
}

const withIds = ALL_OPERATIONS.filter((o) => o.path.includes('/:id'));
/** Tables of records that nobody but their person sees, so that the administration cannot show they are there. */
const OF_ONE_PERSON = new Set(['quote', 'upload', 'download', 'bulk_upload']);

test('the records beyond the walls are there, and whoever may see them does, canaries and all', async () => {
  const everything = clients.get('superadmin')!;
  let seen = 0;
  for (const o of withIds.filter((each) => each.method === 'GET' && each.session !== 'public')) {
    const of = tableOfPath(o);
    const id = PLACES.rival.ids[of];
    if (whoseOf(o) !== 'tenant' || OF_ONE_PERSON.has(of)) continue;
    assert.ok(id, `${label(o)}: walls/world.ts makes no ${of}`);
    // Of a reseller it is not asked whose customer it could become.
    if (o.path.endsWith('-preview')) continue;
    const { status, body } = await everything('GET', pathOf(o, id) + (await queryOf('superadmin', o)));
    assert.equal(status, 200, `${label(o)} ${JSON.stringify(body).slice(0, 300)}`);
    if (CANARY.test(JSON.stringify(body))) seen++;
  }
  assert.ok(seen > 12, `${seen} answers with a canary`);
});

test('a record of another tenant, department or person does not exist: 404 for every call that names it', async () => {
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
      if (answer.status !== 404 || codeOf(answer) !== 'not_found')
        wrong.push(`${login} ${label(o)} of ${name}: ${plain(answer).slice(0, 200)}`);
    });
  }
  assert.deepEqual(wrong, []);
  assert.ok(tried > 400, String(tried));
  assert.deepEqual(await canaryRows(), before);
});

test('a foreign record named in a query or a body is answered like one that is nowhere', async () => {
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
      // Whose customer a corporation is stands in its own record.
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

/** Writes the files that were asked for with a foreign filter: there is nothing in them but the headings. */
async function emptyFiles(asked: number): Promise<void> {
  const { rows } = await owner.query<{ id: number }>("SELECT id FROM download WHERE state = 'queued' ORDER BY id");
  assert.equal(rows.length, 2 * asked);
  const database = api.database.db('worker');
  const worker = { pool: api.database.pool('worker'), database, config: api.config, log: api.log };
  for (const { id } of rows)
    await exportTransactions(worker, (userId) => loadCaller(database, userId), id, new AbortController().signal);
  const written = await owner.query('SELECT state, rows FROM download WHERE id = ANY ($1)', [rows.map(({ id }) => id)]);
  for (const row of written.rows) assert.deepEqual(row, { state: 'done', rows: 0 });
}

/** Bodies that no sample finds. */
const WHOLE: Readonly<Record<string, object>> = {
  'PUT /api/v1/menus/order': { entries: [{ id: 1, parent_id: null }] },
};

test('what is one for all is changed by nobody but the platform’s own people, whatever rights a tenant was given', async () => {
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
      const answer = await client(o.method, pathOf(o, rows[0].id ?? 1), WHOLE[label(o)] ?? (await bodyOf(login, o)));
      // What came with the program is refused to everybody before anything else.
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
          // Who a person is, their department sees.
          if (name === 'sibling_person' && /users|give-permissions/.test(o.path)) continue;
          const [here, nowhere] = [await found(`Cnry${PLACES[name].code}`), await found('Nobody has this')];
          if (here !== nowhere) wrong.push(`${login} ${label(o)} for a word of ${name}: ${difference(nowhere, here)}`);
        }
      },
    );
  }
  assert.deepEqual(wrong, []);
});
