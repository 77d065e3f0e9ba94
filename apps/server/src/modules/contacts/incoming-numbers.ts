import type { MergeField } from '@heliograph/contract/kernel/merge-fields';
import type pg from 'pg';
import { failpoint } from '#platform/failpoints';
import type { FilesConfig } from '#platform/files/files';
import { msisdnKey } from '#platform/structures/msisdn-set';
import { copiedValue, copyValue, NumberCopy } from './number-copy.ts';
import { SortedRecords } from './sorted-records.ts';

interface IncomingRow {
  line: number;
  msisdn: string;
  /** Number as it was written in the file, if that differs. */
  given: string | null;
}

/** Row with a number that the list already has, or that the file has in the line `first`. */
export interface Duplicate {
  line: number;
  /** Number as it was written in the file. */
  given: string;
  first: number | null;
}

interface Adding {
  /** Id of the import. */
  id: number;
  signal: AbortSignal;
  finished_at: string;
  onProgress: (added: number) => Promise<void>;
  /** Receives the rows that are not added, in the order of the file. */
  onDuplicates: (rows: readonly Duplicate[]) => Promise<void>;
  /** Called before the import ends. */
  beforeEnd: () => Promise<void>;
}

/** First half of an advisory lock; any fixed number. Work that changes many numbers of a list takes this lock. */
export const LIST_LOCK = 48_571_917;

/** SQLSTATE of a number that somebody else has just added, and of two sessions that wait for each other's numbers. */
const MET_OTHERS: readonly unknown[] = ['23505', '40P01'];
/** Maximum attempts to add the numbers while other people add some of them. */
const ATTEMPTS = 10;
/** Duplicates that wait to be stored or are reported together. */
const TOGETHER = 10_000;
const TAB = 9;

/** Good rows of a file on their way to a list, sorted by their numbers. */
export class IncomingNumbers implements AsyncDisposable {
  readonly #config: FilesConfig;
  readonly #listId: number;
  readonly #columns: readonly string[];
  /** Each record is the line, the number as it was given if that differs, and the row as it is copied. */
  readonly #records: SortedRecords;
  /** Number of rows. */
  count = 0;

  /** `fields` are the values that rows have beside their number, in this order. */
  constructor(config: FilesConfig, listId: number, fields: readonly MergeField[]) {
    this.#config = config;
    this.#listId = listId;
    this.#columns = ['number_list_id', 'number', ...fields];
    this.#records = new SortedRecords(config);
  }

  /** Adds a row. Of rows with the same number, the first one is kept. */
  add({ line, msisdn, given }: IncomingRow, values: readonly (string | null)[]): void {
    let record = `${line}\t${given === null ? '' : copyValue(given)}\t${this.#listId}\t${msisdn}`;
    for (const value of values) record += `\t${copyValue(value)}`;
    this.#records.add(msisdnKey(msisdn), `${record}\n`);
    this.count++;
  }

  /** Stores the added rows compactly. Call it after some thousand of them. */
  drain(): Promise<void> {
    return this.#records.drain();
  }

  /**
   * Adds the rows to the list and ends the import, all in one transaction. Numbers that the list, or an earlier line of
   * the file, already has are counted as duplicates. Returns false if the import has ended meanwhile.
   */
  async addToList(client: pg.PoolClient, adding: Adding): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#addOnce(client, adding);
      } catch (error) {
        if (attempt === ATTEMPTS || !MET_OTHERS.includes((error as { code?: string }).code)) throw error;
        await client.query('ROLLBACK');
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#records[Symbol.asyncDispose]();
  }

  async #addOnce(client: pg.PoolClient, adding: Adding): Promise<boolean> {
    await client.query('BEGIN');
    // Two imports into one list would otherwise wait for each other's numbers in a circle.
    await client.query('SELECT pg_advisory_xact_lock($1, hashint8($2))', [LIST_LOCK, this.#listId]);
    const present = await client.query("SELECT FROM task WHERE type = 'import' AND id = $1 AND finished_at IS NULL", [
      adding.id,
    ]);
    if (present.rowCount === 0) return undo(client);
    await using duplicates = new SortedRecords(this.#config);
    const added = await this.#copy(client, duplicates, adding);
    await client.query('UPDATE number_list SET numbers_count = numbers_count + $2 WHERE id = $1', [
      this.#listId,
      added,
    ]);
    await tellDuplicates(duplicates, adding);
    await adding.beforeEnd();
    const ended = await client.query(
      `UPDATE task SET state = 'done', rows_added = $2, rows_duplicate = $3, finished_at = $4
       WHERE type = 'import' AND id = $1 AND finished_at IS NULL`,
      [adding.id, added, this.count - added, adding.finished_at],
    );
    if (ended.rowCount === 0) return undo(client);
    failpoint('import.before-commit');
    await client.query('COMMIT');
    failpoint('import.after-commit');
    return true;
  }

  /**
   * Copies the numbers that the list does not have, each once. They come in the order of the index, so it grows at one
   * place only, and the list is later read in the order on the disk. Returns how many were copied.
   */
  async #copy(
    client: pg.PoolClient,
    duplicates: SortedRecords,
    { signal, onProgress }: Pick<Adding, 'signal' | 'onProgress'>,
  ): Promise<number> {
    let repeated = 0;
    let before = { key: -1, line: 0 };
    const repeat = (bytes: Buffer, start: number, first: number | null) => {
      const [line, given, , number] = bytes.toString('utf8', start, bytes.indexOf('\n', start)).split('\t', 4);
      duplicates.add(Number(line), `${first ?? ''}\t${given || number}\n`);
      repeated++;
    };
    const list = { id: this.#listId, columns: this.#columns };
    const copy = new NumberCopy(client, list, signal, (bytes, start) => repeat(bytes, start, null));
    await copy.begin();
    const flush = async () => {
      await copy.flush();
      await duplicates.drain();
      await onProgress(copy.added);
    };
    await this.#records.visit((key, bytes, start, end) => {
      if (key === before.key) {
        repeat(bytes, start, before.line);
        return repeated % TOGETHER === 0 ? duplicates.drain() : undefined;
      }
      let line = 0;
      let at = start;
      for (; bytes[at] !== TAB; at++) line = line * 10 + bytes[at]! - 48;
      before = { key, line };
      return copy.add(key, bytes, start, bytes.indexOf(TAB, at + 1) + 1, end) ? flush() : undefined;
    });
    await copy.end();
    await duplicates.drain();
    return copy.added;
  }
}

/** Rolls back because the import has ended: by another worker, or by the person who asked for it. */
async function undo(client: pg.PoolClient): Promise<false> {
  await client.query('ROLLBACK');
  return false;
}

async function tellDuplicates(duplicates: SortedRecords, { signal, onDuplicates }: Adding): Promise<void> {
  let waiting: Duplicate[] = [];
  const tell = async () => {
    signal.throwIfAborted();
    await onDuplicates(waiting);
    waiting = [];
  };
  await duplicates.visit((line, bytes, start, end) => {
    const [first, given] = bytes.toString('utf8', start, end - 1).split('\t') as [string, string];
    waiting.push({ line, given: copiedValue(given)!, first: first === '' ? null : Number(first) });
    return waiting.length === TOGETHER ? tell() : undefined;
  });
  await tell();
}
