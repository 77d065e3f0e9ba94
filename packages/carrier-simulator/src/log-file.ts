import { closeSync, fchmodSync, openSync, writeSync } from 'node:fs';
import type { AcceptedSegment } from './segment-log.ts';

/**
 * An append-only NDJSON file of all that happened: `{"kind":"segment",…}` and `{"kind":"acknowledged","seq":…,"id":…,"at":…}`.
 * Lines are written before the answers of the same turn leave, so a carrier that is killed has told nobody of a
 * segment that is not in its file.
 */
export class LogFile {
  readonly #descriptor: number;
  #lines = '';

  constructor(path: string) {
    // It holds numbers and texts of people.
    this.#descriptor = openSync(path, 'a', 0o600);
    fchmodSync(this.#descriptor, 0o600);
  }

  segment(segment: AcceptedSegment): void {
    this.#lines += `${JSON.stringify({ kind: 'segment', ...segment })}\n`;
  }

  acknowledged(seq: number, id: number): void {
    this.#lines += `${JSON.stringify({ kind: 'acknowledged', seq, id: String(id), at: new Date().toISOString() })}\n`;
  }

  /** Writes what was added. */
  flush(): void {
    if (this.#lines === '') return;
    writeSync(this.#descriptor, this.#lines);
    this.#lines = '';
  }

  close(): void {
    this.flush();
    closeSync(this.#descriptor);
  }
}
