import { uploadCampaignFile, type uploadRow } from '@heliograph/contract/campaigns/recipient-file';
import { HEAD_ROWS } from '@heliograph/contract/kernel/find-columns';
import type { Kysely, Selectable } from 'kysely';
import type { z } from 'zod';
import { UPLOAD_LIMIT_BYTES } from '#modules/contacts';
import type { Context } from '#platform/context';
import type { Database } from '#platform/db';
import { BusinessError } from '#platform/errors';
import { removeFile, storeFile } from '#platform/files';
import { type App, mountUpload } from '#platform/http';
import { readNumberRules } from '#platform/number-rules';
import { firstRows } from '#platform/table/read-table';
import { type ColumnMapping, readHead } from './recipient-file.ts';

const PREVIEW_ROWS = 5;
const MAX_PREVIEW_CHARACTERS = 1_600;

export type UploadRow = z.input<typeof uploadRow>;

/** Mounts the upload of a file of recipients. */
export function uploadRoutes(app: App): void {
  mountUpload(app, uploadCampaignFile, async (base, { file }, run) => {
    const stored = await storeFile(base.config, file.stream, UPLOAD_LIMIT_BYTES, (local) =>
      firstRows(local, HEAD_ROWS, { tenant: base.caller.corporation_id }),
    );
    const { rows } = stored.seen;
    try {
      return await run(async (ctx) => {
        const head = readHead(rows, await readNumberRules(ctx.db), PREVIEW_ROWS);
        if (!head) throw new BusinessError('file_headers_invalid');
        const remembered = await rememberedMapping(ctx, head.header_key, head.columns.length);
        const preview = head.preview.map((row) => row.map((cell) => cell.slice(0, MAX_PREVIEW_CHARACTERS)));
        const row = await ctx.db
          .insertInto('upload')
          .values({
            corporation_id: ctx.caller.corporation_id,
            user_id: ctx.caller.user_id,
            file_name: file.file_name.slice(0, 255),
            file_path: stored.path,
            size: stored.size,
            columns: JSON.stringify(head.columns),
            preview: JSON.stringify(preview),
            mapping: JSON.stringify(remembered ?? head.mapping),
            header_key: head.header_key,
            rows_estimate: estimate(stored.size, rows),
          })
          .returningAll()
          .executeTakeFirstOrThrow();
        return { data: { ...uploadOnWire(row), remembered: remembered !== null } };
      });
    } catch (error) {
      await removeFile(base.config, stored.path);
      throw error;
    }
  });
}

/** A stored file as its person sees it. */
export function uploadOnWire(row: Selectable<Database['upload']>): UploadRow {
  const columns = row.columns as string[];
  return {
    id: row.id,
    file_name: row.file_name,
    size: row.size,
    columns,
    preview: row.preview as string[][],
    mapping: (row.mapping as UploadRow['mapping'] | null) ?? columns.map(() => null),
    remembered: false,
  };
}

/** How many rows a file may have, by the length of its first; a workbook is packed, and nothing is told of it. */
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

/** Keeps how a person reads files with this one's header, for the next of them. */
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
