import type { Readable } from 'node:stream';
import { rereadCampaignFile, uploadCampaignFile, type uploadRow } from '@heliograph/contract/campaigns/recipient-file';
import type { FileReading, ReadAs } from '@heliograph/contract/kernel/file-reading';
import { HEAD_ROWS } from '@heliograph/contract/kernel/find-columns';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import { UPLOAD_LIMIT_BYTES } from '#modules/contacts';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { readFile, removeFile, storeFile } from '#platform/files/files';
import { type App, mountOutside, mountUpload } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import { readNumberRules } from '#platform/operator/number-rules';
import { shownRows } from '#platform/table/preview-calls';
import { firstRows, type TablePreview } from '#platform/table/read-table';
import { type ColumnMapping, readHead } from './recipient-file.ts';

const PREVIEW_ROWS = 5;
const MAX_PREVIEW_CHARACTERS = 1_600;

export type UploadRow = z.input<typeof uploadRow>;

/**
 * Retention of files that belong to no campaign or draft. Copies and repetitions of campaigns read the others again.
 */
export const uploadRetention: Retention = {
  table: 'upload',
  days: 1,
  since: 'created_at',
  when: sql`NOT EXISTS (SELECT FROM campaign c WHERE (c.content ->> 'file_id')::bigint = t.id)
    AND NOT EXISTS (SELECT FROM campaign_draft d WHERE (d.content ->> 'file_id')::bigint = t.id)`,
  rows: 200,
  file: 'file_path',
  nightly: true,
};

type Base = Omit<Context, 'db' | 'afterCommit'>;
type Run = <R>(work: (ctx: Context) => Promise<R>) => Promise<R>;

/** Mounts the upload of a file of recipients, and reading it again with other settings. */
export function uploadRoutes(app: App): void {
  mountUpload(app, uploadCampaignFile, (base, { query, file }, run) =>
    takeIn(base, file.stream, file.file_name, query, run),
  );
  mountOutside(app, rereadCampaignFile, async (base, { params, body }, run) => {
    const found = await run(({ db, caller }) =>
      db
        .selectFrom('upload')
        .select(['file_path', 'file_name'])
        .where('id', '=', params.id)
        .where('user_id', '=', caller.user_id)
        .executeTakeFirst(),
    );
    if (!found) throw new BusinessError('not_found');
    // The new reading gets its own file. Campaigns made from the other reading keep theirs.
    return takeIn(base, await readFile(base.config, found.file_path), found.file_name, body, run);
  });
}

async function takeIn(base: Base, source: Readable, file_name: string, reading: FileReading, run: Run) {
  const tenant = base.caller.corporation_id;
  const stored = await storeFile(base.config, source, UPLOAD_LIMIT_BYTES, async (local) => {
    const seen = await firstRows(local, HEAD_ROWS, { tenant, reading });
    if (seen.fault) throw seen.fault;
    return seen;
  });
  try {
    return await run(async (ctx) => {
      const { remembered, ...described } = await describe(ctx, stored.seen, stored.size);
      const row = await ctx.db
        .insertInto('upload')
        .values({
          corporation_id: ctx.caller.corporation_id,
          user_id: ctx.caller.user_id,
          file_name: file_name.slice(0, 255),
          file_path: stored.path,
          size: stored.size,
          reading: JSON.stringify(reading),
          ...described,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { data: { ...uploadOnWire(row), remembered } };
    });
  } catch (error) {
    await removeFile(base.config, stored.path);
    throw error;
  }
}

/** Describes a file by its first rows, for its record. */
async function describe(ctx: Context, { rows, above, read_as }: TablePreview, size: number) {
  const head = readHead(rows, await readNumberRules(ctx.db), PREVIEW_ROWS);
  if (!head) throw new BusinessError('file_headers_invalid');
  const mapping = await rememberedMapping(ctx, head.header_key, head.columns.length);
  const preview = head.preview.map((row) => row.map((cell) => cell.slice(0, MAX_PREVIEW_CHARACTERS)));
  return {
    columns: JSON.stringify(head.columns),
    preview: JSON.stringify(preview),
    mapping: JSON.stringify(mapping ?? head.mapping),
    header_key: head.header_key,
    rows_estimate: estimate(size, rows),
    read_as: JSON.stringify({ ...read_as, first_rows: shownRows([...above, ...rows.slice(0, PREVIEW_ROWS + 1)]) }),
    remembered: mapping !== null,
  };
}

/** Converts a stored file for its user. */
export function uploadOnWire(row: Selectable<Database['upload']>): UploadRow {
  const columns = row.columns as string[];
  const kept = row.read_as as (ReadAs & Pick<UploadRow, 'first_rows'>) | null;
  return {
    id: row.id,
    file_name: row.file_name,
    size: row.size,
    columns,
    preview: row.preview as string[][],
    mapping: (row.mapping as UploadRow['mapping'] | null) ?? columns.map(() => null),
    remembered: false,
    read_as: kept,
    reading: row.reading as FileReading,
    first_rows: kept?.first_rows ?? [],
  };
}

/**
 * Returns the settings that read a file for a campaign: those of its preview. For older files without stored settings
 * they are detected again.
 */
export function readingOf({ read_as }: Pick<Selectable<Database['upload']>, 'read_as'>): FileReading {
  const { encoding, separator, sheet, header_row } = (read_as ?? {}) as Partial<ReadAs>;
  return {
    encoding: encoding ?? undefined,
    separator: separator ?? undefined,
    sheet: sheet ?? undefined,
    header_row,
  };
}

/**
 * Estimates the rows of a file by the length of its first ones. A workbook is compressed, so null is returned for it.
 */
function estimate(bytes: number, rows: readonly { cells: readonly string[] }[]): number | null {
  const seen = rows.reduce((sum, { cells }) => sum + cells.join(',').length + 1, 0);
  if (rows.length <= PREVIEW_ROWS || bytes < seen) return null;
  return Math.round((bytes / seen) * rows.length);
}

async function rememberedMapping(ctx: Context, headerKey: string, width: number): Promise<ColumnMapping | null> {
  const row = await ctx.db
    .selectFrom('column_mapping')
    .select('mapping')
    .where('user_id', '=', ctx.caller.user_id)
    .where('header_key', '=', headerKey)
    .executeTakeFirst();
  const mapping = row?.mapping as ColumnMapping | undefined;
  return mapping?.length === width ? mapping : null;
}

/** Stores how a person maps files with this header, for the next such file. */
export async function rememberMapping(
  db: Kysely<Database>,
  caller: Pick<Context['caller'], 'user_id' | 'corporation_id'>,
  headerKey: string,
  mapping: ColumnMapping,
): Promise<void> {
  await db
    .insertInto('column_mapping')
    .values({
      user_id: caller.user_id,
      corporation_id: caller.corporation_id,
      header_key: headerKey,
      mapping: JSON.stringify(mapping),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'header_key'])
        .doUpdateSet((eb) => ({ mapping: eb.ref('excluded.mapping'), used_at: new Date().toISOString() })),
    )
    .execute();
}
