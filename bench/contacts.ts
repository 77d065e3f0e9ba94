import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { filePath, keepDraft, newDraft, newFile } from '../apps/server/src/platform/files/files.ts';
import { enqueue, startEnqueuing } from '../apps/server/src/platform/jobs/jobs.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { bulkUploadJob } from '../apps/server/src/platform/tasks/bulk-upload.ts';
import { prepareDatabase } from '../apps/server/src/processes/prepare-database.ts';
import { makeTenant } from '../apps/server/test/contacts/tenant.ts';
import { startChild } from './harness/child.ts';
import { readOptions } from './harness/options.ts';
import { report } from './harness/report.ts';

// Measures a file of new contacts with five fields, from the queued file to the last stored contact, with its own worker
// and a real PostgreSQL that keeps durability on. What an undo needs is stored too.

const { count: ROWS } = readOptions({ count: 1_000_000 });
const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
const config = readConnectedConfig({ DATABASE_URL: postgres.url, DATA_DIR: folder });
const FIELDS = [
  ['City', 'text', 'text_1', '{}'],
  ['Level', 'choice', 'text_2', '{Gold,Silver}'],
  ['Points', 'number', 'number_1', '{}'],
  ['Birthday', 'date', 'date_1', '{}'],
  ['Member', 'yes_no', 'flag_1', '{}'],
] as const;

function* csv(): Generator<string> {
  yield 'number,name,city,level,points,birthday,member\r\n';
  let text = '';
  for (let i = 0; i < ROWS; i++) {
    const number = `63917${String((i * 7_919) % 10_000_000).padStart(7, '0')}`;
    const day = `${1_950 + (i % 60)}-0${1 + (i % 9)}-1${i % 10}`;
    text += `${number},Person ${i},City ${i % 50},${i % 3 ? 'Gold' : 'Silver'},${i % 1_000},${day},${i % 2 ? 'yes' : 'no'}\r\n`;
    if (text.length < 60_000) continue;
    yield text;
    text = '';
  }
  yield text;
}

try {
  await prepareDatabase(postgres.url);
  const pool = createPool(config, 'owner');
  const owner = createDatabase(pool);
  const enqueuing = await startEnqueuing(pool, log);
  const { corporation_id, user_id } = await makeTenant(owner, 'Bench');
  const targets = ['number', 'name'];
  for (const [name, type, slot, choices] of FIELDS) {
    const { rows } = await pool.query<{ id: number }>(
      `INSERT INTO contact_field (corporation_id, name, key, type, slot, choices)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
      [corporation_id, name, name.toLowerCase(), type, slot, choices],
    );
    targets.push(`field:${rows[0]!.id}`);
  }
  const file_path = newFile('uploads', 'bin');
  await pipeline(Readable.from(csv()), createWriteStream(await newDraft(config, file_path)));
  await keepDraft(config, file_path);
  const settings = { DATABASE_URL: postgres.url, DATA_DIR: folder, LOG_LEVEL: 'warn' };
  const worker = await startChild('worker-process.ts', settings);
  const started = performance.now();
  const parameters = {
    mode: 'update',
    empty: 'keep',
    tags: [],
    number_list_id: null,
    day_first: null,
    read_national: true,
  };
  const { id } = await owner.transaction().execute(async (db) => {
    const row = await db
      .insertInto('task')
      .values({
        type: 'bulk_upload',
        kind: 'contacts',
        corporation_id,
        user_id,
        parameters: JSON.stringify({ targets, ...parameters }),
        file_name: 'bench.csv',
        file_path,
        file_sha256: 'bench',
        bytes_total: statSync(filePath(config, file_path)).size,
        error_path: newFile('rejects', 'csv'),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await enqueue(db, bulkUploadJob, { bulk_upload_id: row.id });
    return row;
  });
  const read = () => owner.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  let row = await read();
  while (row.finished_at === null) {
    await sleep(50);
    row = await read();
  }
  const seconds = (performance.now() - started) / 1_000;
  if (row.rows_added !== ROWS) throw new Error(`${row.state}: ${row.rows_added} of ${ROWS} rows, ${row.error_code}`);
  const { max_rss } = await worker.ask('stats');
  report('contacts', [
    { figure: 'rows', value: ROWS, unit: '' },
    { figure: 'seconds', value: seconds, unit: 's' },
    { figure: 'rows_per_second', value: ROWS / seconds, unit: 'rows/s' },
    { figure: 'rss_mb', value: max_rss! / 2 ** 20, unit: 'MB' },
  ]);
  await worker.stop();
  await enqueuing.stop();
  await owner.destroy();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
