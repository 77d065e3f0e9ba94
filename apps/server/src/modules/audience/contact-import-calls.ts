import * as contract from '@heliograph/contract/audience/contact-import';
import { listNumber } from '@heliograph/contract/contacts/number-list';
import { fileReading, PREVIEW_BYTES } from '@heliograph/contract/kernel/file-reading';
import { sql } from 'kysely';
import type { z } from 'zod';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { lookAtFile } from '#platform/files/files';
import { type App, mount, mountUpload } from '#platform/http/http';
import { enqueue } from '#platform/jobs/jobs';
import { readNumberRules } from '#platform/operator/number-rules';
import { shownRows } from '#platform/table/preview-calls';
import { firstRows } from '#platform/table/read-table';
import { bulkUploadTask, mountBulkUpload } from '#platform/tasks/bulk-upload';
import type { Task } from '#platform/tasks/task';
import { uploadOnWire } from '#platform/tasks/uploaded-file';
import { translate } from '#platform/text/i18n';
import { tagsOf, targetOf } from './contact-cells.ts';
import { headingsOf, rememberedTargets, storedTargets, suggestColumns } from './contact-columns.ts';
import { contactKind, type importParameters } from './contact-import.ts';
import { listRefused, mendRows } from './contact-mending.ts';
import { undoContactImportJob } from './contact-undo.ts';
import { readContactFields } from './field-values.ts';

const LIMIT_BYTES = 100 * 1024 * 1024;
/** Rows of a file that are looked at for a suggestion, and those that are shown. */
const [LOOKED_AT, SHOWN] = [500, 6];
const DAY_MS = 86_400_000;
const { undoDays } = contract.CONTACT_IMPORT;

/** Mounts the import of contacts: preview, upload, refused rows and undo. */
export function contactImportRoutes(app: App): void {
  previewRoute(app);
  mountBulkUpload(app, contract.uploadContacts, contactKind, async (ctx, query) => {
    const { corporation_id } = query;
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    return { corporation_id, parameters: await parametersOf(ctx, query) };
  });
  mount(app, contract.listContactImports, async (ctx) => {
    const since = new Date(ctx.clock.now().getTime() - undoDays * DAY_MS).toISOString();
    const rows = await ownImports(ctx).where('created_at', '>=', since).orderBy('id', 'desc').limit(50).execute();
    return { data: await onWire(ctx, rows) };
  });
  mount(app, contract.getContactImport, async (ctx, { params }) => one(ctx, await requireImport(ctx, params.id)));
  mount(app, contract.listRefusedContacts, async (ctx, { params, query }) =>
    listRefused(ctx, await requireImport(ctx, params.id), query.after),
  );
  mount(app, contract.mendContacts, async (ctx, { params, body }) => {
    const task = await requireImport(ctx, params.id, true);
    if (!isOpen(ctx, task)) throw new BusinessError('contact_import_over');
    return mendRows(ctx, task, body.rows);
  });
  mount(app, contract.undoContactImport, async (ctx, { params }) => {
    const task = await requireImport(ctx, params.id, true);
    if (!isOpen(ctx, task)) throw new BusinessError('contact_import_over');
    await ctx.db
      .updateTable('task')
      .set({ mode: 'undoing' })
      .where('type', '=', 'bulk_upload')
      .where('id', '=', task.id)
      .execute();
    await enqueue(ctx.db, undoContactImportJob, { bulk_upload_id: task.id }, { tenant: task.corporation_id });
    return one(ctx, { ...task, mode: 'undoing' });
  });
}

function previewRoute(app: App): void {
  mountUpload(app, contract.previewContacts, async (base, { query, file }, run) => {
    const reading = fileReading.parse(query);
    const { corporation_id } = query;
    const look = (path: string, size: number) =>
      firstRows(path, LOOKED_AT, { tenant: corporation_id, reading, cut: size === PREVIEW_BYTES });
    const { rows, above, read_as, fault } = await lookAtFile(base.config, file.stream, LIMIT_BYTES, look);
    return run(async (ctx) => {
      await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
      const fields = await readContactFields(ctx.db, corporation_id);
      const rules = await readNumberRules(ctx.db);
      const headings = headingsOf(rows[0]?.cells ?? []);
      const remembered = await rememberedTargets(ctx.db, corporation_id, headings);
      return {
        data: {
          read_as,
          rows: shownRows([...above, ...rows.slice(0, SHOWN)]),
          fault: fault && translate(ctx.locale, `errors.${fault.code}`, fault.params),
          columns: suggestColumns(rows, { fields, rules, remembered }),
          remembered: remembered !== null,
        },
      };
    });
  });
}

type Query = z.output<typeof contract.uploadContacts.query>;

/** Checks the choices for a file, and answers them as the task keeps them. */
async function parametersOf(ctx: Context, query: Query): Promise<z.input<typeof importParameters>> {
  const { corporation_id, columns, mode, empty, tags, number_list_id, day_first, read_national } = query;
  const targets = columns.split(',');
  const fields = await readContactFields(ctx.db, corporation_id);
  const known = new Set(['number', 'name', 'tags', '', ...fields.map(targetOf)]);
  const held = targets.filter(Boolean);
  if (targets.length > contract.CONTACT_IMPORT.mostColumns || !held.includes('number'))
    throw fieldError('columns', 'contact_columns');
  for (const target of held) if (!known.has(target)) throw fieldError('columns', 'contact_column_unknown', { target });
  const repeated = held.find((target, at) => held.indexOf(target) !== at);
  if (repeated !== undefined) throw fieldError('columns', 'contact_column_repeated', { target: repeated });
  const all = tagsOf(tags);
  if (all.some((tag) => tag.length > 50) || all.length > 20)
    throw fieldError('tags', 'contact_tags', { count: 20, length: 50 });
  if (number_list_id !== undefined) {
    requirePermission(ctx.caller, listNumber.permissions.create);
    const own = sql<boolean>`corporation_id = ${corporation_id}`;
    await requireVisible(ctx, 'number_list', number_list_id, 'number_list_id', own);
  }
  return {
    targets: storedTargets(targets, fields),
    mode,
    empty,
    tags: all,
    number_list_id: number_list_id ?? null,
    day_first: day_first === undefined ? null : day_first === 'true',
    read_national: read_national === 'true',
  };
}

const ownImports = ({ db }: Pick<Context, 'db'>) =>
  db.selectFrom('task').selectAll().where('type', '=', 'bulk_upload').where('kind', '=', contactKind.name);

/** Returns an import of the caller; throws `not_found`. Its row is locked if it is to be changed. */
async function requireImport(ctx: Context, id: number, lock = false): Promise<Task> {
  const query = ownImports(ctx).where('id', '=', id);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

const undoUntil = ({ finished_at }: Task) =>
  finished_at === null ? null : new Date(Date.parse(finished_at) + undoDays * DAY_MS).toISOString();

/** Tells whether an import can be undone, and its rows mended. */
const isOpen = ({ clock }: Pick<Context, 'clock'>, task: Task): boolean =>
  task.state === 'done' && task.mode === null && undoUntil(task)! > clock.now().toISOString();

type Wire = z.input<typeof contract.contactImport>;

const one = async (ctx: Context, row: Task): Promise<{ data: Wire }> => ({ data: (await onWire(ctx, [row]))[0]! });

async function onWire(ctx: Context, rows: readonly Task[]): Promise<Wire[]> {
  const { rows: counted } = await sql<{ id: number; waiting: number }>`
    SELECT bulk_upload_id AS id, count(*) AS waiting FROM refused_contact
    WHERE bulk_upload_id = ANY (${rows.map(({ id }) => id)}::bigint[]) GROUP BY 1`.execute(ctx.db);
  const waiting = new Map(counted.map(({ id, waiting }) => [id, waiting]));
  return rows.map((row) => ({
    ...uploadOnWire(bulkUploadTask, row),
    corporation_id: row.corporation_id!,
    rows_to_mend: isOpen(ctx, row) ? (waiting.get(row.id) ?? 0) : 0,
    undo: row.mode as Wire['undo'],
    rows_undone: row.mode === 'undone' ? row.rows_done : 0,
    rows_kept: row.mode === 'undone' ? row.rows_same : 0,
    undo_until: isOpen(ctx, row) ? undoUntil(row) : null,
  }));
}
