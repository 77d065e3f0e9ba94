import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { findSegments } from '../../src/modules/delivery/outcomes/find-segments.ts';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { closeDay, closeDays } from '../../src/modules/reports/close-days.ts';
import { exportTransactions } from '../../src/modules/reports/export-transactions.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createDatabase, createPool } from '../../src/platform/database/db.ts';
import { apiStage } from '../api/stage.ts';
import { lastDays } from './counted-figures.ts';
import { makeEveryOutcome } from './every-outcome.ts';
import { addPacks, type PackedChunk, writeSmallPacks } from './packs.ts';
import { readerOf } from './report-reader.ts';

const DAY_MS = 86_400_000;
const t = await apiStage({ after });
const owner = t.api.database.pool('owner');
const worker = t.api.database.db('worker');
const closing: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closing.reverse()) await close();
});
const batch = await makeEveryOutcome(t, closing);
const { get, all } = readerOf(t.api);
const never = new AbortController().signal;

const rowsOf = async (text: string) => (await owner.query(text)).rows;
/** Chunks of the newest day with messages, which is closed. */
const chunks = (await rowsOf(
  'SELECT id, corporation_id, link_id FROM chunk WHERE id >> 28 = (SELECT max(id) >> 28 FROM chunk) ORDER BY id',
)) as PackedChunk[];

const day = Math.floor(chunks[0]!.id / 2 ** 28) * DAY_MS;
const today = new Date(day).toISOString().slice(0, 10);

// Killed copies leave dead rows behind. The open partitions have room for as many, so that the copies are the smaller ones.
for (const parent of ['answer_pack', 'receipt_pack']) {
  const name = `${parent}_${today.replaceAll('-', '')}`;
  await owner.query(
    `INSERT INTO ${name} (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, ${parent === 'answer_pack' ? 'id_hashes' : 'sizes, raw'})
     SELECT $1, $2, $3, now(), 1, 1, 'killed', ${parent === 'answer_pack' ? "'{1}'" : "1, ''"} FROM generate_series(1, 20000)`,
    [chunks[0]!.id, chunks[0]!.corporation_id, chunks[0]!.link_id],
  );
  await owner.query(`DELETE FROM ${name} WHERE carrier_ids = 'killed'`);
}
for (const seed of [1, 2]) await addPacks(owner, chunks, seed);
await owner.query('UPDATE chunk SET settled = true');

/** Writes and reads the file of all messages of a customer. */
async function transactionsFile(): Promise<string> {
  const asked = await (await t.api.as('corporate'))('POST', '/api/v1/transactions/exports', {
    ...lastDays('UTC', 3),
    format: 'csv',
  });
  const { id } = (asked.body as { data: { id: number } }).data;
  const { config, log } = t.api;
  await exportTransactions(
    { pool: t.api.database.pool('worker'), database: worker, config, clock: systemClock, log },
    (user) => loadCaller(worker, user),
    id,
    never,
  );
  const { file_path } = await t.one<{ file_path: string }>('SELECT file_path FROM download WHERE id = $1', [id]);
  return await readFile(join(config.DATA_DIR, 'files', file_path), 'utf8');
}

/** Reads what people and programs can know of messages. */
async function shown() {
  const messages = await rowsOf(
    `SELECT id FROM message WHERE id >= ${chunks[0]!.id}::bigint << 10 AND corporation_id = ${t.acme.corporation_id} ORDER BY id`,
  );
  const pages = [];
  const admin = await t.api.as('superadmin');
  for (const { id } of messages)
    pages.push(
      (await admin('GET', `/api/v1/messages/${id}`)).body,
      (await admin('GET', `/api/v1/messages/${id}/charge`)).body,
    );
  const campaigns = [];
  for (const { id } of await rowsOf(
    'SELECT DISTINCT campaign_id AS id FROM chunk WHERE campaign_id IS NOT NULL AND id >= ' +
      chunks[0]!.id +
      ' ORDER BY 1',
  ))
    campaigns.push(
      await get('superadmin', `/api/v1/campaigns/${id}`),
      await get('superadmin', `/api/v1/campaigns/${id}/deliveries`),
      await all('superadmin', `/api/v1/campaigns/${id}/messages`),
    );
  const period = lastDays('UTC', 3);
  return {
    pages,
    campaigns,
    lists: [
      await all('superadmin', '/api/v1/transactions', period),
      await all('corporate', '/api/v1/transactions', period),
      await all('reseller', '/api/v1/transactions', { ...period, search: '63917' }),
    ],
    file: await transactionsFile(),
    batch: (await t.by((await t.makeKey()).key)('GET', `/v1/batches/${batch}`)).body,
  };
}

/** Reads what is stored of messages, as the program reads it. */
async function stored() {
  const byRow = (name: string, id = 'chunk_id') =>
    rowsOf(`SELECT * FROM ${name} r WHERE ${id} >= ${chunks[0]!.id} ORDER BY r::text`);
  const submissions = await byRow('submission_row');
  const ids = submissions.flatMap(({ carrier_id, link_id }) => (carrier_id === null ? [] : [{ carrier_id, link_id }]));
  const sender = await t.api.database.pool('sender').connect();
  const found = await findSegments(sender, ids).finally(() => sender.release());
  return {
    rows: await byRow('message_row', 'id >> 10'),
    submissions,
    delivered: await byRow('delivered_row'),
    receipts: await byRow('receipt_row'),
    pdus: await rowsOf(
      `SELECT p.chunk_id, x.place, p.at + x.delay::float8 * interval '1 microsecond' AS received_at, substring(p.raw FROM
         1 + (sum(x.size::integer) OVER (PARTITION BY p.tableoid, p.ctid ORDER BY x.n) - x.size::integer)::integer FOR x.size::integer) AS raw
       FROM receipt_pack p CROSS JOIN LATERAL ROWS FROM (string_to_table(p.places, ','), string_to_table(p.delays, ','),
         string_to_table(p.sizes, ',')) WITH ORDINALITY AS x(place, delay, size, n) ORDER BY 1, 2, 3, 4`,
    ),
    segments: [...found].map(([key, segment]) => [key, segment]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  };
}
const everything = async () => ({ ...(await shown()), ...(await stored()) });
const packs = async () =>
  (
    await rowsOf(
      'SELECT (SELECT count(*) FROM answer_pack) AS answers, (SELECT count(*) FROM receipt_pack) AS receipts',
    )
  )[0]!;

const octetsOf = async (day: string, parent: string) => {
  const name = `${parent}_${day.replaceAll('-', '')}`;
  await owner.query(`VACUUM ${name}`);
  return (await t.one<{ size: number }>(`SELECT pg_total_relation_size('${name}'::regclass)::float8 AS size`)).size;
};

/** Reads the packs of a day as readers do, with the transaction that recorded each place. */
const packsOf = (day: string) => {
  const first = (Date.parse(day) / DAY_MS) * 2 ** 28;
  const from = (parent: string) =>
    `SELECT '${parent}' AS parent, p.chunk_id, x.place, p.carrier_ids, p.delays, p.at, CASE WHEN recorded_by IS NULL THEN xmin::text
       WHEN position(',' IN recorded_by) = 0 THEN recorded_by ELSE (string_to_array(recorded_by, ','))[x.n] END AS recorded
     FROM ${parent} p, string_to_table(places, ',') WITH ORDINALITY AS x(place, n) WHERE chunk_id >= ${first} AND chunk_id < ${first + 2 ** 28}`;
  return rowsOf(`${from('answer_pack')} UNION ALL ${from('receipt_pack')} ORDER BY 1, 2, 3`);
};

test('a day that changes while it is closed stays as it is and is closed later', async () => {
  const before = await everything();
  await owner.query(`SELECT close_day_copy($1::date, p, 1000) FROM unnest(ARRAY['answer_pack', 'receipt_pack']) AS p`, [
    today,
  ]);
  const partition = `answer_pack_${today.replaceAll('-', '')}`;
  const { ctid } = await t.one<{ ctid: string }>(
    `INSERT INTO ${partition} SELECT * FROM ${partition} LIMIT 1 RETURNING ctid::text`,
  );
  assert.equal(await closeDay(worker, today, never), false);
  assert.deepEqual(await rowsOf('SELECT count(*) FROM day_closing'), [{ count: 0 }]);
  await owner.query(`DELETE FROM ${partition} WHERE ctid = $1::tid`, [ctid]);
  assert.deepEqual(await everything(), before);
});

test('closing a day changes no answer, however often it is killed', async (test) => {
  const before = await everything();
  const kept = await stored();
  const open = await packs();
  let killed = 0;
  for (let done = false; !done; ) {
    const pool = createPool({ DATABASE_URL: t.api.database.url }, 'worker');
    pool.on('error', () => undefined);
    const db = createDatabase(pool);
    const stop = new AbortController();
    // The first tries are killed soon, later ones live longer.
    const patience = killed;
    const killing = sleep(patience).then(async () => {
      stop.abort();
      await owner.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%close_day_%' AND pid <> pg_backend_pid()
           AND datname = current_database() AND state = 'active'`,
      );
    });
    done = await closeDay(db, today, stop.signal, 3).catch(() => false);
    await killing;
    await pool.end().catch(() => undefined);
    if (!done && ++killed % 8 === 0) assert.deepEqual(await stored(), kept, `after ${killed} kills`);
    assert.ok(killed < 500, 'it comes to an end');
  }
  test.diagnostic(`${killed} kills`);
  assert.deepEqual(await everything(), before);
  assert.equal(await closeDay(worker, today, never), true, 'a worker that comes late changes nothing');
  const closed = await packs();
  assert.ok(
    closed['answers'] < open['answers'] && closed['receipts'] < open['receipts'],
    JSON.stringify([open, closed]),
  );
  assert.deepEqual(await rowsOf(`SELECT relname FROM pg_class WHERE relname LIKE '%\\_closed%' AND relkind = 'r'`), []);
});

test('closing a day never makes it larger, however small its packs are', async () => {
  const shapes = [
    { chunks: 300, entries: 5, pdu: 190, random: false },
    { chunks: 300, entries: 1, pdu: 190, random: true },
    { chunks: 400, entries: 1, pdu: 1, random: true },
    ...fc.sample(
      fc.record({
        chunks: fc.integer({ min: 1, max: 300 }),
        entries: fc.integer({ min: 1, max: 8 }),
        pdu: fc.nat(300),
        random: fc.boolean(),
      }),
      { numRuns: 3, seed: 7 },
    ),
  ];
  for (const [i, shape] of shapes.entries()) {
    const day = new Date(Date.parse(today) - (i + 1) * DAY_MS).toISOString().slice(0, 10);
    await writeSmallPacks(owner, chunks[0]!, day, shape);
    const open = [await octetsOf(day, 'answer_pack'), await octetsOf(day, 'receipt_pack')];
    const before = await packsOf(day);
    assert.equal(await closeDay(worker, day, never), true);
    assert.deepEqual(await packsOf(day), before);
    const closed = [await octetsOf(day, 'answer_pack'), await octetsOf(day, 'receipt_pack')];
    const told = JSON.stringify({ shape, open, closed });
    assert.ok(closed[0]! <= open[0]! && closed[1]! <= open[1]!, told);
    // PDUs of a few messages that resemble each other are compressed.
    if (i === 0) assert.ok(closed[1]! < 0.6 * open[1]!, told);
  }
});

test('a sender writes to a closed day, and its texts are removed, as before', async () => {
  const sender = t.api.database.pool('sender');
  const [chunk] = chunks;
  await sender.query(
    `INSERT INTO answer_pack_${today.replaceAll('-', '')} (chunk_id, corporation_id, link_id, at, places, delays, carrier_ids, id_hashes)
     VALUES ($1, $2, $3, now(), '999', '0', 'late', ARRAY[id_hash('late')])`,
    [chunk!.id, chunk!.corporation_id, chunk!.link_id],
  );
  const { rows } = await owner.query(`SELECT message_id FROM submission_row WHERE carrier_id = 'late'`);
  assert.deepEqual(rows, [{ message_id: chunk!.id * 1_024 + 999 }]);
  await owner.query('SELECT redact_texts($1::date)', [today]);
  assert.deepEqual(await rowsOf(`SELECT DISTINCT raw FROM receipt_pack WHERE chunk_id = ${chunk!.id}`), [
    { raw: Buffer.alloc(0) },
  ]);
  assert.deepEqual(
    await rowsOf(`SELECT DISTINCT drop_messages(day) AS dropped FROM closed_day WHERE day = '${today}'`),
    [{ dropped: true }],
  );
  // The job forgets days that are gone.
  await closeDays(
    { database: worker, log: t.api.log, clock: { now: () => new Date(Date.now() + 10 * DAY_MS) } },
    never,
  );
  assert.deepEqual(await rowsOf(`SELECT day FROM closed_day WHERE day = '${today}'`), []);
});
