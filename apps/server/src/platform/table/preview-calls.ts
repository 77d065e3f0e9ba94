import { PREVIEW_BYTES, previewFile } from '@heliograph/contract/kernel/file-reading';
import { lookAtFile } from '../files/files.ts';
import { type App, mountUpload } from '../http/http.ts';
import { translate } from '../text/i18n.ts';
import { firstRows, type TableRow } from './read-table.ts';

/** Largest file of any upload. */
const LIMIT_BYTES = 200 * 1024 * 1024;
/** Rows below the headings that are shown. */
const SHOWN_ROWS = 5;
const [MAX_CELLS, MAX_CHARACTERS] = [64, 200];

/** Mounts the preview of a file that a person is about to upload; nothing of it is stored. */
export function previewRoutes(app: App): void {
  mountUpload(app, previewFile, async ({ config, caller, locale }, { query: reading, file }) => {
    const look = (path: string, size: number) =>
      firstRows(path, SHOWN_ROWS + 1, { tenant: caller.corporation_id, reading, cut: size === PREVIEW_BYTES });
    const { rows, above, read_as, fault } = await lookAtFile(config, file.stream, LIMIT_BYTES, look);
    return {
      data: {
        read_as,
        rows: shownRows([...above, ...rows]),
        fault: fault && translate(locale, `errors.${fault.code}`, fault.params),
      },
    };
  });
}

/** Rows as a preview shows them, long cells cut. */
export const shownRows = (rows: readonly TableRow[]) =>
  rows.map(({ line, cells }) => ({
    line,
    cells: cells.slice(0, MAX_CELLS).map((cell) => cell.slice(0, MAX_CHARACTERS).replaceAll('\0', '')),
  }));
