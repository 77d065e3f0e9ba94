import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { importNumbers } from '../../src/modules/contacts/import-numbers.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { filePath, keepDraft, newDraft, newFile } from '../../src/platform/files/files.ts';
import { createLogger } from '../../src/platform/log.ts';
import type { Scope } from '../template-database.ts';
import { testDatabase } from '../template-database.ts';
import { temporaryFolder } from './table-file.ts';
import { makeList, makeTenant } from './tenant.ts';

/** Builds a tenant whose files of numbers are imported into lists, by a worker's own code. */
export async function importStage(t: Scope) {
  const home = await testDatabase(t);
  const owner = home.db('owner');
  const tenant = await makeTenant(owner);
  const folder = temporaryFolder(t);

  const config = () => readConnectedConfig({ DATABASE_URL: home.url, DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const worker = (pool = home.pool('worker'), database = home.db('worker')) => ({
    pool,
    database,
    config: config(),
    clock: systemClock,
    log: createLogger(config(), 'test'),
  });
  const go = new AbortController().signal;
  let lists = 0;
  const newList = () => makeList(owner, tenant, `List ${++lists}`);

  async function queued(listId: number, content: string | Buffer): Promise<number> {
    const path = newFile('uploads', 'bin');
    writeFileSync(await newDraft(config(), path), content);
    await keepDraft(config(), path);
    const row = await owner
      .insertInto('task')
      .values({
        type: 'import',
        kind: 'number_list',
        corporation_id: tenant.corporation_id,
        number_list_id: listId,
        user_id: tenant.user_id,
        file_name: 'numbers.csv',
        file_path: path,
        file_sha256: createHash('sha256').update(content).digest('hex'),
        bytes_total: Buffer.byteLength(content),
        error_path: newFile('rejects', 'csv'),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  }

  const importOf = (id: number) =>
    owner.selectFrom('task').selectAll().where('type', '=', 'import').where('id', '=', id).executeTakeFirstOrThrow();
  const numbersOf = (listId: number) =>
    owner.selectFrom('number_list_number').selectAll().where('number_list_id', '=', listId).orderBy('number').execute();
  const countOf = async (listId: number) =>
    (await owner.selectFrom('number_list').select('numbers_count').where('id', '=', listId).executeTakeFirstOrThrow())
      .numbers_count;

  async function run(listId: number, content: string | Buffer) {
    const id = await queued(listId, content);
    await importNumbers(worker(), id, go);
    const row = await importOf(id);
    const refused = existsSync(filePath(config(), row.error_path!))
      ? parse(readFileSync(filePath(config(), row.error_path!)), { bom: true, from_line: 2 })
      : [];
    return { row, refused };
  }

  return { home, owner, config, worker, go, newList, queued, importOf, numbersOf, countOf, run };
}
