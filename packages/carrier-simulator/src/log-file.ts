import { closeSync, fchmodSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import type { AcceptedSegment } from './segment-log.ts';

/**
 * Append-only NDJSON file of all segments and acknowledged receipts: `{"kind":"segment",…}` and
 * `{"kind":"acknowledged","seq":…,"id":…,"at":…}`. Lines are written before the answers of the same turn leave. A
 * killed carrier has therefore never answered a segment that is not in its file. A file that would grow beyond
 * `mostBytes` is renamed to `<path>.1`, which replaces the older one.
 */
export class LogFile {
  readonly #path: string;
  readonly #mostBytes: number;
  #descriptor: number;
  #bytes: number;
  #lines = '';

  constructor(path: string, mostBytes = Number.POSITIVE_INFINITY) {
    this.#path = path;
    this.#mostBytes = mostBytes;
    this.#descriptor = open(path);
    this.#bytes = fstatSync(this.#descriptor).size;
  }

  segment(segment: AcceptedSegment): void {
    this.#lines += `${JSON.stringify({ kind: 'segment', ...segment })}\n`;
  }

  acknowledged(seq: number, id: number): void {
    this.#lines += `${JSON.stringify({ kind: 'acknowledged', seq, id: String(id), at: new Date().toISOString() })}\n`;
  }

  /** Writes the added lines to the file. */
  flush(): void {
    if (this.#lines === '') return;
    if (this.#bytes > 0 && this.#bytes + Buffer.byteLength(this.#lines) > this.#mostBytes) this.#turn();
    this.#bytes += writeSync(this.#descriptor, this.#lines);
    this.#lines = '';
  }

  close(): void {
    this.flush();
    closeSync(this.#descriptor);
  }

  #turn(): void {
    closeSync(this.#descriptor);
    renameSync(this.#path, `${this.#path}.1`);
    this.#descriptor = open(this.#path);
    this.#bytes = 0;
  }
}

/** Opens a file to append to. Only its owner may read it: it holds people's numbers and texts. */
function open(path: string): number {
  const descriptor = openSync(path, 'a', 0o600);
  fchmodSync(descriptor, 0o600);
  return descriptor;
}
