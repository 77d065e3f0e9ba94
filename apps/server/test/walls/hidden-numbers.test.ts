import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { streamEvents } from '@heliograph/contract/api/event-feed';
import { PUBLIC_OPERATIONS } from '@heliograph/contract/api/operations';
import { maskNumber } from '@heliograph/contract/kernel/masking';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { openDownload } from '@heliograph/contract/notifications/download';
import { ALL_OPERATIONS } from '@heliograph/contract/test/operations';
import pg from 'pg';
import { newKey } from '../../src/modules/api/key-material.ts';
import { writeNumbers } from '../../src/modules/contacts/export-numbers.ts';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { inboxFile } from '../../src/modules/inbox/export-inbox.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { maskedIn, maskedNumber } from '../../src/platform/database/masked-number.ts';
import { dateIn } from '../../src/platform/records/period.ts';
import { exportList } from '../../src/platform/tasks/exported-list.ts';
import { shapeOf } from '../every-resource/sample.ts';
import type { Client } from '../test-api.ts';
import { bodyOf, everythingRead, ownIds, pathOf, plain, queryOf } from './calls.ts';
import { label, tableOfPath } from './classification.ts';
import { PERSONS, spreadNumbers } from './persons-numbers.ts';
import { api, clients, LOGINS, MAKE, owner, type PlaceName } from './places.ts';
import { TENANT_FILES } from './tenant-files.ts';

// People without the right to see numbers call every reading call, have every file written, call the public API with a
// key, and listen: no whole number of a recipient or replier reaches them. All of these numbers begin alike.

for (const name of Object.keys(MAKE) as PlaceName[]) await MAKE[name]();
await spreadNumbers(owner);
const { one } = api.database;
const CALLERS = ['superadmin', ...LOGINS];
const told: string[] = [];
const listener = new pg.Client({ connectionString: api.database.url });
listener.on('notification', ({ payload }) => told.push(payload ?? ''));

const setRight = (on: boolean) =>
  owner.query("UPDATE user_account SET numbers_visible = $1 WHERE email LIKE '%@heliograph.test'", [on]);

/** Returns what a stream of events says first. */
async function beginningOf(url: string, key: string): Promise<string> {
  const end = new AbortController();
  const { body } = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal: end.signal });
  let said = '';
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    said += piece;
    if (said.includes('data: ')) break;
  }
  end.abort();
  return said;
}

/** Returns the calls among these answers that have a whole number, with the place of the number. */
const leaks = (answers: ReadonlyMap<string, string>) =>
  [...answers].flatMap(([call, answer]) => {
    const at = answer.search(PERSONS);
    return at < 0 ? [] : [`${call}: …${answer.slice(Math.max(0, at - 60), at + 40)}…`];
  });

/** Calls that fail for everybody, with the rows of this world. */
const broken = new Set<string>();
const seen = new Map<string, Set<string>>();
test('the world shows numbers of people in many calls to those who may see them', { timeout: 600_000 }, async () => {
  await listener.connect();
  await listener.query('LISTEN heliograph_events');
  for (const login of CALLERS) {
    const calls = new Set<string>();
    for (const [call, answer] of await everythingRead(login)) {
      if (PERSONS.test(answer)) calls.add(call);
      if (answer.startsWith('5')) broken.add(call);
    }
    seen.set(login, calls);
  }
  assert.ok(seen.get('superadmin')!.size >= 18, [...seen.get('superadmin')!].join('\n'));
});

test('no call shows a whole number of a person to a caller without the right', { timeout: 600_000 }, async () => {
  await setRight(false);
  const wrong: string[] = [];
  let masked = 0;
  for (const login of CALLERS) {
    const answers = await everythingRead(login);
    wrong.push(...leaks(answers));
    for (const [call, answer] of answers) {
      if (answer.startsWith('5') && !broken.has(call)) wrong.push(`${call}: ${answer.slice(0, 200)}`);
      if (seen.get(login)!.has(call) && /•{5}\d\d/.test(answer)) masked++;
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(masked >= 60, String(masked));
});

const worker = {
  pool: api.database.pool('worker'),
  database: api.database.db('worker'),
  config: api.config,
  clock: systemClock,
  log: api.log,
};
const load = (userId: number) => loadCaller(worker.database, userId);

/** Asks for the files of a call and returns their ids. */
async function askFor(login: string, o: Operation): Promise<number[]> {
  const ids = o.path.includes('/:id') ? await ownIds(login, tableOfPath(o)) : [0];
  const asked: number[] = [];
  for (const id of ids) {
    const body = (await bodyOf(login, o)) as Record<string, unknown>;
    // Days are those of the corporation.
    const day = (back: number) => dateIn('Asia/Manila', new Date(Date.now() - back * 86_400_000));
    const period = { from: day(20), to: day(0), format: 'csv' };
    const shape = shapeOf(o.body);
    for (const name of Object.keys(body)) if (!['billing_account_id'].includes(name)) delete body[name];
    for (const [name, value] of Object.entries(period)) if (name in shape) body[name] = value;
    const answer = await clients.get(login)!('POST', pathOf(o, id), body);
    if (answer.status === 202) asked.push((answer.body as { data: { id: number } }).data.id);
  }
  return asked;
}

const EXPORTS = ALL_OPERATIONS.filter((o) => o.method === 'POST' && /\/exports?$/.test(o.path));

/** Writes files and returns their contents by their calls. */
async function writeFiles(login: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const { signal } = new AbortController();
  for (const o of EXPORTS)
    for (const id of await askFor(login, o)) {
      await exportTransactions(worker, load, id, signal);
      await exportList(worker, load, [...TENANT_FILES, inboxFile], id, signal);
      await writeNumbers(worker, load, id, signal);
      const { rows } = await owner.query('SELECT state, file_path FROM download WHERE id = $1', [id]);
      if (rows[0].state !== 'done') continue;
      const name = `${login} ${label(o)} ${id}`;
      files.set(name, readFileSync(join(api.config.DATA_DIR, 'files', rows[0].file_path), 'utf8'));
    }
  return files;
}

test('no exported file has a whole number of a person, and no earlier one opens', { timeout: 600_000 }, async () => {
  await setRight(true);
  const whole = await writeFiles('corporate');
  const withNumbers = [...whole].filter(([, text]) => PERSONS.test(text)).map(([name]) => name);
  assert.ok(withNumbers.length >= 4, `${withNumbers.join()} of ${[...whole.keys()].join()}`);
  const earlier = Number(withNumbers[0]!.split(' ').at(-1));
  const client = clients.get('corporate')!;
  const { body } = await openOf(client, earlier);
  const address = (body as { data: { path: string } }).data.path;
  await setRight(false);
  const files = new Map([...(await writeFiles('corporate')), ...(await writeFiles('superadmin'))]);
  assert.deepEqual(leaks(files), []);
  assert.ok([...files.values()].filter((text) => /•{5}\d\d/.test(text)).length >= 4, [...files.keys()].join());
  const refused = (await openOf(client, earlier)).body as { success: boolean; data: unknown };
  assert.deepEqual([refused.success, refused.data], [false, null]);
  assert.equal((await api.anonymous()('GET', address)).status, 403);
});

const openOf = (client: Client, id: number) =>
  client(openDownload.method, openDownload.path.replace(':id', String(id)));

test('stored files of refused numbers do not open without the right', async () => {
  const path = 'rejects/00000000-0000-4000-8000-000000000001.csv';
  writeFileSync(join(api.config.DATA_DIR, 'files', path), 'line,number,reason\n1,639800000000,x\n');
  await owner.query('UPDATE campaign SET rejected_path = $1, rejected_count = 1', [path]);
  await owner.query('UPDATE quote SET rejected_path = $1, rejected_count = 1', [path]);
  for (const name of ['/api/v1/campaigns/:id/rejected', '/api/v1/campaigns/quotes/:id/rejected']) {
    const o = ALL_OPERATIONS.find((each) => each.path === name)!;
    const [id] = await ownIds('superadmin', tableOfPath(o));
    const answer = await clients.get('superadmin')!('GET', pathOf(o, id ?? 1));
    assert.ok([403, 404].includes(answer.status), plain(answer));
    assert.doesNotMatch(plain(answer), PERSONS);
  }
});

test('a key whose maker lacks the right reads no whole number over the public API', { timeout: 300_000 }, async () => {
  const acme = await one("SELECT id FROM corporation WHERE name = 'Acme Retail'");
  const person = await one("SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'");
  const { key, prefix, digest } = newKey('live');
  await owner.query(
    `INSERT INTO api_key (corporation_id, user_id, created_by, name, mode, prefix, digest, scopes)
     VALUES ($1, $2, $2, 'wall', 'live', $3, $4, '{messages:send,messages:read,inbound:read,events:read,inbound:write,contacts:read}')`,
    [acme, person, prefix, digest],
  );
  const program = api.anonymous(key);
  const number = await one(
    `SELECT oa FROM inbox_message WHERE corporation_id = ${acme} ORDER BY id DESC LIMIT 1`,
  ).catch(() => 0);
  const ids: Record<string, string> = {
    messages: `SELECT max(m.id) AS id FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE k.corporation_id = ${acme}`,
    conversations: `SELECT max(id) AS id FROM inbox_message WHERE corporation_id = ${acme}`,
  };
  const answers = new Map<string, string>();
  for (const o of PUBLIC_OPERATIONS.filter((each) => each.method === 'GET' && each.media === null)) {
    const kind = o.path.split('/')[2]!;
    const id = o.path.includes(':id') ? (ids[kind] ? await one(ids[kind]) : 1) : 0;
    const query = o.path === '/v1/consents' ? `?number=${number}` : '';
    answers.set(o.path, plain(await program('GET', o.path.replace(':id', String(id)) + query)));
  }
  answers.set('stream', await beginningOf(`${api.url}${streamEvents.path}`, key));
  const sent = await program('POST', '/v1/messages/estimate', { to: ['639800000001'], text: 'Hello', from: 'ACME' });
  answers.set('estimate', plain(sent));
  assert.deepEqual(leaks(answers), []);
  assert.ok([...answers.values()].filter((text) => /•{5}\d\d/.test(text)).length >= 3, [...answers].join('\n'));
});

test('no live event has a number of a person', async () => {
  const client = clients.get('corporate')!;
  const list = (await ownIds('corporate', 'number_list'))[0]!;
  await client('POST', '/api/v1/numbers', { number_list_id: list, number: '639800000017' });
  await client('POST', `/api/v1/number-lists/${list}/exports`, {});
  await listener.query('SELECT 1');
  assert.ok(told.length > 0);
  assert.deepEqual(
    told.filter((payload) => PERSONS.test(payload)),
    [],
  );
  await listener.end();
});

test('the database masks a number in files as the contract does', async () => {
  const numbers = ['4141', '123456', '1234567', '12345678', '12025550123', '639171234567', '639171234567890', 'ACME'];
  const { rows } = await owner.query(
    `SELECT n, ${maskedNumber('n')} AS mask, ${maskedIn("'To ' || n", 'n')} AS text FROM unnest($1::text[]) AS n`,
    [numbers],
  );
  assert.equal(rows.length, numbers.length);
  for (const { n, mask, text } of rows) assert.deepEqual([mask, text], [maskNumber(n), `To ${maskNumber(n)}`]);
});

test('masked numbers are found only as a whole, and lists are not ordered by them', async () => {
  const client = clients.get('superadmin')!;
  const wrong: string[] = [];
  let tried = 0;
  for (const o of ALL_OPERATIONS.filter((each) => each.method === 'GET' && 'search' in shapeOf(each.query))) {
    const ids = o.path.includes('/:id') ? await ownIds('superadmin', tableOfPath(o)) : [0];
    for (const id of ids) {
      const found = async (search: string) =>
        plain(await client('GET', pathOf(o, id) + (await queryOf('superadmin', o, { search }))));
      if ((await found('63980')) !== (await found('639809999999999'))) wrong.push(label(o));
      tried++;
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(tried > 15, String(tried));
  for (const path of ['blacklist-numbers', 'opt-outs', 'consents', 'contacts'])
    assert.equal((await client('GET', `/api/v1/${path}?sort=number`)).status, 422, path);
});

test('a masked number is refused where a number is saved', async () => {
  const client = clients.get('corporate')!;
  const [id] = await ownIds('corporate', 'blacklist_number');
  for (const number of [maskNumber('639800000001'), '+63980•••••01']) {
    const { status, body } = await client('PATCH', `/api/v1/blacklist-numbers/${id}`, { number });
    assert.equal(status, 422);
    assert.deepEqual(Object.keys((body as { errors: object }).errors), ['number']);
  }
});
