import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { exportTransactions as exportCall, transactions } from '@heliograph/contract/reports/transaction';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { writeNumbers } from '../../src/modules/contacts/export-numbers.ts';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { draftPath, filePath } from '../../src/platform/files/files.ts';
import { startTestApi } from '../test-api.ts';
import { abortedAt } from './exported-file.ts';
import { makeTraffic } from './made-traffic.ts';
import { all, DAY, now, week } from './transaction-pages.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');

const database = api.database.db('worker');
const worker = { pool: api.database.pool('worker'), database, config: api.config, clock: systemClock, log: api.log };
const load = (userId: number) => loadCaller(database, userId);
const run = (id: number, signal = new AbortController().signal) => exportTransactions(worker, load, id, signal);

async function ask(login: string, body: object, cookie?: string): Promise<number> {
  const client = await api.as(login);
  const { status, body: reply } = await client('POST', '/api/v1/transactions/exports', body, cookie ? { cookie } : {});
  assert.equal(status, 202, JSON.stringify(reply));
  const { data } = exportCall.reply.parse(reply);
  assert.equal(data.state, 'queued');
  return data.id;
}

const rowOf = async (id: number) => (await owner.query('SELECT * FROM download WHERE id = $1', [id])).rows[0];

async function read(id: number): Promise<Record<string, string>[]> {
  const row = await rowOf(id);
  assert.equal(row.state, 'done');
  const path = join(api.config.DATA_DIR, 'files', row.file_path);
  assert.equal(statSync(path).size, row.size);
  const lines: Record<string, string>[] = parse(readFileSync(path), { columns: true, bom: true });
  assert.equal(lines.length, row.rows);
  return lines;
}

test('a file holds exactly the messages that the report lists, in their order', async () => {
  const client = await api.as('corporate');
  const id = await ask('corporate', { ...week, number: '63917000' });
  const { rows } = await owner.query("SELECT data FROM jobs.job WHERE name = 'export-transactions'");
  assert.deepEqual(
    rows.map((row) => row.data),
    [{ download_id: id }],
  );
  await run(id);
  const lines = await read(id);
  const listed = [];
  let cursor = '';
  do {
    const query = new URLSearchParams({ ...week, number: '63917000', limit: '200', ...(cursor && { cursor }) });
    const reply = transactions.reply.parse((await client('GET', `/api/v1/transactions?${query}`)).body);
    listed.push(...reply.data);
    cursor = reply.next_cursor ?? '';
  } while (cursor);
  assert.ok(lines.length > 2_000);
  const time = (instant: string | null) =>
    instant && new Date(Date.parse(instant) + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  assert.deepEqual(
    lines.map((line) => [line['Number'], line['Text'], line['Charge'], line['Created'], line['Parts']]),
    listed.map((row) => [row.number, row.text, row.charge, time(row.created_at), String(row.parts)]),
  );
});

test('no cell of a file begins as a formula, and numbers stay numbers', async () => {
  const leads = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠', '|', '%'];
  const ids = await makeTraffic(owner, {
    corporation: 'Green Valley Clinic',
    at: new Date(now - DAY),
    messages: leads.map((lead) => ({ name: `${lead}1+1`, text: `${lead}cmd|' /C calc'!A0, "quoted"`, answers: [0] })),
  });
  await owner.query("UPDATE campaign SET name = '=HYPERLINK(1)' WHERE name = 'Clinic hours'");
  const id = await ask('corporate@valley.test', week);
  await run(id);
  const lines = await read(id);
  for (const line of lines)
    for (const value of Object.values(line)) assert.ok(!leads.some((lead) => value.startsWith(lead)), value);
  const made = lines.filter((line) => line['Sender ID'] === 'MADE').reverse();
  assert.equal(made.length, ids.length);
  for (const [i, lead] of leads.entries()) {
    assert.equal(made[i]!['Name'], `'${lead}1+1`);
    assert.equal(made[i]!['Text'], `'${lead}cmd|' /C calc'!A0, "quoted"`);
    assert.match(made[i]!['Number']!, /^\d+$/);
    assert.equal(made[i]!['Charge'], '0.350');
  }
  assert.ok(lines.some((line) => line['Campaign'] === "'=HYPERLINK(1)"));
});

test('a file follows the requester’s scope at the time it is written', async () => {
  const own = await ask('user', week);
  await run(own);
  const users = new Set((await read(own)).map((line) => line['User']));
  assert.deepEqual(users, new Set(['Acme marketing user']));

  const foreign = await ask('reseller', week);
  await run(foreign);
  const corporations = new Set((await read(foreign)).map((line) => line['Corporation']));
  assert.deepEqual(corporations, new Set(['Acme Retail']));

  const { rows } = await owner.query("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'");
  const chosen = await ask('corporate', { ...week, corporation_id: rows[0].id });
  await run(chosen);
  assert.deepEqual(await read(chosen), []);

  const hidden = await ask('department', week);
  await owner.query("UPDATE user_account SET content_visible = false WHERE email = 'department@heliograph.test'");
  await run(hidden);
  assert.deepEqual(new Set((await read(hidden)).map((line) => line['Text'])), new Set(['']));
});

test('a person who lost the right to export before the file is written gets none', async () => {
  for (const change of [
    'enabled = false',
    "enabled = true, role_id = (SELECT id FROM role WHERE name = 'read_only_user')",
  ]) {
    const id = await ask('corporate@harbor.test', week);
    await owner.query(`UPDATE user_account SET ${change} WHERE email = 'corporate@harbor.test'`);
    await run(id);
    const { state, file_path } = await rowOf(id);
    assert.deepEqual([state, file_path], ['failed', null], change);
    await owner.query(`UPDATE user_account SET enabled = true,
      role_id = (SELECT id FROM role WHERE name = 'corporate_admin') WHERE email = 'corporate@harbor.test'`);
  }
  const { status } = await (await api.as('readonly'))('POST', '/api/v1/transactions/exports', week);
  assert.equal(status, 403);
});

test('numbers and opt-outs are written only for people who may still have them', async () => {
  const client = await api.as('corporate@harbor.test');
  const write = async (id: number) => {
    await writeNumbers(worker, load, id, new AbortController().signal);
    return rowOf(id);
  };
  const asked = async () => {
    const { status, body } = await client('POST', '/api/v1/opt-outs/exports', {});
    assert.equal(status, 202, JSON.stringify(body));
    return (body as { data: { id: number } }).data.id;
  };
  assert.equal((await write(await asked())).state, 'done');
  const id = await asked();
  await owner.query("UPDATE user_account SET enabled = false WHERE email = 'corporate@harbor.test'");
  const { state, file_path } = await write(id);
  assert.deepEqual([state, file_path], ['failed', null]);
});

test('the next worker continues the file of a dead one at its last saved point', async () => {
  const whole = await ask('superadmin', week);
  await run(whole);
  const id = await ask('superadmin', week);
  // When it is stopped, it has written more than it reported: two saved points are a second apart.
  await assert.rejects(exportTransactions(worker, load, id, abortedAt(3), 500), /stopped/);
  const cut = await rowOf(id);
  assert.equal(cut.state, 'running');
  const path = draftPath(api.config, cut.file_path);
  assert.ok(statSync(path).size > cut.reached.octets);
  // A worker that began again would overwrite this mark.
  const marked = openSync(path, 'r+');
  writeSync(marked, 'X', 3);
  closeSync(marked);
  await run(id);
  const done = await rowOf(id);
  assert.notEqual(done.file_path, cut.file_path, 'each attempt has a file of its own');
  assert.ok(!existsSync(path), 'nothing is left of the first one');
  const complete = readFileSync(join(api.config.DATA_DIR, 'files', (await rowOf(whole)).file_path));
  complete.write('X', 3);
  assert.ok(
    readFileSync(filePath(api.config, done.file_path)).equals(complete),
    'no line is missing, twice there or torn',
  );
  await run(id);
  assert.deepEqual(await rowOf(id), done, 'a finished download is left alone');
});

test('a workbook has the contents of the text file and is rewritten after a crash', async () => {
  const text = await ask('corporate', week);
  await run(text);
  const lines = await read(text);
  const id = await ask('corporate', { ...week, format: 'xlsx' });
  await assert.rejects(run(id, abortedAt(1)), /stopped/);
  await run(id);
  const row = await rowOf(id);
  assert.deepEqual([row.state, row.rows, row.download_file.slice(-5)], ['done', lines.length, '.xlsx']);
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(join(api.config.DATA_DIR, 'files', row.file_path));
  const rows: string[][] = [];
  const textOf = (cell: unknown) =>
    cell instanceof Date ? cell.toISOString().slice(0, 19).replace('T', ' ') : String(cell ?? '');
  book.worksheets[0]!.eachRow((each) =>
    rows.push(Array.from({ length: Object.keys(lines[0]!).length }, (_, at) => textOf(each.getCell(at + 1).value))),
  );
  assert.deepEqual(rows[0], Object.keys(lines[0]!));
  assert.equal(rows.length, lines.length + 1);
  for (const [i, line] of lines.entries())
    assert.deepEqual(
      rows[i + 1]!.map((cell) => (/^[\d.]+$/.test(cell) ? String(Number(cell)) : cell)),
      Object.values(line).map((cell) => (/^[\d.]+$/.test(cell) ? String(Number(cell)) : cell)),
    );
});

test('headings and states are in the reader’s language', async () => {
  const id = await ask('corporate', week, 'locale=zh');
  await run(id);
  const [first] = await read(id);
  assert.ok('號碼' in first! && '狀態' in first);
  assert.ok(!/[a-z]/i.test(first!['狀態']!), first!['狀態']);
});

test('a filter by network follows lookups and the prefixes of each message’s time', async () => {
  const { database } = api;
  const globe = await database.one<number>("SELECT id FROM network WHERE country = 'PH' AND name = 'Globe'");
  const smart = await database.one<number>("SELECT id FROM network WHERE country = 'PH' AND name = 'Smart'");
  // The table that ships is in force from the start of this test; a test cannot wait for days.
  await owner.query("UPDATE network_version SET in_force_at = now() - interval '9 days'");
  await owner.query(
    `SELECT set_network_prefixes(jsonb_build_object($1::bigint, array_remove(prefixes, '63917')), 'form') FROM network_row WHERE id = $1`,
    [globe],
  );
  await owner.query('UPDATE network_version SET in_force_at = $1 WHERE version > 1', [
    new Date(now - 3 * DAY).toISOString(),
  ]);
  const made = (days: number) =>
    makeTraffic(owner, {
      corporation: 'Northwind Telecom',
      at: new Date(now - days * DAY),
      messages: ['639171234567', '639181234567', '639171234568', '12025550123'].map((msisdn) => ({ msisdn })),
    });
  const [old, late] = [await made(4), await made(2)];
  for (const ids of [old, late])
    await owner.query('UPDATE chunk SET ported = $2 WHERE id = $1::bigint >> 10', [ids[0], [0, smart]]);
  const northwind = await database.idOf('corporation', 'Northwind Telecom');
  for (const [network_id, wanted] of [
    [globe, [old[2]]],
    [smart, [late[1], late[0], old[1], old[0]]],
  ] as const) {
    const filters = { ...week, corporation_id: northwind, network_id };
    const listed = await all(await api.as('superadmin'), filters);
    assert.deepEqual(
      listed.map(({ id }) => id),
      wanted,
    );
    const id = await ask('superadmin', filters);
    await run(id);
    assert.deepEqual(
      (await read(id)).map((line) => line['Number']),
      listed.map(({ number }) => number),
    );
  }
});
