import { type FileHandle, open } from 'node:fs/promises';
import { dropDraft, type FilesConfig, newDraft, newFile } from '#platform/files/files';
import { stableOrder } from '#platform/structures/stable-order';

/** Maximum bytes, and records, of a run: the part that is sorted in memory. Longer input is sorted in several runs. */
const RUN_BYTES = 32 << 20;
const RUN_RECORDS = 1 << 19;
const FIRST_BYTES = 1 << 20;
const FIRST_RECORDS = 1 << 14;
/** Bytes that a run on the disk is read and written by; a record is shorter. */
const WINDOW_BYTES = 1 << 18;
/** Bytes before a record on the disk: its key and its length. */
const HEAD_BYTES = 12;
const LINE_FEED = 10;

/** Receiver of a record: its bytes are valid until the next one. */
export type Visit = (key: number, bytes: Buffer, start: number, end: number) => Promise<void> | undefined;

/** Position in a sorted run. */
interface Cursor {
  key: number;
  bytes: Buffer;
  start: number;
  end: number;
  /** Moves to the next record; false if there is none, or it has to be read first. */
  next(): boolean;
  /** Reads more of the run and moves to its next record; false at its end. */
  fill(): Promise<boolean>;
}

/**
 * Lines of text sorted by a whole number below 2^51; lines with the same key keep their order. It takes at most
 * 32 MB of lines into memory. Longer input is sorted in runs on the disk of this machine, which are then merged.
 */
export class SortedRecords implements AsyncDisposable {
  readonly #config: FilesConfig;
  readonly #runBytes: number;
  readonly #runs: { path: string; draft: string }[] = [];
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;
  #keys = new Float64Array(FIRST_RECORDS);
  /** Ends of the records in `#bytes`. */
  #ends = new Uint32Array(FIRST_RECORDS);
  #count = 0;
  #encoded = 0;
  #waiting = '';
  #order: Uint32Array | undefined;

  /** Tests choose a smaller run. */
  constructor(config: FilesConfig, runBytes = RUN_BYTES) {
    this.#config = config;
    this.#runBytes = runBytes;
  }

  /** Adds a line, which ends with the only line feed in it. */
  add(key: number, line: string): void {
    if (this.#count === this.#keys.length) {
      this.#keys = grown(this.#keys, new Float64Array(this.#count * 2));
      this.#ends = grown(this.#ends, new Uint32Array(this.#count * 2));
    }
    this.#keys[this.#count++] = key;
    this.#waiting += line;
  }

  /** Stores the added lines as bytes. Call it after some thousand lines: until then they are text. */
  async drain(): Promise<void> {
    const text = this.#waiting;
    this.#waiting = '';
    // A character of JavaScript takes at most three bytes.
    const needed = this.#used + text.length * 3;
    if (needed > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(wider, 0, 0, this.#used);
      this.#bytes = wider;
    }
    this.#used += this.#bytes.write(text, this.#used);
    for (; this.#encoded < this.#count; this.#encoded++) {
      const from = this.#encoded === 0 ? 0 : this.#ends[this.#encoded - 1]!;
      this.#ends[this.#encoded] = this.#bytes.indexOf(LINE_FEED, from) + 1;
    }
    this.#order = undefined;
    if (this.#used >= this.#runBytes || this.#count >= RUN_RECORDS) await this.#writeRun();
  }

  /** Visits the lines in the order of their keys. It may be called again. */
  async visit(visit: Visit): Promise<void> {
    const cursors: Cursor[] = [];
    const files: FileHandle[] = [];
    try {
      for (const { path } of this.#runs) {
        const file = await open(path, 'r');
        files.push(file);
        const cursor = new StoredRun(file);
        if (await cursor.fill()) cursors.push(cursor);
      }
      const last = this.#inMemory();
      if (last.next()) cursors.push(last);
      while (cursors.length > 0) {
        let least = 0;
        for (let at = 1; at < cursors.length; at++) if (cursors[at]!.key < cursors[least]!.key) least = at;
        const cursor = cursors[least]!;
        const taken = visit(cursor.key, cursor.bytes, cursor.start, cursor.end);
        if (taken) await taken;
        if (!cursor.next() && !(await cursor.fill())) cursors.splice(least, 1);
      }
    } finally {
      for (const file of files) await file.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { draft } of this.#runs.splice(0)) await dropDraft(this.#config, draft);
  }

  #inMemory(): Cursor {
    const [bytes, keys, ends] = [this.#bytes, this.#keys, this.#ends];
    this.#order ??= stableOrder(keys, this.#count);
    const order = this.#order;
    let place = 0;
    return {
      key: 0,
      bytes,
      start: 0,
      end: 0,
      next() {
        if (place === order.length) return false;
        const at = order[place++]!;
        this.key = keys[at]!;
        this.start = at === 0 ? 0 : ends[at - 1]!;
        this.end = ends[at]!;
        return true;
      },
      fill: async () => false,
    };
  }

  /** Writes the lines in memory as a run on the disk. */
  async #writeRun(): Promise<void> {
    const draft = newFile('uploads', 'bin');
    const path = await newDraft(this.#config, draft);
    this.#runs.push({ path, draft });
    await using file = await open(path, 'w', 0o600);
    let out = Buffer.allocUnsafeSlow(WINDOW_BYTES);
    let used = 0;
    const cursor = this.#inMemory();
    while (cursor.next()) {
      const length = cursor.end - cursor.start;
      if (used + HEAD_BYTES + length > out.length) {
        await file.writeFile(out.subarray(0, used));
        if (HEAD_BYTES + length > out.length) out = Buffer.allocUnsafeSlow(HEAD_BYTES + length);
        used = 0;
      }
      out.writeDoubleLE(cursor.key, used);
      out.writeUInt32LE(length, used + 8);
      cursor.bytes.copy(out, used + HEAD_BYTES, cursor.start, cursor.end);
      used += HEAD_BYTES + length;
    }
    await file.writeFile(out.subarray(0, used));
    this.#order = undefined;
    [this.#used, this.#count, this.#encoded] = [0, 0, 0];
  }
}

/** Reads a run from the disk, window by window. */
class StoredRun implements Cursor {
  readonly #file: FileHandle;
  key = 0;
  bytes = Buffer.allocUnsafeSlow(WINDOW_BYTES);
  start = 0;
  end = 0;
  #filled = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  next(): boolean {
    const head = this.end;
    if (head + HEAD_BYTES > this.#filled) return false;
    const length = this.bytes.readUInt32LE(head + 8);
    if (head + HEAD_BYTES + length > this.#filled) return false;
    this.key = this.bytes.readDoubleLE(head);
    this.start = head + HEAD_BYTES;
    this.end = this.start + length;
    return true;
  }

  async fill(): Promise<boolean> {
    const rest = this.#filled - this.end;
    const length = rest >= HEAD_BYTES ? HEAD_BYTES + this.bytes.readUInt32LE(this.end + 8) : 0;
    // The window is used again and again: new ones would be garbage faster than it is collected.
    if (length > this.bytes.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(WINDOW_BYTES, length));
      this.bytes.copy(wider, 0, this.end, this.#filled);
      this.bytes = wider;
    } else this.bytes.copyWithin(0, this.end, this.#filled);
    [this.#filled, this.end] = [rest, 0];
    const { bytesRead } = await this.#file.read(this.bytes, rest, this.bytes.length - rest);
    this.#filled += bytesRead;
    return this.next() || (bytesRead > 0 && this.fill());
  }
}

function grown<A extends Float64Array | Uint32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
