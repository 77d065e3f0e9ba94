import { exportNumbers, exportOptOuts } from '@heliograph/contract/contacts/list-job';
import { listNumber, numberSelection } from '@heliograph/contract/contacts/number-list';
import { optOut } from '@heliograph/contract/contacts/opt-out';
import { MERGE_FIELDS } from '@heliograph/contract/kernel/merge-fields';
import { LOCALES } from '@heliograph/contract/kernel/scope';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { shownTo } from '#platform/access/hidden-numbers';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Caller } from '#platform/context';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readNumberRules } from '#platform/operator/number-rules';
import { createTable } from '#platform/table/table-file';
import { askForDownload, type Download, downloadJob, type Tell, writeDownload } from '#platform/tasks/downloads';
import { type ListContext, type LoadCaller, readAs, stillAllowed } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { findList } from './list-jobs.ts';
import { selectedNumbers } from './number-selection.ts';

/** Job that writes numbers or opt-outs to a file. */
export const exportNumbersJob = downloadJob('export-numbers');

const KINDS = { numbers: 'numbers', optOuts: 'opt-outs' } as const;
const numbersParameters = z.object({
  number_list_id: z.int(),
  selection: numberSelection,
  locale: z.enum(LOCALES),
});
const optOutParameters = z.object({ locale: z.enum(LOCALES) });
type Worker = Pick<WorkerContext, 'database' | 'config' | 'log' | 'clock'>;

const PAGE = 20_000;
/** Columns with the names of an import, so that the file can be imported again. */
const NUMBER_COLUMNS = ['number', ...MERGE_FIELDS] as const;
const OPT_OUT_COLUMNS = [
  'number',
  'corporation_name',
  'active',
  'source',
  'opted_out_at',
  'created_at',
  'recipient',
  'keyword',
  'message',
  'note',
  'user_name',
  'ended_at',
  'ended_message',
] as const;

/** Mounts the calls that request a file. */
export function exportNumberRoutes(app: App): void {
  mount(app, exportNumbers, async (ctx, { params, body }) => {
    const list = await findList(ctx, params.id);
    const parameters = { number_list_id: list.id, selection: body.selection, locale: ctx.locale };
    const file = `${list.name.replace(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'numbers'}.csv`;
    const { corporation_id } = list;
    return askForDownload(ctx, exportNumbersJob, {
      kind: KINDS.numbers,
      download_file: file,
      corporation_id,
      parameters,
    });
  });
  mount(app, exportOptOuts, async (ctx) => {
    const parameters = { locale: ctx.locale };
    return askForDownload(ctx, exportNumbersJob, { kind: KINDS.optOuts, download_file: 'opt-outs.csv', parameters });
  });
}

/** Writes the file of a download under the current scope of the person who asked for it. */
export async function writeNumbers(
  worker: Worker,
  loadCaller: LoadCaller,
  downloadId: number,
  signal: AbortSignal,
): Promise<void> {
  await writeDownload(worker, downloadId, signal, {
    kinds: Object.values(KINDS),
    extension: () => 'csv',
    async write(row, path, tell) {
      const { permission } = row.kind === KINDS.numbers ? exportNumbers : exportOptOuts;
      const caller = await stillAllowed(loadCaller, row, permission!);
      return writeFile(worker, caller, row, path, { tell, signal });
    },
  });
}

type Page = (after: string | number) => RawBuilder<Record<string, string | boolean | null> & { key: string | number }>;

async function writeFile(
  { database, clock }: Worker,
  caller: Caller,
  row: Download,
  path: string,
  { tell, signal }: { tell: Tell; signal: AbortSignal },
): Promise<number> {
  const {
    columns,
    heading,
    row: schema,
    first,
    page,
  } = await readAs(database, caller, (db) => contentOf({ db, caller, clock, locale: caller.locale }, row));
  const file = await createTable('csv', path);
  let rows = 0;
  try {
    await file.write([heading]);
    for (let after = first; ; ) {
      signal.throwIfAborted();
      const from = after;
      const found = await readAs(database, caller, async (db) => (await page(from).execute(db)).rows);
      await file.write(
        shownTo(caller, z.array(schema), found).map((each) => columns.map((column) => each[column] ?? null)),
      );
      rows += found.length;
      if (found.length < PAGE) break;
      after = found.at(-1)!.key;
      await tell(rows);
    }
    await file.end();
    return rows;
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

interface Content {
  columns: readonly string[];
  row: z.ZodType;
  heading: readonly string[];
  first: string | number;
  page: Page;
}

async function contentOf(ctx: ListContext, row: Download): Promise<Content> {
  if (row.kind === KINDS.numbers) {
    const { number_list_id, selection } = numbersParameters.parse(row.parameters);
    await findList(ctx, number_list_id);
    const where = selectedNumbers(selection, await readNumberRules(ctx.db), ctx.caller);
    const content = { columns: NUMBER_COLUMNS, heading: NUMBER_COLUMNS, row: listNumber.row };
    // The order of the numbers would tell a person who may not see them which is larger.
    if (!ctx.caller.numbers_visible)
      return {
        ...content,
        first: 0,
        page: (after) => sql`
          SELECT n.*, n.id AS key FROM number_list_number_row n
          WHERE n.number_list_id = ${number_list_id} AND n.id > ${after} AND ${where} ORDER BY n.id LIMIT ${PAGE}`,
      };
    return {
      ...content,
      first: '',
      page: (after) => sql`
        SELECT n.*, n.number AS key FROM number_list_number_row n
        WHERE n.number_list_id = ${number_list_id} AND n.number > ${after} AND ${where} ORDER BY n.number LIMIT ${PAGE}`,
    };
  }
  const { locale } = optOutParameters.parse(row.parameters);
  const corporations = corporationsOf(ctx.caller);
  const seen =
    corporations === null ? sql`true` : sql`o.corporation_id = ANY (${`{${corporations.join()}}`}::bigint[])`;
  return {
    columns: OPT_OUT_COLUMNS,
    row: optOut.row,
    heading: OPT_OUT_COLUMNS.map((field) => translate(locale, `resources.opt-outs.fields.${field}`)),
    first: 0,
    page: (after) => sql`
      SELECT o.*, o.id AS key FROM opt_out_row o WHERE o.id > ${after} AND ${seen} ORDER BY o.id LIMIT ${PAGE}`,
  };
}
