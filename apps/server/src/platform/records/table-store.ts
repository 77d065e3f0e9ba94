import { type FieldKind, kindOf } from '@heliograph/contract/kernel/fields';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { fromMillionths, fromThousandths, toMillionths, toThousandths } from '@heliograph/contract/kernel/money';
import type { Operation } from '@heliograph/contract/kernel/operation';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import type { z } from 'zod';
import { audit } from '../access/audit.ts';
import type { Caller, Context } from '../context.ts';
import { BusinessError, constraintError } from '../errors.ts';
import type { Call, ResourceHandlers } from '../http/http.ts';
import { translate } from '../text/i18n.ts';
import { type PageQuery, type Row, type TableSource, tableRows, tables } from './table-rows.ts';

/** Limits of what a caller may do with a row, beyond the permissions. */
interface Limits<R extends AnyResource> {
  /** Tells what a caller may do with a row whose permissions they have; what is left out is not limited. */
  may?(row: z.output<R['row']>, caller: Caller): { edit?: boolean; delete?: boolean };
}

/**
 * Makes the five handlers of a resource that is one table. A field of the wire is the column of the same name; only
 * amounts differ, which are thousandths or millionths in the table. Row level security decides which rows exist for the caller. Reads
 * go to `from` (a view that adds the names a list shows) if given. Override a handler by spreading.
 */
export function tableStore<R extends AnyResource>(r: R, source: TableSource & Limits<R>): ResourceHandlers<R> {
  const table = source.table as string;
  const { find, page } = tableRows(r, source);
  const { toWire, toTable } = wireOf(r, source.may);
  const { guarded, log, said } = changesOf(r);

  const apart = new Set(source.apart?.fields);
  /** Splits a body into the columns of the table and the fields stored outside it. */
  const split = (body: unknown) => {
    const all = Object.entries(toTable(body as Row));
    const part = (outside: boolean) => Object.fromEntries(all.filter(([name]) => apart.has(name) === outside));
    return { columns: part(false), outside: part(true) };
  };

  const handlers = {
    async list(ctx: Context, { query }: Call<Operation>) {
      const { rows, meta } = await page(ctx, query as PageQuery);
      return { data: rows.map((row) => toWire(ctx, row)), meta };
    },
    async get(ctx: Context, { params }: Call<Operation>) {
      return { data: toWire(ctx, await find(ctx, (params as { id: number }).id)) };
    },
    async create(ctx: Context, { body }: Call<Operation>) {
      const { columns, outside } = split(body);
      const { id } = (await guarded(
        tables(ctx).insertInto(table).values(columns).returning('id').executeTakeFirstOrThrow(),
      )) as { id: number };
      await source.apart?.save(ctx.db, id, outside);
      const row = await find(ctx, id);
      await log(ctx, 'created', id, null, row);
      return { data: toWire(ctx, row), message: said(ctx, 'created') };
    },
    async update(ctx: Context, { params, body }: Call<Operation>) {
      const { id } = params as { id: number };
      const before = await find(ctx, id);
      const { columns, outside } = split(body);
      if (Object.keys(columns).length > 0) {
        const change = tables(ctx).updateTable(table).set(columns).where('id', '=', id);
        requireDone((await guarded(change.executeTakeFirst())).numUpdatedRows);
      }
      await source.apart?.save(ctx.db, id, outside);
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

/** Conversions of amounts, by the kind of their field. */
const UNITS: ReadonlyMap<FieldKind | undefined, Unit> = new Map([
  ['money', { toWire: fromThousandths, toTable: toThousandths }],
  ['cost', { toWire: fromMillionths, toTable: toMillionths }],
]);
interface Unit {
  toWire(stored: number): string;
  toTable(decimal: string): number;
}

/** Makes the conversions between a row of the table and the record of the wire. */
function wireOf<R extends AnyResource>(r: R, may?: Limits<R>['may']) {
  const fields = [r.row.shape, r.create.shape].flatMap((shape) => Object.entries(shape as Record<string, z.ZodType>));
  const units = new Map(fields.map(([name, schema]) => [name, UNITS.get(kindOf(schema))]));
  return {
    toWire({ caller }: Context, row: Row) {
      const wire = Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'number' ? (units.get(name)?.toWire(value) ?? value) : value,
        ]),
      );
      const limits = may?.(wire as z.output<R['row']>, caller);
      const able = (action: 'edit' | 'delete') =>
        caller.permissions.has(r.permissions[action]) && limits?.[action] !== false;
      return { ...wire, abilities: { edit: able('edit'), delete: able('delete') } };
    },
    /** Leaves out the fields that a body does not contain. */
    toTable: (body: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(body)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [
            name,
            typeof value === 'string' ? (units.get(name)?.toTable(value) ?? value) : value,
          ]),
      ),
  };
}

/** Makes what every change of a resource needs: its conflicts as errors, its audit entry and its message. */
function changesOf(r: AnyResource) {
  return {
    guarded: <X>(work: Promise<X>): Promise<X> =>
      work.catch((error: unknown) => {
        throw constraintError(error, r.conflicts) ?? error;
      }),
    log: (ctx: Context, description: string, id: number, before: object | null, after: object | null) =>
      audit(ctx, {
        name: r.name,
        description,
        subject_type: r.name,
        subject_id: id,
        corporation_id: corporationOf(after ?? before),
        before,
        after,
      }),
    said: (ctx: Context, what: string) =>
      translate(ctx.locale, keyIn('saved', what), { record: translate(ctx.locale, keyIn('resources', r.name, 'one')) }),
  };
}

/** Throws if row level security let the caller see a row but not write it: nothing was changed then. */
function requireDone(rows: bigint): void {
  if (rows === 0n) throw new BusinessError('forbidden');
}

function corporationOf(row: object | null): number | null {
  return (row as { corporation_id?: number | null } | null)?.corporation_id ?? null;
}
