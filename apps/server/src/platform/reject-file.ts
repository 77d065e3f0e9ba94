import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';

/** A CSV of refused rows as it grows. Cells that a spreadsheet would run as a formula are made text. */
export interface RejectFile {
  add(rows: readonly (readonly (string | number)[])[]): Promise<void>;
  /** Resolves once everything is on the disk. */
  close(): Promise<void>;
  /** Gives the file up where the work behind it has failed. */
  abandon(): void;
}

/** Starts a CSV file with a header; a file of that name is begun anew. */
export function openRejectFile(path: string, header: readonly string[]): RejectFile {
  const stream = createWriteStream(path, { mode: 0o600 });
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
    },
    abandon() {
      stream.destroy();
    },
  };
}
