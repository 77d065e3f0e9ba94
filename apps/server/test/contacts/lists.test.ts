import assert from 'node:assert/strict';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { listJob } from '@heliograph/contract/contacts/list-job';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { z } from 'zod';
import { optIn, optOut } from '#modules/contacts';
import { systemClock } from '#platform/clock';
import { filePath, keepDraft, newDraft, newFile } from '#platform/files';
import { endLostWork } from '../../src/modules/contacts/end-lost-work.ts';
import { importRetention } from '../../src/modules/contacts/import-calls.ts';
import { removeOldFiles } from '../../src/modules/contacts/remove-old-files.ts';
import { runListJob } from '../../src/modules/contacts/run-list-job.ts';
import { removeOld } from '../../src/platform/retention.ts';
import { startWorker } from '../../src/processes/worker.ts';
import { type Answer, type Client, startTestApi } from '../test-api.ts';
import { uploadFile } from '../uploads.ts';
import { bookOf, sharedBomb } from './table-file.ts';

const api = await startTestApi({ after });
const worker = await startWorker({ config: api.config, log: api.log });
after(() => worker.stop());
const owner = api.database.pool('owner');
const [corporate, harbor, readonly] = await Promise.all(
  ['corporate', 'corporate@harbor.test', 'readonly'].map((login) => api.as(login)),
);
if (!corporate || !harbor || !readonly) throw new Error('nobody signed in');

type Row = { id: number } & Record<string, unknown>;
type Job = z.output<typeof listJob>;
const dataOf = ({ body }: Answer) => (body as { data: Row }).data;
const codeOf = ({ body }: Answer) => (body as { code?: string }).code;
const one = async (text: string, values: unknown[] = []): Promise<number> =>
  (await owner.query<{ id: number }>(text, values)).rows[0]!.id;
const corporation_id = await one(`SELECT id FROM corporation WHERE name = 'Acme Retail'`);
const department_id = await one(`SELECT id FROM department WHERE corporation_id = $1 ORDER BY id LIMIT 1`, [
  corporation_id,
]);
const foreignList = await one(
  `SELECT l.id FROM number_list l JOIN corporation c ON c.id = l.corporation_id WHERE c.name = 'Blue Harbor Bank' LIMIT 1`,
);
const at = (i: number) => `63917${String(i).padStart(7, '0')}`;

let made = 0;
/** Creates a list with the numbers of these indexes; every third one has the tag Gold. */
async function listOf(places: readonly number[]): Promise<number> {
  const list = dataOf(
    await corporate!('POST', '/api/v1/number-lists', { name: `Lot ${++made}`, corporation_id, department_id }),
  );
  await owner.query(
    `INSERT INTO number_list_number (number_list_id, number, name, param1)
     SELECT $1, number, 'Name ' || number, CASE WHEN place % 3 = 0 THEN 'Gold' ELSE 'Silver' END
     FROM unnest($2::text[], $3::int[]) AS u(number, place)`,
    [list.id, places.map(at), places],
  );
  await owner.query('UPDATE number_list SET numbers_count = $2 WHERE id = $1', [list.id, places.length]);
  return list.id;
}
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const numbersOf = async (list: number) =>
  (
    await owner.query<{ number: string }>(
      'SELECT number FROM number_list_number WHERE number_list_id = $1 ORDER BY number',
      [list],
    )
  ).rows.map(({ number }) => number);
const countOf = (list: number) => one('SELECT numbers_count AS id FROM number_list WHERE id = $1', [list]);
const page = async (list: number, query: string, client: Client = corporate!) => {
  const { body } = await client('GET', `/api/v1/numbers?number_list_id=${list}&${query}`);
  return body as { data: Row[]; meta: { total: number } };
};
/** Starts a job on a list and waits for its end. */
async function done(list: number, body: object): Promise<Job> {
  const started = await corporate!('POST', `/api/v1/number-lists/${list}/jobs`, body);
  assert.equal(started.status, 202, JSON.stringify(started.body));
  const { id } = dataOf(started);
  for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
    const job = dataOf(await corporate!('GET', `/api/v1/list-jobs/${id}`)) as unknown as Job;
    if (job.finished_at) return job;
    assert.ok(Date.now() < deadline, job.state);
  }
}

test('numbers are found by the start of number or name, by tag, and by opt-out', async () => {
  const list = await listOf(range(0, 60));
  await optOut(owner, { corporation_id, number: at(7), source: 'message', at: new Date(), message: 'STOP' });
  assert.equal((await page(list, 'per_page=10')).meta.total, 60);
  assert.equal((await page(list, `search=${at(1).slice(0, 11)}`)).meta.total, 10);
  assert.equal((await page(list, `search=0917 000 001`)).meta.total, 10, 'as it is dialled at home');
  assert.equal((await page(list, `search=%2B${at(12)}`)).data[0]!['number'], at(12));
  assert.equal((await page(list, `search=name 63917000005`)).meta.total, 10);
  assert.equal((await page(list, 'search=100%25')).meta.total, 0);
  assert.equal((await page(list, 'param1=Gold')).meta.total, 20);
  assert.equal((await page(list, 'param1=Gold&search=name 63917000000')).meta.total, 4);
  assert.deepEqual(
    (await page(list, 'opted_out=true')).data.map(({ number }) => number),
    [at(7)],
  );
  assert.equal((await page(list, 'sort=-number')).data[0]!['number'], at(59));
  assert.equal((await page(foreignList, '')).data.length, 0);
});

test('counts stay right after numbers are copied, moved, merged or deleted', async () => {
  const [a, b, c] = [await listOf(range(0, 30)), await listOf(range(20, 50)), await listOf([])];
  const copied = await done(a, { kind: 'copy', target_list_id: c, selection: { param1: 'Gold' } });
  assert.deepEqual([copied.state, copied.rows_total, copied.rows_done, copied.rows_changed], ['done', 10, 10, 10]);
  assert.equal(await countOf(c), 10);
  const moved = await done(a, { kind: 'move', target_list_id: c, selection: { search: at(0).slice(0, 11) } });
  assert.deepEqual([moved.rows_total, moved.rows_changed, await countOf(a), await countOf(c)], [10, 6, 20, 16]);
  const merged = await done(c, { kind: 'merge', list_ids: [a, b], delete_lists: true });
  assert.deepEqual([merged.rows_total, await countOf(c)], [50, 50]);
  assert.deepEqual(await numbersOf(c), range(0, 50).map(at));
  assert.equal((await corporate!('GET', `/api/v1/number-lists/${a}`)).status, 404);
  const other = await listOf(range(40, 60));
  const cleaned = await done(c, { kind: 'deduplicate', list_ids: [other] });
  assert.deepEqual([cleaned.rows_changed, await countOf(c), await countOf(other)], [10, 40, 20]);
  const { data } = await page(c, 'per_page=5');
  const deleted = await done(c, { kind: 'delete', selection: { ids: data.map(({ id }) => id) } });
  assert.deepEqual([deleted.rows_changed, await countOf(c), (await numbersOf(c)).length], [5, 35, 35]);
  const { rows } = await owner.query(
    `SELECT description FROM activity_log WHERE name = 'number-lists' AND subject_id = $1 ORDER BY id`,
    [c],
  );
  assert.deepEqual(
    rows.map(({ description }) => description),
    ['created', 'merge', 'deduplicate', 'delete'],
  );
});

test('a list job needs the rights for its work, and stays in its corporation', async () => {
  const list = await listOf(range(0, 3));
  const ask = async (client: Client, id: number, body: object) =>
    client('POST', `/api/v1/number-lists/${id}/jobs`, body);
  assert.equal((await ask(corporate!, list, { kind: 'copy', target_list_id: foreignList })).status, 422);
  assert.equal((await ask(corporate!, list, { kind: 'merge', list_ids: [foreignList] })).status, 422);
  assert.equal((await ask(corporate!, list, { kind: 'merge', list_ids: [list] })).status, 422);
  assert.equal((await ask(corporate!, list, { kind: 'copy' })).status, 422);
  assert.equal((await ask(corporate!, foreignList, { kind: 'delete' })).status, 404);
  assert.equal((await ask(harbor!, list, { kind: 'delete' })).status, 404);
  assert.equal((await ask(readonly!, list, { kind: 'delete' })).status, 403);
  const id = (await done(list, { kind: 'delete', selection: { search: 'nobody' } })).id;
  assert.equal((await harbor!('GET', `/api/v1/list-jobs/${id}`)).status, 404);
});

test('a worker that dies changes no list, and the retry does the work once', async () => {
  const [from, to] = [await listOf(range(0, 40)), await listOf(range(30, 50))];
  const id = await one(
    `INSERT INTO list_job (corporation_id, number_list_id, user_id, kind, parameters)
     SELECT $1, $2, id, 'move', $3 FROM user_account WHERE email = 'corporate@heliograph.test' RETURNING id`,
    [corporation_id, from, JSON.stringify({ target_list_id: to, list_ids: [], delete_lists: false, selection: {} })],
  );
  const died = Object.assign(new Error('terminating connection'), { code: '57P01' });
  const parts = { database: api.database.db('worker'), log: api.log };
  const dying = {
    ...parts,
    clock: {
      now: () => {
        throw died;
      },
    },
  };
  await assert.rejects(runListJob(dying, id, new AbortController().signal), died);
  assert.deepEqual([await countOf(from), await countOf(to)], [40, 20]);
  for (let i = 0; i < 2; i++) await runListJob({ ...parts, clock: systemClock }, id, new AbortController().signal);
  assert.deepEqual([await countOf(from), await countOf(to)], [0, 50]);
  assert.deepEqual(await numbersOf(to), range(0, 50).map(at));
});

test('exports of lists and opt-outs are safe for spreadsheets', async () => {
  const list = await listOf(range(0, 3));
  await owner.query(
    `UPDATE number_list_number SET name = '=1+1', param1 = '@x' WHERE number_list_id = $1 AND number = $2`,
    [list, at(1)],
  );
  const fetched = async (path: string, body?: object) => {
    const { status, body: answer } = await corporate!('POST', path, body ?? {});
    assert.equal(status, 202);
    const { id } = (answer as { data: Row }).data;
    for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
      const opened = (await corporate!('GET', `/api/v1/queue-download-unread-file/${id}`)).body as {
        success: boolean;
        data: { path: string };
      };
      if (opened.success)
        return parse(String((await corporate!('GET', opened.data.path)).body), { bom: true }) as string[][];
      assert.ok(Date.now() < deadline);
    }
  };
  const numbers = await fetched(`/api/v1/number-lists/${list}/exports`, { selection: { search: at(1) } });
  assert.deepEqual(
    numbers.map((row) => row.slice(0, 3)),
    [
      ['number', 'name', 'param1'],
      [at(1), "'=1+1", "'@x"],
    ],
  );
  await optOut(owner, { corporation_id, number: at(900), source: 'message', at: new Date(), message: '=cmd' });
  const outs = await fetched('/api/v1/opt-outs/exports');
  const row = outs.find(([number]) => number === at(900))!;
  assert.ok(row.includes("'=cmd") && row.includes('Acme Retail'));
  assert.ok(!outs.some((each) => each.includes('Blue Harbor Bank')));
});

test('an opt-out ends only by START, or by its deletion if a person noted it', async () => {
  const number = at(500);
  await optOut(owner, {
    corporation_id,
    number: `+${number}`,
    source: 'message',
    at: new Date(),
    message: 'Stop pls',
    keyword: 'STOP',
    recipient: '2929',
  });
  const list = await listOf([]);
  await corporate!('POST', '/api/v1/numbers', { number_list_id: list, number });
  assert.equal((await page(list, '')).data[0]!['opted_out'], true);
  const { upload } = await uploadFile(
    corporate!,
    `opt-outs/bulk?corporation_id=${corporation_id}`,
    `number,opted_out_at,note\n${number},2020-01-01,again\n${at(501)},2024-05-31,from CRM\n${at(502)},soon,x\n+63 917 0000 503,,\n`,
  );
  assert.deepEqual([upload.state, upload.rows_added, upload.rows_rejected], ['done', 2, 1]);
  const found = (await corporate!('GET', `/api/v1/opt-outs?search=${number}`)).body as { data: Row[] };
  const { message, keyword, recipient, source, active, abilities } = found.data[0]!;
  assert.deepEqual([message, keyword, recipient, source, active], ['Stop pls', 'STOP', '2929', 'message', true]);
  assert.deepEqual(abilities, { edit: true, delete: false });
  assert.equal(codeOf(await corporate!('DELETE', `/api/v1/opt-outs/${found.data[0]!.id}`)), 'opt_out_kept');
  assert.equal(codeOf(await corporate!('POST', '/api/v1/opt-outs', { corporation_id, number })), 'already_opted_out');
  const noted = dataOf(
    await corporate!('POST', '/api/v1/opt-outs', { corporation_id, number: at(504), note: 'by phone' }),
  );
  assert.equal((await corporate!('DELETE', `/api/v1/opt-outs/${noted.id}`)).status, 200);
  assert.equal(dataOf(await corporate!('GET', `/api/v1/opt-outs/${noted.id}`))['active'], false);
  assert.equal((await harbor!('GET', `/api/v1/opt-outs/${noted.id}`)).status, 404);
  assert.equal((await readonly!('DELETE', `/api/v1/opt-outs/${noted.id}`)).status, 403);
  assert.equal(await optIn(owner, { corporation_id, number, at: new Date(), message: 'START' }), true);
  assert.equal((await page(list, '')).data[0]!['opted_out'], false);
  assert.equal(await optOut(owner, { corporation_id, number, source: 'message', at: new Date() }), true, 'and again');
});

test('forty spellings of a number are one number', async () => {
  const rules = { min: 10, max: 13, start: '63', start_with_any_msisdn: false };
  const marks = [' ', '-', '\u00a0', '\u2009', '\u2011', '\u2013', '\u200b', '\u200e', '\u202a', '\ufeff', ''];
  const spelling = fc.tuple(
    fc.constantFrom('', '+', '00', ' + ', '\u200e+', '\u202a+'),
    fc.array(fc.constantFrom(...marks), { minLength: 12, maxLength: 12 }),
    fc.boolean(),
  );
  const number = fc.integer({ min: 0, max: 9_999_999 }).map((i) => at(i));
  fc.assert(
    fc.property(number, fc.array(spelling, { minLength: 40, maxLength: 40 }), (digits, spellings) => {
      for (const [prefix, between, wide] of spellings) {
        const written =
          prefix +
          [...digits]
            .map((digit, i) => (wide ? String.fromCharCode(digit.charCodeAt(0) + 0xfee0) : digit) + between[i])
            .join('');
        assert.equal(checkNumber(written, rules).msisdn, digits, JSON.stringify(written));
      }
    }),
    { numRuns: 50 },
  );
  const list = await listOf([]);
  const add = (written: string) => corporate!('POST', '/api/v1/numbers', { number_list_id: list, number: written });
  assert.equal((await add(at(77))).status, 201);
  const again = await add(`+63 (917) 000\u201300-77`);
  assert.equal((again.body as { message: string }).message, 'Number(s) already added');
});

test('decimal numbers are read alike in lists, opt-outs, blacklists and fields', async () => {
  const [whole, split] = [(i: number) => `${at(i)}.0`, (i: number) => `${at(i).slice(0, 8)}.${at(i).slice(8)}`];
  const file = `number\n${whole(820)}\n${split(821)}\n`;
  const list = await listOf([]);
  const form = new FormData();
  form.append('file', new Blob([file]), 'pandas.csv');
  const sent = await corporate!('POST', `/api/v1/number-lists/${list}/imports`, form);
  assert.equal(sent.status, 202, JSON.stringify(sent.body));
  let imported = dataOf(sent);
  while (imported['finished_at'] === null) {
    await sleep(50);
    imported = dataOf(await corporate!('GET', `/api/v1/imports/${imported.id}`));
  }
  assert.deepEqual([imported['rows_added'], imported['rows_rejected']], [1, 1]);
  assert.deepEqual(await numbersOf(list), [at(820)]);
  const report = String((await corporate!('GET', `/api/v1/imports/${imported.id}/errors`)).body);
  assert.match(report, /\bdot\b/);
  for (const address of [
    `opt-outs/bulk?corporation_id=${corporation_id}`,
    `blacklist-numbers/bulk?corporation_id=${corporation_id}&channel=all`,
  ]) {
    const { upload, refused } = await uploadFile(corporate!, address, file);
    assert.deepEqual([upload.rows_added, upload.rows_rejected], [1, 1], address);
    assert.deepEqual(refused[0]?.[2], split(821));
    assert.match(refused[0]?.[3] ?? '', /dot/);
  }
  const stored = await owner.query<{ number: string }>(
    `SELECT number FROM opt_out WHERE number LIKE $1 UNION ALL SELECT number FROM blacklist_number WHERE number LIKE $1`,
    [`${at(820)}%`],
  );
  assert.deepEqual(stored.rows, [{ number: at(820) }, { number: at(820) }]);
  const add = (number: string) => corporate!('POST', '/api/v1/numbers', { number_list_id: list, number });
  assert.equal(dataOf(await add(whole(822)))['number'], at(822));
  assert.equal((await add(split(823))).status, 422);
  const phone = async (value: string) => (await corporate!('PATCH', '/api/v1/profiles', { phone: value })).status;
  assert.equal(await phone(split(824)), 422);
  assert.equal(await phone(whole(824)), 200);
  const mine = await owner.query('SELECT 1 FROM user_account WHERE phone = $1', [at(824)]);
  assert.equal(mine.rowCount, 1);
});

test('imports read and count national numbers, and reject them if reading is off', async () => {
  const file = `number\n0${at(830).slice(2)}\n${at(831).slice(2)}\n${at(832)}\n14155550100\n`;
  const imported = async (query: string) => {
    const list = await listOf([]);
    const form = new FormData();
    form.append('file', new Blob([file]), 'home.csv');
    let row = dataOf(await corporate!('POST', `/api/v1/number-lists/${list}/imports${query}`, form));
    while (row['finished_at'] === null) {
      await sleep(50);
      row = dataOf(await corporate!('GET', `/api/v1/imports/${row.id}`));
    }
    return [row['rows_added'], row['rows_national'], row['rows_rejected'], await numbersOf(list)];
  };
  assert.deepEqual(await imported(''), [3, 2, 1, [at(830), at(831), at(832)]]);
  assert.deepEqual(await imported('?read_national=false'), [1, 0, 3, [at(832)]]);
  const { upload } = await uploadFile(corporate!, `opt-outs/bulk?corporation_id=${corporation_id}`, file);
  assert.deepEqual([upload.rows_added, upload.rows_national, upload.rows_rejected], [3, 2, 1]);
});

test('the API keeps answering while sixteen workbooks inflate to 250 MB each', async () => {
  const bomb = new Uint8Array(bookOf(Buffer.from('<worksheet/>'), sharedBomb()));
  assert.ok(bomb.length < 300_000);
  const before = process.memoryUsage().rss;
  let most = 0;
  let over = false;
  const uploads = Promise.all(
    range(0, 16).map((i) => {
      const form = new FormData();
      form.append('file', new Blob([bomb]), `bomb-${i}.xlsx`);
      return corporate!('POST', '/api/v1/campaigns/files', form);
    }),
  ).finally(() => {
    over = true;
  });
  let answers = 0;
  while (!over) {
    assert.equal((await harbor!('GET', '/api/v1/profiles')).status, 200);
    most = Math.max(most, process.memoryUsage().rss - before);
    answers++;
    await sleep(20);
  }
  assert.deepEqual([...new Set((await uploads).map(codeOf))], ['workbook_too_large']);
  assert.ok(answers > 16, `${answers} answers meanwhile`);
  assert.ok(most < 150e6, `${Math.round(most / 1e6)} MB`);
});

test('an import whose job is lost fails, and files no longer needed are deleted', async () => {
  const list = await listOf([]);
  const { config } = api;
  const parts = { database: api.database.db('worker'), config, clock: systemClock };
  const [lost, report, orphan, kept] = [
    newFile('uploads', 'bin'),
    newFile('rejects', 'csv'),
    newFile('uploads', 'bin'),
    newFile('uploads', 'bin'),
  ];
  for (const path of [lost, report, orphan, kept]) {
    writeFileSync(await newDraft(config, path), 'x');
    await keepDraft(config, path);
  }
  const old = new Date(Date.now() - 3 * 86_400_000);
  for (const path of [orphan, kept]) utimesSync(filePath(config, path), old, old);
  const add = (state: string, path: string, finished: string | null, created: string) =>
    one(
      `INSERT INTO import (corporation_id, number_list_id, user_id, file_name, file_path, file_sha256, bytes_total, state,
       error_path, rows_rejected, finished_at, created_at) SELECT $1, $2, id, 'x.csv', $3, $3, 1, $4, $5, 1, $6, $7
       FROM user_account WHERE email = 'corporate@heliograph.test' RETURNING id`,
      [corporation_id, list, path, state, report, finished, created],
    );
  const running = await add('running', lost, null, new Date(Date.now() - 3_600_000).toISOString());
  const fresh = await add('running', kept, null, new Date().toISOString());
  const past = await add('done', 'uploads/gone', '2020-01-02', '2020-01-01');
  const kinds = [
    { table: 'import', jobs: [{ name: 'import-numbers' }], field: 'import_id', event: 'import.progress' },
  ] as const;
  await endLostWork(parts, kinds);
  const stateOf = async (id: number) =>
    (await owner.query('SELECT state, error_code, error_path FROM import WHERE id = $1', [id])).rows[0];
  assert.deepEqual([(await stateOf(running)).state, (await stateOf(running)).error_code], ['failed', 'internal_error']);
  assert.equal((await stateOf(fresh)).state, 'running');
  assert.equal(existsSync(filePath(config, lost)), false);
  await removeOld(parts, [importRetention], new AbortController().signal);
  await removeOldFiles(parts, new AbortController().signal);
  assert.equal((await stateOf(past)).error_path, null);
  assert.deepEqual(
    [report, orphan, kept].map((path) => existsSync(filePath(config, path))),
    [false, false, true],
  );
});
