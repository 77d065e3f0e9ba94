import { once } from 'node:events';
import { MERGE_FIELDS } from '@heliograph/contract/kernel/merge-fields';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { failpoint } from '#platform/failpoints';

/** Characters that COPY's text format escapes. */
const SPECIAL = /[\\\t\n\r]/;
const SPECIALS = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Formats one value of a row for COPY, in text format; null is `\N`. A NUL, which PostgreSQL cannot store, is left out. */
function copyValue(value: string | number | null): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  const text = value.includes('\0') ? value.replaceAll('\0', '') : value;
  return SPECIAL.test(text) ? text.replace(SPECIALS, (found) => ESCAPES[found]!) : text;
}

const VALUES = MERGE_FIELDS.join(', ');
/** Rows that are added between two progress updates. */
const BATCH = 100_000;

interface IncomingRow {
  line: number;
  msisdn: string;
  /** Number as it was written in the file, if that differs. */
  given: string | null;
}

/** Row with a number that the list already has, or that the file has in the line `first`. */
export interface Duplicate {
  line: number;
  number: string;
  given: string | null;
  first: number | null;
}

/** Good rows on their way to a list, staged in a temporary table of the session. */
export interface IncomingNumbers {
  /** Adds a row. Of two rows with the same number, the one with the lower line is kept. */
  add(row: IncomingRow, values: readonly (string | null)[]): void;
  /** Sends the added rows; resolves when more may be added. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the staging table of a session. COPY needs it: PostgreSQL refuses COPY on tables with row level security. */
export async function openIncoming(client: pg.PoolClient): Promise<IncomingNumbers> {
  await client.query(`DROP TABLE IF EXISTS pg_temp.incoming`);
  await client.query(`CREATE TEMP TABLE incoming (line integer, number text COLLATE "C", given text,
    ${MERGE_FIELDS.map((field) => `${field} text`).join(', ')})`);
  const stream = client.query(copyFrom(`COPY incoming (line, number, given, ${VALUES}) FROM STDIN`));
  const ended = once(stream, 'finish');
  // The error is thrown when the stream is next drained or closed. A failed stream must not be written to.
  let failure: unknown;
  ended.catch((error: unknown) => {
    failure = error;
  });
  let waiting = '';
  return {
    add({ line, msisdn, given }, values) {
      waiting += `${line}\t${msisdn}\t${copyValue(given)}`;
      for (const value of values) waiting += `\t${copyValue(value)}`;
      waiting += '\n';
    },
    async drain() {
      const text = waiting;
      waiting = '';
      if (failure) throw failure;
      if (text && !stream.write(text)) await Promise.race([once(stream, 'drain'), ended]);
    },
    async close() {
      if (failure) throw failure;
      stream.end();
      await ended;
    },
  };
}

// Each batch is in the order of its numbers. So the index of the primary key grows at one place only, and the list is
// later read in the order on the disk.
const ADD_BATCH = `
  INSERT INTO number_list_number (number_list_id, number, ${VALUES})
  SELECT $1, number, ${VALUES} FROM incoming WHERE number >= $2 AND ($3::text IS NULL OR number < $3)
  ORDER BY number, line
  ON CONFLICT DO NOTHING`;

/**
 * Adds the staged rows to the list and ends the import, all in one transaction. Numbers that the list, or an earlier
 * line of the file, already has are counted as duplicates. Returns false if the import has ended meanwhile.
 */
export async function addIncoming(
  client: pg.PoolClient,
  target: { id: number; number_list_id: number },
  accepted: number,
  options: {
    signal: AbortSignal;
    finished_at: string;
    onProgress: (added: number) => Promise<void>;
    /** Receives the rows that are not added, in the order of the file. */
    onDuplicates: (rows: readonly Duplicate[]) => Promise<void>;
    /** Called before the import ends. */
    beforeEnd: () => Promise<void>;
  },
): Promise<boolean> {
  await client.query('CREATE INDEX ON incoming (number, line)');
  await client.query('ANALYZE incoming');
  await client.query('BEGIN');
  // Two imports into one list would otherwise wait for each other's numbers in a circle.
  await client.query('SELECT pg_advisory_xact_lock($1, hashint8($2))', [LIST_LOCK, target.number_list_id]);
  const present = await client.query("SELECT FROM task WHERE type = 'import' AND id = $1 AND finished_at IS NULL", [
    target.id,
  ]);
  if (present.rowCount === 0) return undo(client);
  let added = 0;
  for (let from: string | null = ''; from !== null; ) {
    options.signal.throwIfAborted();
    const next: pg.QueryResult<{ number: string }> = await client.query(
      `SELECT number FROM incoming WHERE number >= $1 ORDER BY number OFFSET ${BATCH} LIMIT 1`,
      [from],
    );
    // Rows of one number may fill a whole batch. Then it ends after them.
    const boundary: string | null = next.rows[0]
      ? next.rows[0].number === from
        ? `${from}0`
        : next.rows[0].number
      : null;
    const inserted = await client.query(ADD_BATCH, [target.number_list_id, from, boundary]);
    added += inserted.rowCount ?? 0;
    from = boundary;
    await options.onProgress(added);
  }
  if (added < accepted) await tellDuplicates(client, target.number_list_id, options);
  await options.beforeEnd();
  await client.query('UPDATE number_list SET numbers_count = numbers_count + $2 WHERE id = $1', [
    target.number_list_id,
    added,
  ]);
  const ended = await client.query(
    `UPDATE task SET state = 'done', rows_added = $2, rows_duplicate = $3, finished_at = $4
     WHERE type = 'import' AND id = $1 AND finished_at IS NULL`,
    [target.id, added, accepted - added, options.finished_at],
  );
  if (ended.rowCount === 0) return undo(client);
  failpoint('import.before-commit');
  await client.query('COMMIT');
  failpoint('import.after-commit');
  await client.query('DROP TABLE pg_temp.incoming');
  return true;
}

/** Rolls back because the import has ended: by another worker, or by the person who asked for it. */
async function undo(client: pg.PoolClient): Promise<false> {
  await client.query('ROLLBACK');
  return false;
}

// Rows that this transaction has added are recognized by its transaction id. Of the rows of one number, the first was
// added, or none.
const DUPLICATES = `
  DECLARE duplicates NO SCROLL CURSOR FOR
  SELECT i.line, i.number, i.given, CASE WHEN i.line > i.first THEN i.first END AS first FROM (
    SELECT line, number, given, first_value(line) OVER (PARTITION BY number ORDER BY line) AS first FROM incoming) i
  WHERE i.line > i.first OR EXISTS (SELECT FROM number_list_number n WHERE n.number_list_id = $1 AND n.number = i.number
    AND n.xmin <> pg_current_xact_id()::xid)
  ORDER BY i.line`;
const FETCHED = 10_000;

async function tellDuplicates(
  client: pg.PoolClient,
  listId: number,
  { signal, onDuplicates }: Parameters<typeof addIncoming>[3],
): Promise<void> {
  await client.query(DUPLICATES, [listId]);
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await client.query<Duplicate>(`FETCH ${FETCHED} FROM duplicates`);
    await onDuplicates(rows);
    if (rows.length < FETCHED) break;
  }
  await client.query('CLOSE duplicates');
}

/** First half of an advisory lock; any fixed number. Work that changes many numbers of a list takes this lock. */
export const LIST_LOCK = 48_571_917;
