import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { dropDraft, type FilesConfig, keepDraft, newDraft, newFile } from './files.ts';

/** A CSV of refused rows as it grows; it is kept once it is closed. Cells that a spreadsheet would run as a formula are made text. */
export interface RejectFile {
  add(rows: readonly (readonly (string | number)[])[]): Promise<void>;
  /** Resolves once the file is kept. */
  close(): Promise<void>;
  /** Gives the file up where the work behind it has failed; one that was closed stays. */
  abandon(): Promise<void>;
}

/** Starts a CSV file with a header; a file of that path is begun anew. */
export async function openRejectFile(
  config: FilesConfig,
  path: string,
  header: readonly string[],
): Promise<RejectFile> {
  // Several may be at the same file: each writes its own, and who ends last is believed.
  const draft = newFile('rejects', 'csv');
  const stream = createWriteStream(await newDraft(config, draft), { mode: 0o600 });
  const ended = finished(stream);
  // The error is thrown where the file is written or closed.
  ended.catch(() => undefined);
  stream.write(stringify([header as string[]], { bom: true }));
  return {
    async add(rows) {
      if (rows.length === 0) return;
      const text = stringify(rows as (string | number)[][], { escape_formulas: true });
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), ended]);
    },
    async close() {
      stream.end();
      await ended;
      await keepDraft(config, draft, path);
    },
    async abandon() {
      stream.destroy();
      await dropDraft(config, draft);
    },
  };
}
