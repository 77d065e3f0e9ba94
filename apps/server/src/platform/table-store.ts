import { kindOf } from '@heliograph/contract/kernel/fields';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { Operation } from '@heliograph/contract/kernel/operation';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { audit } from './audit.ts';
import type { Context } from './context.ts';
import type { Database } from './db.ts';
import { BusinessError, constraintError } from './errors.ts';
import type { Call, ResourceHandlers } from './http.ts';
import { translate } from './i18n.ts';
import { corporationsOf } from './scope-clause.ts';

type Row = Record<string, unknown> & { id: number };
type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;
type PageQuery = { page: number; per_page: number; sort?: string; search?: string } & Record<string, unknown>;

/**
 * Makes the five handlers of a resource that is one table. A field of the wire is the column of the same name; only
 * money differs, which is thousandths in the table. Row level security decides which rows exist for the caller. Reads
 * go to `from` (a view that adds the names a list shows) if given. Override a handler by spreading.
 */
export function tableStore<R extends AnyResource>(
  r: R,
  source: {
    table: keyof Database;
    from?: keyof Database;
    searched?: readonly string[];
    /** Filters that compare something else than a column's value. */
    filters?: Readonly<Record<string, (value: string) => RawBuilder<boolean>>>;
  },
): ResourceHandlers<R> {
  const from = (source.from ?? source.table) as string;
  const table = source.table as string;
  const shape = r.row.shape as Record<string, z.ZodType>;
  const columns = Object.keys(shape).filter((name) => name !== 'abilities' && name !== 'etag');
  const moneyFields = new Set(
    [...Object.entries(shape), ...Object.entries(r.create.shape as Record<string, z.ZodType>)]
      .filter(([, schema]) => kindOf(schema) === 'money')
      .map(([name]) => name),
  );
  const searched = source.searched ?? [r.title];

  // Kysely cannot type a query over a table chosen at run time; this is the only cast for it.
  const tables = (ctx: Context) => ctx.db as unknown as AnyDatabase;

  // Records that always belong to a corporation are read only within the caller's corporations.
  const owned = shape['corporation_id']?.safeParse(null).success === false;
  const rowsOf = (ctx: Context) => {
    const corporations = owned ? corporationsOf(ctx.caller) : null;
    const rows = tables(ctx).selectFrom(from);
    return corporations ? rows.where(sql<boolean>`corporation_id = ANY (${[...corporations]}::bigint[])`) : rows;
  };

  const toWire = (ctx: Context, row: Row) => ({
    ...Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        moneyFields.has(name) && typeof value === 'number' ? fromThousandths(value) : value,
      ]),
    ),
    abilities: {
      edit: ctx.caller.permissions.has(r.permissions.edit),
      delete: ctx.caller.permissions.has(r.permissions.delete),
    },
  });
  const toTable = (body: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(body)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [
          name,
          moneyFields.has(name) && typeof value === 'string' ? toThousandths(value) : value,
        ]),
    );

  const find = async (ctx: Context, id: number): Promise<Row> => {
    const row = await rowsOf(ctx).select(columns).where('id', '=', id).executeTakeFirst();
    if (!row) throw new BusinessError('not_found');
    return row as Row;
  };
  const said = (ctx: Context, what: string) =>
    translate(ctx.locale, `saved.${what}`, { record: translate(ctx.locale, `resources.${r.name}.one`) });
  const guarded = <X>(work: Promise<X>): Promise<X> =>
    work.catch((error: unknown) => {
      throw constraintError(error, r.conflicts) ?? error;
    });
  const log = (ctx: Context, description: string, id: number, before: object | null, after: object | null) =>
    audit(ctx, {
      name: r.name,
      description,
      subject_type: r.name,
      subject_id: id,
      corporation_id: corporationOf(after ?? before),
      before,
      after,
    });

  const handlers = {
    async list(ctx: Context, { query }: Call<Operation>) {
      const { page, per_page, sort, search, ...filters } = query as PageQuery;
      let selection = rowsOf(ctx);
      for (const [name, value] of Object.entries(filters))
        if (value !== undefined) {
          const own = source.filters?.[name];
          selection = own ? selection.where(own(String(value))) : selection.where(name, '=', value);
        }
      if (search) {
        const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
        selection = selection.where((eb) =>
          eb.or(searched.map((column) => eb(sql`${sql.ref(column)}::text`, 'ilike', pattern))),
        );
      }
      const { total } = await selection.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const key = sort?.replace(/^-/, '') ?? 'id';
      const direction = sort && !sort.startsWith('-') ? 'asc' : 'desc';
      const rows = await selection
        .select(columns)
        .orderBy(key, direction)
        .orderBy('id', 'desc')
        .limit(per_page)
        .offset((page - 1) * per_page)
        .execute();
      return {
        data: rows.map((row) => toWire(ctx, row as Row)),
        meta: { page, per_page, total, pages: Math.ceil(total / per_page) },
      };
    },
    async get(ctx: Context, { params }: Call<Operation>) {
      return { data: toWire(ctx, await find(ctx, (params as { id: number }).id)) };
    },
    async create(ctx: Context, { body }: Call<Operation>) {
      const { id } = (await guarded(
        tables(ctx)
          .insertInto(table)
          .values(toTable(body as Row))
          .returning('id')
          .executeTakeFirstOrThrow(),
      )) as { id: number };
      const row = await find(ctx, id);
      await log(ctx, 'created', id, null, row);
      return { data: toWire(ctx, row), message: said(ctx, 'created') };
    },
    async update(ctx: Context, { params, body }: Call<Operation>) {
      const { id } = params as { id: number };
      const before = await find(ctx, id);
      const changes = toTable(body as Row);
      if (Object.keys(changes).length > 0) {
        const change = tables(ctx).updateTable(table).set(changes).where('id', '=', id);
        requireDone((await guarded(change.executeTakeFirst())).numUpdatedRows);
      }
      const after = await find(ctx, id);
      await log(ctx, 'updated', id, before, after);
      return { data: toWire(ctx, after), message: said(ctx, 'updated') };
    },
    async remove(ctx: Context, { params }: Call<Operation>) {
      const { id } = params as { id: number };
      const before = await find(ctx, id);
      const removal = tables(ctx).deleteFrom(table).where('id', '=', id);
      requireDone((await guarded(removal.executeTakeFirst())).numDeletedRows);
      await log(ctx, 'deleted', id, before, null);
      return { message: translate(ctx.locale, 'delete.done') };
    },
  };
  return handlers as unknown as ResourceHandlers<R>;
}

/** Throws if row level security let the caller see a row but not write it: nothing was changed then. */
function requireDone(rows: bigint): void {
  if (rows === 0n) throw new BusinessError('forbidden');
}

function corporationOf(row: object | null): number | null {
  return (row as { corporation_id?: number | null } | null)?.corporation_id ?? null;
}
