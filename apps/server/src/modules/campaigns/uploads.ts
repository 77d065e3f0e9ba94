import { uploadCampaignFile } from '@heliograph/contract/campaigns/quote';
import { isBareNumber, parseHeader, UPLOAD_LIMIT_BYTES } from '#modules/contacts';
import { BusinessError } from '#platform/errors';
import { filePath, removeFile, storeFile } from '#platform/files';
import { type App, mountUpload } from '#platform/http';
import { readNumberRules } from '#platform/number-rules';
import { firstRows } from '#platform/table/read-table';

const PREVIEW_ROWS = 5;
const MAX_PREVIEW_CHARACTERS = 100;

/** Mounts the upload of a file of recipients. */
export function uploadRoutes(app: App): void {
  mountUpload(app, uploadCampaignFile, async (base, { file }, run) => {
    const stored = await storeFile(base.config, file.stream, UPLOAD_LIMIT_BYTES);
    try {
      const rows = await firstRows(filePath(base.config, stored.path), PREVIEW_ROWS + 1);
      const cells = rows.map((row) => row.cells.map((cell) => cell.slice(0, MAX_PREVIEW_CHARACTERS)));
      return await run(async (ctx) => {
        const [first] = rows;
        const header = first && parseHeader(first.cells);
        if (!first || (!header && !isBareNumber(first, await readNumberRules(ctx.db)))) {
          throw new BusinessError('file_headers_invalid');
        }
        const columns = header ? cells[0]!.map((cell) => cell.trim().toLowerCase()) : ['number'];
        const preview = (header ? cells.slice(1) : cells).slice(0, PREVIEW_ROWS);
        const row = await ctx.db
          .insertInto('upload')
          .values({
            corporation_id: ctx.caller.corporation_id,
            user_id: ctx.caller.user_id,
            file_name: file.file_name.slice(0, 255),
            file_path: stored.path,
            size: stored.size,
            columns: JSON.stringify(columns),
            preview: JSON.stringify(preview),
          })
          .returning(['id', 'file_name', 'size'])
          .executeTakeFirstOrThrow();
        return { data: { ...row, columns, preview } };
      });
    } catch (error) {
      await removeFile(base.config, stored.path);
      throw error;
    }
  });
}
