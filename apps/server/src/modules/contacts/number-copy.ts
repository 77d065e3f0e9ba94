import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { msisdnOf } from '#platform/structures/msisdn-set';

/** Characters that COPY's text format escapes. */
const SPECIAL = /[\\\t\n\r]/;
const SPECIALS = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const ESCAPED = /\\(.)/g;
const MEANINGS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' };

/** Formats one value of a row for COPY, in text format; null is `\N`. A NUL, which PostgreSQL cannot store, is left out. */
export function copyValue(value: string | null): string {
  if (value === null) return '\\N';
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value;
  return SPECIAL.test(text) ? text.replace(SPECIALS, (found) => ESCAPES[found]!) : text;
}

/** Reads a value that `copyValue` has formatted. */
export const copiedValue = (text: string): string | null =>
  text === '\\N' ? null : text.replace(ESCAPED, (_, sign: string) => MEANINGS[sign] ?? sign);

/** Maximum rows and bytes that are copied by one statement, between two progress updates. */
const ROWS = 20_000;
const BYTES = 4 << 20;

/** Receiver of a row that the list already has. */
type OnPresent = (bytes: Buffer, start: number) => void;

/**
 * Copies rows into a list, in the transaction of a session: those with a number that the list does not have. Statements
 * run while the next rows are collected.
 */
export class NumberCopy {
  readonly #client: pg.PoolClient;
  readonly #listId: number;
  readonly #statement: string;
  readonly #signal: AbortSignal;
  readonly #onPresent: OnPresent;
  #wasEmpty = true;
  #bytes = Buffer.allocUnsafeSlow(1 << 16);
  #used = 0;
  /** Rows that are being copied. */
  #out = Buffer.alloc(0);
  #keys = new Float64Array(ROWS);
  #starts = new Uint32Array(ROWS);
  #bodies = new Uint32Array(ROWS);
  #rows = 0;
  #running: Promise<unknown> = Promise.resolve();
  /** Number of rows that are copied, or are being copied. */
  added = 0;

  constructor(
    client: pg.PoolClient,
    list: { id: number; columns: readonly string[] },
    signal: AbortSignal,
    onPresent: OnPresent,
  ) {
    this.#client = client;
    this.#listId = list.id;
    // PostgreSQL refuses COPY on a table with row level security, so this is the partition that has none.
    this.#statement = `COPY number_list_number_stored (${list.columns.join(', ')}) FROM STDIN`;
    this.#signal = signal;
    this.#onPresent = onPresent;
  }

  /** Looks whether the list has numbers. Nothing needs to be looked up in an empty one. */
  async begin(): Promise<void> {
    const found = await this.#client.query('SELECT FROM number_list_number WHERE number_list_id = $1 LIMIT 1', [
      this.#listId,
    ]);
    this.#wasEmpty = found.rowCount === 0;
  }

  /** Adds a record with the key of its number. The row begins at `body`. Returns true if `flush` has to be called. */
  add(key: number, bytes: Buffer, start: number, body: number, end: number): boolean {
    const length = end - start;
    if (this.#used + length > this.#bytes.length) {
      const wider = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#used + length));
      this.#bytes.copy(wider, 0, 0, this.#used);
      this.#bytes = wider;
    }
    bytes.copy(this.#bytes, this.#used, start, end);
    this.#keys[this.#rows] = key;
    this.#starts[this.#rows] = this.#used;
    this.#bodies[this.#rows] = this.#used + body - start;
    this.#used += length;
    return ++this.#rows === ROWS || this.#used >= BYTES;
  }

  /** Starts to copy the collected rows, as soon as those before are copied. */
  async flush(): Promise<void> {
    this.#signal.throwIfAborted();
    await this.#running;
    const present = this.#wasEmpty ? null : await this.#present();
    if (this.#out.length < this.#used) this.#out = Buffer.allocUnsafeSlow(this.#bytes.length);
    const out = this.#out;
    let used = 0;
    let copied = 0;
    for (let row = 0; row < this.#rows; row++) {
      if (present?.has(msisdnOf(this.#keys[row]!))) {
        this.#onPresent(this.#bytes, this.#starts[row]!);
        continue;
      }
      const end = row + 1 < this.#rows ? this.#starts[row + 1]! : this.#used;
      used += this.#bytes.copy(out, used, this.#bodies[row]!, end);
      copied++;
    }
    [this.#rows, this.#used] = [0, 0];
    this.added += copied;
    if (copied > 0) this.#running = this.#copy(out.subarray(0, used));
    // The error is thrown where the promise is awaited.
    this.#running.catch(() => undefined);
  }

  /** Copies what is left, and resolves when all rows are copied. */
  async end(): Promise<void> {
    await this.flush();
    await this.#running;
  }

  async #copy(rows: Buffer): Promise<void> {
    const stream = this.#client.query(copyFrom(this.#statement));
    // An error after the wait was aborted has no other listener.
    stream.on('error', () => undefined);
    stream.end(rows);
    await once(stream, 'finish', { signal: this.#signal });
  }

  async #present(): Promise<ReadonlySet<string>> {
    const numbers = Array.from(this.#keys.subarray(0, this.#rows), msisdnOf);
    const { rows } = await this.#client.query<{ number: string }>(
      'SELECT number FROM number_list_number WHERE number_list_id = $1 AND number = ANY ($2::text[])',
      [this.#listId, `{${numbers.join()}}`],
    );
    return new Set(rows.map(({ number }) => number));
  }
}
