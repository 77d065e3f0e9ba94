import assert from 'node:assert/strict';
import { join } from 'node:path';
import { loadCaller } from '../../src/modules/identity/index.ts';
import { type ExportedList, exportList } from '../../src/platform/tasks/exported-list.ts';
import type { TestApi } from '../test-api.ts';

/** Requests the file of a list as a person and has it written; returns its row and its path. */
export async function exportedFile(
  api: TestApi,
  lists: readonly ExportedList[],
  {
    login,
    path,
    body,
    locale,
    now = new Date(),
  }: { login: string; path: string; body: object; locale?: string; now?: Date },
): Promise<{ download_file: string; rows: number; path: string }> {
  const asked = await (await api.as(login))(
    'POST',
    path,
    body,
    locale === undefined ? {} : { cookie: `locale=${locale}` },
  );
  assert.equal(asked.status, 202, JSON.stringify(asked.body));
  const { id } = (asked.body as { data: { id: number } }).data;
  const database = api.database.db('worker');
  const worker = { database, config: api.config, log: api.log, clock: { now: () => now } };
  await exportList(worker, (user) => loadCaller(database, user), lists, id, new AbortController().signal);
  const { rows } = await api.database.pool('owner').query('SELECT * FROM download WHERE id = $1', [id]);
  assert.equal(rows[0].state, 'done');
  return { ...rows[0], path: join(api.config.DATA_DIR, 'files', rows[0].file_path) };
}

/** Returns a signal that aborts at its nth check. */
export function abortedAt(nth: number): AbortSignal {
  const stopping = new AbortController();
  let asked = 0;
  return new Proxy(stopping.signal, {
    get(signal, name) {
      if (name === 'throwIfAborted' && ++asked === nth) stopping.abort(new Error('stopped'));
      const value: unknown = Reflect.get(signal, name, signal);
      return typeof value === 'function' ? value.bind(signal) : value;
    },
  });
}
