import { type ListFormat, LOG_FORMATS, PRINTED_FORMATS } from '@heliograph/contract/kernel/file-format';
import { maskText } from '@heliograph/contract/kernel/masking';
import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { shownTo } from '../access/hidden-numbers.ts';
import { type Caller, type Context, setScope } from '../context.ts';
import type { Database } from '../database/db.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { homeOf, type Viewer } from '../person/home.ts';
import { type Cells, createLines, createTable } from '../table/table-file.ts';
import type { PrintedTable } from '../table/write-pdf.ts';
import { translate } from '../text/i18n.ts';
import { shownTexts } from '../text/shown-texts.ts';
import { askForDownload, type Download, type downloadJob, writeDownload } from './downloads.ts';
import { type ReportFile, reportFileName } from './report-name.ts';

/** Context in which the pages of a list are read, in a call and in a job. */
export type ListContext = Viewer & Pick<Context, 'clock' | 'locale'>;
interface Page<Row> {
  data: readonly Row[];
  next_cursor: string | null;
}

/** List as a file: the same pages that its screen shows, in the language of the person who asked. */
export interface ExportedList<Filters = never, Row = unknown> {
  /** `download.kind`, and the beginning of the file's name. */
  kind: string;
  permission: string;
  /** Name of a workbook's sheet; that of the screen `kind` if absent. */
  sheet?: MessageKey;
  filters: z.ZodType;
  page(ctx: ListContext, query: Filters & { limit: number; cursor: string | undefined }): Promise<Page<Row>>;
  heading(filters: Filters, locale: Locale): string[];
  cells(row: Row, filters: Filters, locale: Locale, zone: string): Cells;
  /** Schema of a row with numbers of recipients or repliers; without it they are masked only in texts. */
  row?: z.ZodType;
  /** True if no cell can hold such a number. */
  withoutNumbers?: true;
  /** Value that programs read, for a list that is also written as JSON lines. */
  value?(row: Row): object;
  /** Look on paper, for a list that is also printed. */
  printed?(ctx: ListContext, filters: Filters): Promise<PrintedTable>;
}

const asked = z.object({
  format: z.enum([...PRINTED_FORMATS, ...LOG_FORMATS]),
  locale: z.enum(LOCALES),
  filters: z.unknown(),
  /** Time zone of the person's screen when they asked; missing for requests made before it was stored. */
  timezone: z.string().optional(),
});
const PAGE = 1_000;

/** Puts a request for the file of a list into the queue. The filters are valid: a page with them has been read. */
export async function askForList(
  ctx: ListContext,
  job: ReturnType<typeof downloadJob>,
  { kind }: Pick<ExportedList, 'kind'>,
  { format, ...filters }: { format: ListFormat } & ReportFile['filters'],
) {
  const { timezone } = await homeOf(ctx);
  const parameters: z.input<typeof asked> & { locale: Locale } = { format, locale: ctx.locale, filters, timezone };
  const download_file = await reportFileName(ctx, { report: kind, timezone, format, filters });
  return askForDownload(ctx, job, { kind, download_file, parameters });
}

type Worker = Pick<WorkerContext, 'database' | 'standby' | 'config' | 'log' | 'clock'>;

/** Loads a person with their present rights; null if they may not use the product any more. */
export type LoadCaller = (userId: number) => Promise<Caller | null>;

/** Loads the person who asked for a file, with their present rights; throws if they may not have it any more. */
export async function stillAllowed(loadCaller: LoadCaller, row: Download, permission: string): Promise<Caller> {
  const caller = await loadCaller(row.user_id);
  if (!caller?.permissions.has(permission)) throw new Error('the person no longer has the right to export');
  // A file that was asked for without the right to see numbers stays without them.
  return { ...caller, numbers_visible: caller.numbers_visible && row.numbers_visible };
}

/** Reads in a short transaction with the API's role and the caller's scope. */
export const readAs = <Result>(
  database: Kysely<Database>,
  caller: Caller,
  read: (db: Kysely<Database>) => Promise<Result>,
): Promise<Result> =>
  database.transaction().execute(async (db) => {
    await sql`SET LOCAL ROLE heliograph_api`.execute(db);
    await setScope(db, caller);
    return read(db);
  });

/** Writes the file of a download of one of these lists, under the scope of the person who asked for it. */
export async function exportList(
  worker: Worker,
  loadCaller: LoadCaller,
  lists: readonly ExportedList[],
  downloadId: number,
  signal: AbortSignal,
): Promise<void> {
  await writeDownload(worker, downloadId, signal, {
    kinds: lists.map(({ kind }) => kind),
    extension: (row) => asked.parse(row.parameters).format,
    async write(row, path, tell) {
      const list = lists.find(({ kind }) => kind === row.kind)!;
      const caller = await stillAllowed(loadCaller, row, list.permission);
      return writePages(worker, caller, list, row, path, { tell, signal });
    },
  });
}

async function writePages(
  { database, standby, clock, config }: Worker,
  caller: Caller,
  list: ExportedList,
  row: Download,
  path: string,
  { tell, signal }: { tell: (rows: number) => Promise<void>; signal: AbortSignal },
): Promise<number> {
  const { format, locale, filters: kept, timezone: chosen } = asked.parse(row.parameters);
  const filters = list.filters.parse(kept) as never;
  const { timezone } = await homeOf({ db: database, caller, timezone: chosen });
  const sheet = translate(locale, list.sheet ?? keyIn('menu', list.kind));
  const printed = await readAs(database, caller, async (db) =>
    format === 'pdf' ? list.printed?.({ db, caller, clock, locale, timezone }, filters) : undefined,
  );
  const isLines = format === 'jsonl';
  const file = isLines ? await createLines(path) : await createTable(format, path, { sheet, printed });
  const shownCell = (cell: Cells[number]) =>
    caller.numbers_visible || list.withoutNumbers || typeof cell !== 'string' ? cell : maskText(cell);
  const cellsOf = (found: unknown): Cells => {
    const each = list.row ? shownTo(caller, list.row, found) : found;
    return (isLines ? [JSON.stringify(list.value!(each))] : list.cells(each, filters, locale, timezone)).map(shownCell);
  };
  let rows = 0;
  try {
    if (!isLines) await file.write([list.heading(filters, locale)]);
    for (let cursor: string | null | undefined; cursor !== null; ) {
      signal.throwIfAborted();
      const at: string | undefined = cursor;
      const place = standby?.place()?.database ?? database;
      const page: Page<unknown> = await readAs(place, caller, async (db) => {
        const asked = { ...(filters as object), limit: PAGE, cursor: at } as never;
        return shownTexts({ db, config, locale }, await list.page({ db, caller, clock, locale, timezone }, asked));
      });
      if (page.data.length > 0) await file.write(page.data.map(cellsOf));
      rows += page.data.length;
      cursor = page.next_cursor;
      await tell(rows);
    }
    await file.end();
    return rows;
  } catch (error) {
    await file.abandon();
    throw error;
  }
}
