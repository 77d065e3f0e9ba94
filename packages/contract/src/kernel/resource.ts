import { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import { id, idText } from './fields.ts';
import { pageQuery, pageReply } from './listing.ts';
import { type FreshProof, operation, strict } from './operation.ts';
import type { Permission } from './screen-list.ts';

/** Actions that the caller may do with one record; a screen shows only these. */
export const abilities = z.object({ edit: z.boolean(), delete: z.boolean() });

/** Returns the reply with one record: `{ data, message? }`. */
export const oneReply = <Row extends z.ZodType>(row: Row) => z.object({ data: row, message: z.string().optional() });

/** Reply of a call that changes something and has no record to show. */
export const doneReply = z.object({ message: z.string().optional() });

export const idParams = z.object({ id: idText });

type Key<Row extends z.ZodObject> = Extract<keyof z.output<Row>, string>;

/**
 * Declares the five operations of one kind of record: list, get, createOne, updateOne, removeOne. Any other call is a
 * separate `operation()`. `row` is a row of the list; `id`, `created_at`, `abilities` and `etag` are added to it.
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
  /** Path of the screen in the specification, such as `number-lists`. */
  name: Name;
  /** Area of the permissions `{area}-index`; it is the name unless the specification differs. */
  area?: Area;
  row: Row;
  create: Create;
  update: Update;
  filters: Filters;
  sort: Sort & readonly (Key<Row> | 'id' | 'created_at')[];
  /** Field of the row that names a record for people. */
  title: Key<Row>;
  /** Error that a person sees, by unique constraint in PostgreSQL. */
  conflicts: Readonly<Record<string, ErrorCode>>;
  /** More errors of create and update. */
  errors?: readonly ErrorCode[];
  /** Fields that can be set but are never shown, each with the field of the row that changes when it is set. */
  unshown?: Readonly<Partial<Record<Key<Update>, Key<Row>>>>;
  /** Groups of the form's fields, in order, for a record with too many fields for a drawer. */
  groups?: Readonly<Record<string, readonly Key<Create>[]>>;
  /** More fields of the row that people change, through other calls than the record's own. */
  changedElsewhere?: readonly Key<Row>[];
  /** Fresh proof that creating, changing and removing a record need. */
  proof?: { create?: FreshProof; update?: FreshProof; remove?: FreshProof };
}) {
  const area = (r.area ?? r.name) as Area;
  // A test checks that these permissions exist.
  const may = (action: string) => `${area}-${action}` as Permission;
  const permissions = {
    index: may('index'),
    create: may('create'),
    show: may('show'),
    edit: may('edit'),
    delete: may('delete'),
  };
  const base = `/api/v1/${r.name}` as const;
  const one = `${base}/:id` as const;
  const row = z.object({
    id,
    ...(r.row.shape as Row['shape']),
    created_at: z.iso.datetime({ offset: true }),
    abilities,
    /** Version of the fields that people can change, in answers of the five calls; for `If-Match`. */
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
    groups: (r.groups ?? {}) as FieldGroups,
    changedElsewhere: (r.changedElsewhere ?? []) as readonly string[],
    permissions,
    list: operation({
      method: 'GET',
      path: base,
      permission: permissions.index,
      query: pageQuery(r.sort as Sort).extend(r.filters.shape as Filters['shape']),
      reply: pageReply(row),
    }),
    get: operation({
      method: 'GET',
      path: one,
      permission: permissions.show,
      params: idParams,
      reply: oneReply(row),
      errors: ['not_found'],
    }),
    createOne: operation({
      method: 'POST',
      path: base,
      permission: permissions.create,
      proof: r.proof?.create,
      body: strict(r.create),
      reply: oneReply(row),
      status: 201,
      errors: conflicts,
    }),
    updateOne: operation({
      method: 'PATCH',
      path: one,
      permission: permissions.edit,
      proof: r.proof?.update,
      params: idParams,
      body: r.update,
      fixed,
      reply: oneReply(row),
      errors: ['not_found', 'edit_conflict', ...conflicts],
    }),
    removeOne: operation({
      method: 'DELETE',
      path: one,
      permission: permissions.delete,
      proof: r.proof?.remove,
      params: idParams,
      reply: doneReply,
      errors: ['not_found', 'has_dependencies', 'set_above', 'edit_conflict'],
    }),
  };
}

/** Fields of each group of a form, in order. */
export type FieldGroups = Readonly<Record<string, readonly string[]>>;

/** Shape of any resource, for code that treats all resources the same way. */
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
  groups: FieldGroups;
  changedElsewhere: readonly string[];
  permissions: { index: string; create: string; show: string; edit: string; delete: string };
  list: import('./operation.ts').Operation;
  get: import('./operation.ts').Operation;
  createOne: import('./operation.ts').Operation;
  updateOne: import('./operation.ts').Operation;
  removeOne: import('./operation.ts').Operation;
}
