import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { id, idText } from './fields.ts';
import { pageQuery, pageReply } from './listing.ts';
import { operation, strict } from './operation.ts';

/** What the caller may do with one record; a screen shows only what will work. */
export const abilities = z.object({ edit: z.boolean(), delete: z.boolean() });

/** One record on the wire: `{ data, message? }`. */
export const oneReply = <Row extends z.ZodType>(row: Row) => z.object({ data: row, message: z.string().optional() });

/** The answer of a call that changes something without a record to show. */
export const doneReply = z.object({ message: z.string().optional() });

export const idParams = z.object({ id: idText });

type Key<Row extends z.ZodObject> = Extract<keyof z.output<Row>, string>;

/**
 * The five operations of one kind of record: list, get, createOne, updateOne, removeOne. Whatever does not fit is an
 * `operation()` beside it. `row` is what a list shows; `id`, `abilities` and the times are added to it.
 */
export function resource<
  const Name extends string,
  Area extends string,
  Row extends z.ZodObject,
  Create extends z.ZodObject,
  Update extends z.ZodObject,
  Filters extends z.ZodObject,
  const Sort extends readonly [string, ...string[]],
>(r: {
  /** The screen's path in the specification, such as `number-lists`. */
  name: Name;
  /** The `{area}` of the permissions `{area}-index`; the name unless the specification says otherwise. */
  area?: Area;
  row: Row;
  create: Create;
  update: Update;
  filters: Filters;
  sort: Sort & readonly (Key<Row> | 'id' | 'created_at')[];
  /** The row's field that names a record to a person. */
  title: Key<Row>;
  /** Unique constraint in PostgreSQL → the error a person sees. */
  conflicts: Readonly<Record<string, ErrorCode>>;
  /** Further errors of create and update. */
  errors?: readonly ErrorCode[];
  /** Fields that go in and never come out, by the row's field that differs once they were changed. */
  unshown?: Readonly<Partial<Record<Key<Update>, Key<Row>>>>;
  /** Further fields of the row that people change, by other calls than the record's own. */
  changedElsewhere?: readonly Key<Row>[];
}) {
  const area = (r.area ?? r.name) as Area;
  const base = `/api/v1/${r.name}` as const;
  const one = `${base}/:id` as const;
  const row = z.object({
    id,
    ...(r.row.shape as Row['shape']),
    created_at: z.iso.datetime({ offset: true }),
    abilities,
    /** Version of what people may change of the record, in what its own five calls answer; for `If-Match`. */
    etag: z.string().optional(),
  });
  const changeable = new Set(Object.keys(r.update.shape));
  const fixed = [...new Set([...Object.keys(row.shape), ...Object.keys(r.create.shape)])].filter(
    (field) => !changeable.has(field),
  );
  const conflicts = [...new Set(Object.values(r.conflicts)), ...(r.errors ?? [])];
  return {
    name: r.name,
    area,
    title: r.title,
    row,
    create: r.create,
    update: r.update,
    filters: r.filters,
    sort: r.sort as Sort,
    conflicts: r.conflicts,
    unshown: (r.unshown ?? {}) as Readonly<Record<string, string>>,
    changedElsewhere: (r.changedElsewhere ?? []) as readonly string[],
    permissions: {
      index: `${area}-index`,
      create: `${area}-create`,
      show: `${area}-show`,
      edit: `${area}-edit`,
      delete: `${area}-delete`,
    } as const,
    list: operation({
      method: 'GET',
      path: base,
      permission: `${area}-index`,
      query: pageQuery(r.sort as Sort).extend(r.filters.shape as Filters['shape']),
      reply: pageReply(row),
    }),
    get: operation({
      method: 'GET',
      path: one,
      permission: `${area}-show`,
      params: idParams,
      reply: oneReply(row),
      errors: ['not_found'],
    }),
    createOne: operation({
      method: 'POST',
      path: base,
      permission: `${area}-create`,
      body: strict(r.create),
      reply: oneReply(row),
      status: 201,
      errors: conflicts,
    }),
    updateOne: operation({
      method: 'PATCH',
      path: one,
      permission: `${area}-edit`,
      params: idParams,
      body: r.update,
      fixed,
      reply: oneReply(row),
      errors: ['not_found', 'edit_conflict', ...conflicts],
    }),
    removeOne: operation({
      method: 'DELETE',
      path: one,
      permission: `${area}-delete`,
      params: idParams,
      reply: doneReply,
      errors: ['not_found', 'has_dependencies', 'set_above', 'edit_conflict'],
    }),
  };
}

/** What code that treats all resources alike may rely on. */
export interface AnyResource {
  name: string;
  area: string;
  title: string;
  row: z.ZodObject;
  create: z.ZodObject;
  update: z.ZodObject;
  filters: z.ZodObject;
  sort: readonly string[];
  conflicts: Readonly<Record<string, ErrorCode>>;
  unshown: Readonly<Record<string, string>>;
  changedElsewhere: readonly string[];
  permissions: { index: string; create: string; show: string; edit: string; delete: string };
  list: import('./operation.ts').Operation;
  get: import('./operation.ts').Operation;
  createOne: import('./operation.ts').Operation;
  updateOne: import('./operation.ts').Operation;
  removeOne: import('./operation.ts').Operation;
}
