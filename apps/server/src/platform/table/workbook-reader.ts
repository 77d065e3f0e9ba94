import { spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ErrorCode } from '@heliograph/contract/kernel/errors';
import { BusinessError } from '../errors.ts';
import type { TableBatch } from './read-table.ts';
import type { WorkbookHead } from './read-workbook.ts';
import type { Tenant, WorkbookTurns } from './workbook-turns.ts';

// In a packed program this file is JavaScript, and so is the program beside it.
const PROGRAM = fileURLToPath(new URL(`./workbook-process${extname(import.meta.url)}`, import.meta.url));
/** Heap of a process that reads a workbook, in MB; the texts that cells share are stored outside of it. */
const HEAP_MB = 192;
/** Maximum silence of a reader that is waited for, in ms; then it is ended. */
const SILENCE_MS = 60_000;
/** Maximum bytes of a line that a reader may write; it splits its batches well below. */
const MAX_LINE_BYTES = 8 << 20;

interface Opening {
  sheet: string | undefined;
  tenant: Tenant;
  turns: WorkbookTurns;
  /** Path of the reading program. */
  program?: string;
}

type Line = WorkbookHead | TableBatch | { end: true } | { error: ErrorCode };

/**
 * Reads a workbook in its own process, which has no settings and a bounded heap, and may die from bad input. The head
 * comes first, then the rows. Throws `workbook_too_large` if the process dies or stops answering.
 */
export async function* openWorkbook(
  path: string,
  { sheet, tenant, turns, program = PROGRAM }: Opening,
): AsyncGenerator<WorkbookHead | TableBatch> {
  using _place = await turns.take(tenant);
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MB}`, program, path, ...(sheet === undefined ? [] : [sheet])],
    { stdio: ['ignore', 'pipe', 'ignore'], env: {} },
  );
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  failed.catch(() => undefined);
  try {
    const lines = linesOf(child.stdout);
    for (;;) {
      const silence = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
      const next = await Promise.race([lines.next(), failed]).finally(() => clearTimeout(silence));
      if (next.done) throw new BusinessError('workbook_too_large');
      const line = JSON.parse(next.value) as Line;
      if ('error' in line) throw new BusinessError(line.error);
      if ('end' in line) return;
      yield line;
    }
  } finally {
    child.kill('SIGKILL');
  }
}

/** Splits a stream into lines, and reads no more of it than is asked for. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const piece of stream) {
    let start = 0;
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
      yield Buffer.concat([...rest, piece.subarray(start, end)]).toString();
      [rest, length, start] = [[], 0, end + 1];
    }
    rest.push(piece.subarray(start));
    length += piece.length - start;
    if (length > MAX_LINE_BYTES) throw new BusinessError('workbook_too_large');
  }
}
