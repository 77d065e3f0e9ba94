import { createWriteStream, type WriteStream } from 'node:fs';
import type { AcceptedSegment } from './segment-log.ts';

const FLUSH_AT = 512;

/** An append-only NDJSON file of all that happened: `{"kind":"segment",…}` and `{"kind":"acknowledged","seq":…,"id":…,"at":…}`. */
export class LogFile {
  readonly #stream: WriteStream;
  #lines: string[] = [];
  #scheduled = false;

  constructor(path: string) {
    this.#stream = createWriteStream(path, { flags: 'a' });
  }

  segment(segment: AcceptedSegment): void {
    this.#add(JSON.stringify({ kind: 'segment', ...segment }));
  }

  acknowledged(seq: number, id: number): void {
    this.#add(JSON.stringify({ kind: 'acknowledged', seq, id: String(id), at: new Date().toISOString() }));
  }

  #add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= FLUSH_AT) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(() => this.#flush());
    }
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#lines.length === 0) return;
    this.#stream.write(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
  }

  close(): Promise<void> {
    this.#flush();
    return new Promise((resolve) => this.#stream.end(() => resolve()));
  }
}
