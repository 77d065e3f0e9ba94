import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import { personalOf } from '@heliograph/contract/kernel/personal';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { type AliasedRawBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { mayTryNumbers } from '../access/hidden-numbers.ts';
import { corporationsOf } from '../access/scope-clause.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/db.ts';
import { containing } from '../database/like.ts';
import { BusinessError } from '../errors.ts';

/** Table of a resource. */
export interface TableSource {
  table: keyof Database;
  /** View, or query in parentheses with a name, that is read instead of the table. */
  from?: keyof Database | AliasedRawBuilder<unknown, string>;
  /** Fields that are stored outside the table, and how they are saved once the row is. */
  apart?: {
    fields: readonly string[];
    save(db: Kysely<Database>, id: number, values: Record<string, unknown>): Promise<void>;
  };
  /** Columns in which a search looks; the title if not given. */
  searched?: readonly string[];
  /** Filters that compare something else than a column's value. */
  filters?: Readonly<Record<string, (value: string) => RawBuilder<boolean>>>;
}

export type Row = Record<string, unknown> & { id: number };
export type PageQuery = { page: number; per_page: number; sort?: string; search?: string } & Record<string, unknown>;
type AnyDatabase = Kysely<Record<string, Record<string, unknown>>>;

/** Untyped tables: Kysely cannot type a query over a table chosen at run time. This is the only cast for it. */
export const tables = (ctx: Context) => ctx.db as unknown as AnyDatabase;

/** Makes the reads of a resource that is one table: one row by its id, and a page of a list. */
export function tableRows(r: AnyResource, source: TableSource) {
  // Kysely takes either; the cast is that of `tables`.
  const from = (source.from ?? source.table) as string;
  const shape = r.row.shape as Record<string, z.ZodType>;
  const columns = Object.keys(shape).filter((name) => name !== 'abilities' && name !== 'etag');
  const searched = source.searched ?? [r.title];

  // Records that always belong to a corporation are read only within the caller's corporations.
  const owned = shape['corporation_id']?.safeParse(null).success === false;
  const visible = (ctx: Context) => {
    const corporations = owned ? corporationsOf(ctx.caller) : null;
    const rows = tables(ctx).selectFrom(from);
    return corporations ? rows.where(sql<boolean>`corporation_id = ANY (${[...corporations]}::bigint[])`) : rows;
  };

  function selection(ctx: Context, filters: Record<string, unknown>, search: string | undefined) {
    let rows = visible(ctx);
    for (const [name, value] of Object.entries(filters))
      if (value !== undefined) {
        const own = source.filters?.[name];
        rows = own ? rows.where(own(String(value))) : rows.where(name, '=', value);
      }
    if (!search) return rows;
    const pattern = containing(search);
    return rows.where((eb) =>
      eb.or(
        searched.flatMap((column) => {
          const personal = ctx.caller.numbers_visible ? undefined : shape[column] && personalOf(shape[column]);
          if (personal === 'number') return [eb(sql`${sql.ref(column)}`, '=', plainDigits(search) ?? search)];
          if (personal === 'text' && !mayTryNumbers(ctx.caller, search)) return [];
          return [eb(sql`${sql.ref(column)}::text`, 'ilike', pattern)];
        }),
      ),
    );
  }

  return {
    /** Reads a row; throws `not_found` if it does not exist for the caller. */
    async find(ctx: Context, id: number): Promise<Row> {
      const row = await visible(ctx).select(columns).where('id', '=', id).executeTakeFirst();
      if (!row) throw new BusinessError('not_found');
      return row as Row;
    },
    /** Reads a page of the rows that match, and counts all of them. */
    async page(ctx: Context, { page, per_page, sort, search, ...filters }: PageQuery) {
      const matching = selection(ctx, filters, search);
      const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const key = sort?.replace(/^-/, '') ?? 'id';
      const direction = sort && !sort.startsWith('-') ? 'asc' : 'desc';
      const rows = await matching
        .select(columns)
        .orderBy(key, direction)
        .orderBy('id', 'desc')
        .limit(per_page)
        .offset((page - 1) * per_page)
        .execute();
      return { rows: rows as Row[], meta: { page, per_page, total, pages: Math.ceil(total / per_page) } };
    },
  };
}
