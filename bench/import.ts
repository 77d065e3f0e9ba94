import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '@heliograph/installation/postgres';
import { importNumbersJob } from '../apps/server/src/modules/contacts/index.ts';
import { readConnectedConfig } from '../apps/server/src/platform/config/config.ts';
import { createDatabase, createPool } from '../apps/server/src/platform/database/db.ts';
import { filePath, keepDraft, newDraft, newFile } from '../apps/server/src/platform/files/files.ts';
import { enqueue, startEnqueuing } from '../apps/server/src/platform/jobs/jobs.ts';
import { createLogger } from '../apps/server/src/platform/log.ts';
import { prepareDatabase } from '../apps/server/src/processes/prepare-database.ts';
import { makeList, makeTenant } from '../apps/server/test/contacts/tenant.ts';
import { startChild } from './harness/child.ts';
import { readOptions } from './harness/options.ts';
import { postgresSeconds } from './harness/process-time.ts';
import { report } from './harness/report.ts';

// Measures an import, from the queued file to the last stored number, with its own worker and a real PostgreSQL that
// keeps durability on. One row in fifty is a duplicate, one in fifty is refused.

const { count: ROWS } = readOptions({ count: 1_000_000 });
const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const log = createLogger({ LOG_LEVEL: 'warn' }, 'bench', process.stderr);
const postgres = await startEmbeddedPostgres({ dataDir: folder, log });
const config = readConnectedConfig({ DATABASE_URL: postgres.url, DATA_DIR: folder });

function* csv(): Generator<string> {
  yield 'number,name,param1,param2\r\n';
  let text = '';
  for (let i = 0; i < ROWS; i++) {
    const place = i % 50 === 0 ? i >> 1 : i;
    const number = i % 50 === 1 ? '6.39171E+11' : `63917${String(1_000_000 + ((place * 7_919) % 9_000_000)).slice(-7)}`;
    text += `${number},"Person ${i}",Order ${i * 31},"${i % 1_000}, due"\r\n`;
    if (text.length > 60_000) {
      yield text;
      text = '';
    }
  }
  yield text;
}

try {
  await prepareDatabase(postgres.url);
  const pool = createPool(config, 'owner');
  const owner = createDatabase(pool);
  const enqueuing = await startEnqueuing(pool, log);
  const tenant = await makeTenant(owner, 'Bench');
  const number_list_id = await makeList(owner, tenant);
  const file_path = newFile('uploads', 'bin');
  await pipeline(Readable.from(csv()), createWriteStream(await newDraft(config, file_path)));
  await keepDraft(config, file_path);
  const hash = createHash('sha256');
  for await (const piece of createReadStream(filePath(config, file_path))) hash.update(piece);
  const worker = await startChild('worker-process.ts', {
    DATABASE_URL: postgres.url,
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
  });

  const before = postgresSeconds(folder);
  const started = performance.now();
  const { id } = await owner.transaction().execute(async (db) => {
    const row = await db
      .insertInto('task')
      .values({
        type: 'import',
        kind: 'number_list',
        corporation_id: tenant.corporation_id,
        number_list_id,
        user_id: tenant.user_id,
        file_name: 'bench.csv',
        file_path,
        file_sha256: hash.digest('hex'),
        bytes_total: statSync(filePath(config, file_path)).size,
        error_path: newFile('rejects', 'csv'),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await enqueue(db, importNumbersJob, { import_id: row.id });
    return row;
  });
  const read = () => owner.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  let row = await read();
  while (row.finished_at === null) {
    await sleep(50);
    row = await read();
    if (performance.now() - started > 600_000) throw new Error('the import takes more than ten minutes');
  }
  const seconds = (performance.now() - started) / 1_000;
  const { max_rss, cpu } = await worker.ask('stats');
  const { numbers_count } = await owner.selectFrom('number_list').select('numbers_count').executeTakeFirstOrThrow();
  if (row.state !== 'done' || row.rows_read !== ROWS || row.rows_added !== numbers_count) {
    throw new Error(`the counts do not add up: ${JSON.stringify({ ...row, numbers_count })}`);
  }
  report('import', [
    { figure: 'seconds_for_1000000', value: (seconds * 1_000_000) / ROWS, unit: 's' },
    { figure: 'rss_mb', value: max_rss! / 2 ** 20, unit: 'MB' },
    { figure: 'worker_cpu_seconds', value: cpu!, unit: 's' },
    { figure: 'postgres_cpu_seconds', value: postgresSeconds(folder) - before, unit: 's' },
    { figure: 'rows_added', value: row.rows_added, unit: '' },
    { figure: 'rows_duplicate', value: row.rows_duplicate, unit: '' },
    { figure: 'rows_rejected', value: row.rows_rejected, unit: '' },
  ]);
  await worker.stop();
  await enqueuing.stop();
  await owner.destroy();
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
