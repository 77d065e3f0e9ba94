import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { BusinessError } from '../errors.ts';
import type { TableRow } from './read-table.ts';
import { readWorkbook } from './read-workbook.ts';

/** Characters of text after which a batch is written: its reader never holds much. */
const BATCH_CHARACTERS = 256 << 10;

async function write(line: object): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain');
}

async function writeRows(rows: readonly TableRow[], bytes_read: number): Promise<void> {
  let batch: TableRow[] = [];
  let characters = 0;
  for (const row of rows) {
    batch.push(row);
    for (const cell of row.cells) characters += cell.length;
    if (characters < BATCH_CHARACTERS) continue;
    await write({ rows: batch, bytes_read });
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) await write({ rows: batch, bytes_read });
}

/** Reads one workbook, and may die from it. The head, the rows and the end are lines of JSON on the standard output. */
const [path, sheet] = process.argv.slice(2) as [string, string | undefined];
// If the machine runs out of memory, this process is ended first.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
try {
  for await (const part of readWorkbook(path, (await stat(path)).size, sheet))
    await ('rows' in part ? writeRows(part.rows, part.bytes_read) : write(part));
  await write({ end: true });
} catch (error) {
  await write({ error: error instanceof BusinessError ? error.code : 'file_unreadable' });
}
