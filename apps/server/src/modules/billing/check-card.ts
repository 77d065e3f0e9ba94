import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { nameKey } from '@heliograph/contract/kernel/name-key';
import type { Kysely } from 'kysely';
import { analyze } from '#platform/database/analyze';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { type FilesConfig, localFile } from '#platform/files/files';
import { readSettings } from '#platform/operator/settings';
import { type Voice, voiceOf } from '#platform/person/voice';
import { dateIn } from '#platform/records/period';
import { readTable, type TableSource } from '#platform/table/read-table';
import { openRejectFile } from '#platform/tasks/reject-file';
import { runTask, type TaskRun, type TaskWorker } from '#platform/tasks/run-task';
import {
  type CardHeader,
  type CardRow,
  consistentRows,
  parseCardHeader,
  parseCardRow,
  type RefusedRow,
} from './card-row.ts';
import { cardTask } from './card-upload.ts';
import { rowsOf } from './sql.ts';

/** Maximum rows of a card, because the whole card is compared in memory. */
const MOST_ROWS = 500_000;
const STAGED_AT_ONCE = 10_000;
const SHOWN = 20;

/**
 * Reads an uploaded card and finds its changes, without changing the plan's rates. A retry begins again. A card that
 * was discarded meanwhile stays discarded.
 */
export const checkCard = (worker: TaskWorker, uploadId: number, signal: AbortSignal): Promise<void> =>
  runTask(worker, cardTask, uploadId, signal, (run) => check(worker, run), ['checking']);

async function check(worker: TaskWorker, run: TaskRun): Promise<void> {
  const { database, config } = worker;
  const { task: upload, signal } = run;
  const { rows, refused, rows_read } = await readCard(worker, run);
  const apart = consistentRows(rows);
  refused.push(...apart.refused);
  if (rows_read === 0) throw new BusinessError('file_headers_invalid');
  await database.transaction().execute(async (db) => {
    await db.deleteFrom('card_upload_row').where('card_upload_id', '=', upload.id).execute();
    for (let start = 0; start < apart.good.length; start += STAGED_AT_ONCE)
      await rowsOf(db, STAGE, stageValues(upload.id, apart.good.slice(start, start + STAGED_AT_ONCE)));
  });
  await analyze(database, 'card_upload_row', 'rate');
  signal.throwIfAborted();
  await database.transaction().execute(async (db) => {
    for (const { line, starts_on } of await rowsOf<CardRow>(db, REFUSE_OVERLAPS, [upload.id, upload.price_plan_id]))
      refused.push({ line, field: 'starts_on', value: starts_on, fault: 'overlaps' });
    refused.sort((a, b) => a.line - b.line);
    await writeRefused(config, upload.error_path!, refused, await voiceOf(db, upload.user_id));
    const [counts] = await rowsOf<Record<'rows_new' | 'rows_changed' | 'rows_same' | 'rates_missing', number>>(
      db,
      COUNT,
      [upload.id, upload.price_plan_id],
    );
    const preview = await rowsOf<PreviewRow>(db, PREVIEW, [upload.id, upload.price_plan_id, SHOWN]);
    await run.save(
      {
        ...counts!,
        state: 'ready',
        rows_read,
        rows_rejected: refused.length,
        faults: JSON.stringify(refused.slice(0, SHOWN)),
        preview: JSON.stringify(
          preview.map((row) => ({
            ...row,
            charge: fromThousandths(row.charge),
            present_charge: row.present_charge === null ? null : fromThousandths(row.present_charge),
          })),
        ),
      },
      db,
    );
  });
}

interface PreviewRow {
  charge: number;
  present_charge: number | null;
}

/** Returns the time zone of a plan's owner. For the platform's plans it is the operator's own time zone. */
async function timezoneOf(db: Kysely<Database>, corporationId: number | null): Promise<string> {
  const owner =
    corporationId === null
      ? undefined
      : await db.selectFrom('corporation').select('timezone').where('id', '=', corporationId).executeTakeFirst();
  if (owner) return owner.timezone;
  return (await readSettings(db, ['timezone'])).get('timezone') ?? 'UTC';
}

async function readCard({ database, config, clock }: TaskWorker, { task: upload, signal, save }: TaskRun) {
  const zones = new Map(
    (await database.selectFrom('rate_zone').select(['id', 'name']).execute()).map(({ id, name }) => [
      nameKey(name),
      id,
    ]),
  );
  const today = dateIn(await timezoneOf(database, upload.corporation_id), clock.now());
  const rows: CardRow[] = [];
  const refused: RefusedRow[] = [];
  let header: CardHeader | null = null;
  let rows_read = 0;
  await using file = await localFile(config, upload.file_path!);
  const source: TableSource = {
    tenant: upload.corporation_id,
    reading: upload.reading as FileReading,
    onReadAs: (read_as) => save({ read_as: JSON.stringify(read_as) }),
  };
  for await (const batch of readTable(file.path, source)) {
    signal.throwIfAborted();
    let { rows: read } = batch;
    if (!header) {
      header = parseCardHeader(read[0]!.cells);
      if (!header) throw new BusinessError('file_headers_invalid');
      read = read.slice(1);
    }
    rows_read += read.length;
    if (rows_read > MOST_ROWS)
      throw new BusinessError('card_too_large', { params: { limit: MOST_ROWS.toLocaleString('en') } });
    for (const row of read) {
      const parsed = parseCardRow(row, header, zones, today);
      if ('fault' in parsed) refused.push(parsed);
      else rows.push(parsed);
    }
  }
  return { rows, refused, rows_read };
}

async function writeRefused(
  config: FilesConfig,
  path: string,
  refused: readonly RefusedRow[],
  say: Voice,
): Promise<void> {
  const file = await openRejectFile(config, path);
  await file.add(refused.map(({ line, field, value, fault }) => [line, field, value, say(`card_fault.${fault}`)]));
  await file.close();
}

const STAGE = `
INSERT INTO card_upload_row (card_upload_id, line, rate_zone_id, prefix, charge, starts_on, ends_on, enabled)
SELECT $1, * FROM unnest($2::integer[], $3::bigint[], $4::text[], $5::bigint[], $6::date[], $7::date[], $8::boolean[])`;

const stageValues = (uploadId: number, rows: readonly CardRow[]) => [
  uploadId,
  rows.map((row) => row.line),
  rows.map((row) => row.rate_zone_id),
  rows.map((row) => row.prefix),
  rows.map((row) => row.charge),
  rows.map((row) => row.starts_on),
  rows.map((row) => row.ends_on),
  rows.map((row) => row.enabled),
];

/** Refuses rows with an own end that reach into a rate that starts later and is not in the file. */
const REFUSE_OVERLAPS = `
DELETE FROM card_upload_row s USING rate r
WHERE s.card_upload_id = $1 AND r.price_plan_id = $2 AND r.rate_zone_id = s.rate_zone_id AND r.prefix = s.prefix
  AND r.starts_on > s.starts_on AND r.starts_on <= s.ends_on
  AND NOT EXISTS (SELECT FROM card_upload_row o WHERE o.card_upload_id = $1 AND o.rate_zone_id = r.rate_zone_id
    AND o.prefix = r.prefix AND o.starts_on = r.starts_on)
RETURNING s.line, s.starts_on`;

/** Compares a row with the rate of the same zone, prefix and start. */
const CHANGE = `CASE WHEN r.id IS NULL THEN 'new'
  WHEN (r.charge, r.enabled) = (s.charge, s.enabled) AND (s.ends_on IS NULL OR s.ends_on = r.ends_on) THEN 'same'
  ELSE 'changed' END`;
const PAIRED = `card_upload_row s LEFT JOIN rate r ON r.price_plan_id = $2 AND r.rate_zone_id = s.rate_zone_id
  AND r.prefix = s.prefix AND r.starts_on = s.starts_on`;

const COUNT = `
SELECT count(*) FILTER (WHERE change = 'new') AS rows_new, count(*) FILTER (WHERE change = 'changed') AS rows_changed,
  count(*) FILTER (WHERE change = 'same') AS rows_same,
  (SELECT count(*) FROM rate r WHERE r.price_plan_id = $2 AND NOT EXISTS (SELECT FROM card_upload_row s
    WHERE s.card_upload_id = $1 AND s.rate_zone_id = r.rate_zone_id AND s.prefix = r.prefix AND s.starts_on = r.starts_on)) AS rates_missing
FROM (SELECT ${CHANGE} AS change FROM ${PAIRED} WHERE s.card_upload_id = $1) c`;

const PREVIEW = `
SELECT s.line, z.name AS zone, s.prefix, s.charge, s.starts_on, s.ends_on, s.enabled, ${CHANGE} AS change,
  (SELECT p.charge FROM rate p WHERE p.price_plan_id = $2 AND p.rate_zone_id = s.rate_zone_id AND p.prefix = s.prefix
    AND p.starts_on <= s.starts_on ORDER BY p.starts_on DESC LIMIT 1) AS present_charge
FROM ${PAIRED} JOIN rate_zone z ON z.id = s.rate_zone_id
WHERE s.card_upload_id = $1 ORDER BY s.line LIMIT $3`;
