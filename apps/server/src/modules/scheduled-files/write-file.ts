import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { maskText } from '@heliograph/contract/kernel/masking';
import { FILE_COLUMNS } from '@heliograph/contract/scheduled-files/scheduled-file';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { copyOfMessages, nextBatch, selectionBetween } from '#modules/reports';
import { becomeCaller, type Caller } from '#platform/context';
import { rowsOf } from '#platform/database/queryable';
import { failpoint } from '#platform/failpoints';
import { dropDraft, keepDraft, newDraft, newFile, removeFile } from '#platform/files/files';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { openLines } from '#platform/text/open-lines';

type Worker = Pick<WorkerContext, 'pool' | 'config' | 'clock'>;

/** Run whose file is to be written. */
export interface OpenRun {
  id: number;
  scheduled_file_id: number;
  corporation_id: number | null;
  texts: boolean;
  numbers: boolean;
  period_start: string;
  period_end: string;
}

/** Messages that one statement writes: enough to be quick, few enough that no snapshot gets old. */
const BATCH = 20_000;

/**
 * Reader with the rights of the owner of a file: the platform, or the administrators of a corporation. It has no
 * session and may do nothing but read messages.
 */
async function readerFor(pool: pg.Pool, { corporation_id, texts, numbers }: OpenRun): Promise<Caller> {
  const corporations =
    corporation_id === null
      ? []
      : await rowsOf<{ id: number }>(
          pool,
          `SELECT c.id FROM corporation c JOIN corporation own ON own.id = $1
           WHERE c.id = own.id OR (own.is_reseller AND c.reseller_id = own.id) ORDER BY c.id`,
          [corporation_id],
        );
  const level = corporation_id === null ? 1 : 2;
  return {
    user_id: 0,
    name: '',
    email: '',
    role: '',
    scope_level: level,
    seen_level: level,
    corporation_id,
    department_id: null,
    billing_account_id: null,
    corporations: corporations.map(({ id }) => id),
    permissions: new Set(),
    locale: 'en',
    session_id: '',
    proved_at: null,
    address: '',
    needs_passkey: false,
    verified: true,
    content_visible: texts,
    numbers_visible: numbers,
    skip_blacklist: false,
    skip_signature: false,
    skip_blackout: false,
  };
}

/** Reads the messages of a period as lines of CSV, in short transactions with the reader's access. */
async function* linesOf(
  { pool, config }: Worker,
  reader: Caller,
  run: OpenRun,
  count: { rows: number },
  signal: AbortSignal,
) {
  yield Buffer.from(`${FILE_COLUMNS.join(',')}\n`);
  const selection = selectionBetween(reader, run.period_start, run.period_end);
  const shown = (text: string) => (run.numbers ? text : maskText(text));
  const textReader = { db: pool, config, locale: reader.locale, shown };
  const client = await pool.connect();
  let clean = false;
  try {
    for (let before = selection.past; ; ) {
      signal.throwIfAborted();
      await client.query('BEGIN READ ONLY');
      await becomeCaller(client, reader);
      const ask = async (text: string, values: unknown[]) => (await client.query(text, values)).rows;
      const batch = await nextBatch(ask, selection, before, BATCH);
      if (batch) {
        const lines = client.query(copyTo(copyOfMessages(selection, batch, before, FILE_COLUMNS)));
        yield* openLines(lines, textReader);
        count.rows += lines.rowCount;
      }
      await client.query('COMMIT');
      if (!batch) break;
      before = batch.reached;
    }
    clean = true;
  } finally {
    // A session with a failed transaction must not be used again.
    client.release(!clean);
  }
}

/**
 * Writes the file of a run and stores it: its content is then decided. If another worker stored one meanwhile, that one
 * counts and ours is removed.
 */
export async function writeFile(worker: Worker, run: OpenRun, signal: AbortSignal): Promise<void> {
  const { pool, config, clock } = worker;
  const path = newFile('exports', 'gz');
  const draft = await newDraft(config, path);
  const count = { rows: 0 };
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece);
      bytes += piece.length;
      done(null, piece);
    },
  });
  try {
    const lines = Readable.from(linesOf(worker, await readerFor(pool, run), run, count, signal));
    await pipeline(lines, createGzip(), measure, createWriteStream(draft, { mode: 0o600 }), { signal });
    await keepDraft(config, path);
  } catch (error) {
    await dropDraft(config, path);
    throw error;
  }
  failpoint('file.written');
  const stored = await rowsOf(
    pool,
    `UPDATE scheduled_file_run r SET kept_path = $2, rows = $3, bytes = $4, sha256 = $5, written_at = $6,
       previous_sha256 = (SELECT p.sha256 FROM scheduled_file_run p
         WHERE p.scheduled_file_id = r.scheduled_file_id AND p.period_start < r.period_start ORDER BY p.period_start DESC LIMIT 1)
     WHERE id = $1 AND sha256 IS NULL RETURNING id`,
    [run.id, path, count.rows, bytes, hash.digest('hex'), clock.now().toISOString()],
  );
  if (stored.length === 0) await removeFile(config, path);
  failpoint('file.recorded');
}
