import type { ReadAs } from '@heliograph/contract/kernel/file-reading';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import { localFile } from '#platform/files/files';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readTable } from '#platform/table/read-table';
import { cellFinder, type Person } from './person.ts';

/** Columns that name stored files of tenants; the files of sender documents are scans and hold no recipients. */
export const FILE_COLUMNS = [
  ['upload', 'file_path'],
  ['task', 'file_path'],
  ['task', 'error_path'],
  ['campaign', 'rejected_path'],
  ['quote', 'rejected_path'],
  ['scheduled_file_run', 'kept_path'],
] as const;

/** Stored file that has the number, or cannot be read as a table, such as a printed report. */
export interface PersonFile {
  path: string;
  table: (typeof FILE_COLUMNS)[number][0];
  column: (typeof FILE_COLUMNS)[number][1];
  /** Rows with the number; null if the file cannot be read as a table. */
  rows: number | null;
}

type Worker = Pick<WorkerContext, 'database' | 'config'>;

/** Reads all stored files of the corporations and yields those that have the number or cannot be read. */
export async function* personFiles(
  { database, config }: Worker,
  person: Person,
  signal: AbortSignal,
): AsyncGenerator<PersonFile> {
  const holds = cellFinder(person);
  const seen = new Set<string>();
  for (const [table, column] of FILE_COLUMNS) {
    const kept = await rowsOf<{ path: string; owner: number | null }>(
      database,
      `SELECT DISTINCT ${column} AS path, corporation_id AS owner FROM ${table}
       WHERE ${column} IS NOT NULL AND ($1::bigint[] IS NULL OR corporation_id = ANY ($1)) ORDER BY 1`,
      [person.corporations],
    );
    for (const { path, owner } of kept) {
      signal.throwIfAborted();
      if (seen.has(path)) continue;
      seen.add(path);
      const rows = await rowsWith(config, path, owner, holds, signal);
      if (rows !== 0) yield { path, table, column, rows };
    }
  }
}

/** Counts the rows of a file with the number; null if it is no table. A file that is gone has none. */
async function rowsWith(
  config: Worker['config'],
  path: string,
  owner: number | null,
  holds: (cell: string) => boolean,
  signal: AbortSignal,
): Promise<number | null> {
  let rows = 0;
  try {
    await using file = await localFile(config, path);
    const sheets: (string | undefined)[] = [undefined];
    for (const sheet of sheets) {
      // Rows above the headings count too.
      const reading = { header_row: 1, ...(sheet !== undefined && { sheet }) };
      const onReadAs = async (as: ReadAs) => {
        if (sheet === undefined) sheets.push(...as.sheets.filter((name) => name !== as.sheet));
      };
      for await (const batch of readTable(file.path, { tenant: owner, reading, onReadAs })) {
        signal.throwIfAborted();
        for (const { cells } of batch.rows) if (cells.some(holds)) rows++;
      }
    }
  } catch (error) {
    if (!(error instanceof BusinessError) || error.code === 'unavailable') throw error;
    return error.code === 'not_found' ? 0 : null;
  }
  return rows;
}
