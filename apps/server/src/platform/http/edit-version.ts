import { createHash } from 'node:crypto';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { sql } from 'kysely';
import { changedFields } from '../access/field-rights.ts';
import { shownTo } from '../access/hidden-numbers.ts';
import type { Context } from '../context.ts';
import { BusinessError } from '../errors.ts';
import type { ResourceHandlers } from './http.ts';

type Fields = Readonly<Record<string, unknown>>;
type Row = Fields & { id: number };
interface EditCall {
  params: { id: number };
  body: Fields;
  ifMatch?: readonly string[] | null;
}

/** Handlers of any record; only their inputs and outputs matter here. */
interface Handlers {
  list(ctx: Context, call: unknown): Promise<{ data: Row[] }>;
  get(ctx: Context, call: unknown): Promise<{ data: Row }>;
  create(ctx: Context, call: unknown): Promise<{ data: Row }>;
  update(ctx: Context, call: EditCall): Promise<{ data: Row }>;
  remove(ctx: Context, call: EditCall): Promise<unknown>;
}

/** Versions that an If-Match header names; null if it is absent or takes any. */
export function versionsIn(header: string | undefined): readonly string[] | null {
  if (header === undefined || header.trim() === '*') return null;
  return header.split(',').map((each) => each.trim().replace(/^(?:W\/)?"?(.*?)"?$/, '$1'));
}

/** Answers the version of the one record that a call answers, if it has one. */
export function versionOfReply(result: unknown): string | undefined {
  const data = (result as { data?: { etag?: unknown } } | undefined)?.data;
  return typeof data?.etag === 'string' ? data.etag : undefined;
}

/** Answers the version of the fields that people may change: the same values have the same version. */
export function versionOf(values: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(values ?? null))
    .digest('base64url')
    .slice(0, 22);
}

/** Waits until other saves of the same record have ended: the compared version is then the changed one. */
export async function lockForEdit({ db }: Pick<Context, 'db'>, record: string, id: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`edit ${record} ${id}`}, 0))`.execute(db);
}

/**
 * Throws `edit_conflict` if a save is based on another version than the present one and would change something. `yours`
 * are the fields of the save that differ from the record.
 */
export function requireVersion(
  ifMatch: readonly string[] | null | undefined,
  current: Fields & { etag: string },
  yours: Fields,
): void {
  if (!ifMatch || ifMatch.includes(current.etag) || Object.keys(yours).length === 0) return;
  const fields = Object.entries(yours).map(([field, value]) =>
    // Fields that the platform never sends are not sent here either.
    Object.hasOwn(current, field)
      ? [field, { yours: value, theirs: current[field] }]
      : [field, { yours: null, theirs: null }],
  );
  const { etag } = current;
  throw new BusinessError('edit_conflict', { conflict: { etag, fields: Object.fromEntries(fields), current } });
}

/** Answers a record with its version: that of the fields that people change, as the caller sees them. */
export function versioned<X extends Row>(
  r: Pick<AnyResource, 'name' | 'row' | 'update' | 'unshown' | 'changedElsewhere'>,
  row: X,
): X & { etag: string } {
  const marks = new Set([...Object.keys(r.update.shape), ...Object.values(r.unshown), ...r.changedElsewhere]);
  const shown = [...marks].filter((field) => Object.hasOwn(r.row.shape, field)).sort();
  return { ...row, etag: versionOf([r.name, row.id, shown.map((field) => row[field] ?? null)]) };
}

/**
 * Adds the version to every answer of a record's handlers. A change or removal that names an old version is refused;
 * one that names none works as before. Counters and states are no part of a version, so that traffic never makes a save
 * stale.
 */
export function withVersions<R extends AnyResource>(r: R, handlers: ResourceHandlers<R>): ResourceHandlers<R> {
  const inner = handlers as unknown as Handlers;
  // A version of the whole number would let a person without the right try numbers until the version fits.
  const withEtag = (ctx: Context, row: Row) => ({ ...row, etag: versioned(r, shownTo(ctx.caller, r.row, row)).etag });
  const ofOne = async <X extends { data: Row }>(ctx: Context, answer: Promise<X>) => {
    const { data, ...rest } = await answer;
    return { ...rest, data: withEtag(ctx, data) };
  };
  const present = async (ctx: Context, { params }: EditCall) => {
    await lockForEdit(ctx, r.name, params.id);
    const { data } = await inner.get(ctx, { params, query: {}, body: {} });
    return shownTo(ctx.caller, r.row, r.row.parse(withEtag(ctx, data)) as Row & { etag: string });
  };
  return {
    async list(ctx: Context, call: unknown) {
      const page = await inner.list(ctx, call);
      return { ...page, data: page.data.map((row) => withEtag(ctx, row)) };
    },
    get: (ctx: Context, call: unknown) => ofOne(ctx, inner.get(ctx, call)),
    create: (ctx: Context, call: unknown) => ofOne(ctx, inner.create(ctx, call)),
    async update(ctx: Context, call: EditCall) {
      if (call.ifMatch) {
        const current = await present(ctx, call);
        const differing = changedFields(r, call.body, current);
        requireVersion(call.ifMatch, current, Object.fromEntries(differing.map((field) => [field, call.body[field]])));
      } else await lockForEdit(ctx, r.name, call.params.id);
      return ofOne(ctx, inner.update(ctx, call));
    },
    async remove(ctx: Context, call: EditCall) {
      if (call.ifMatch) {
        const current = await present(ctx, call);
        const { etag } = current;
        if (!call.ifMatch.includes(etag))
          throw new BusinessError('edit_conflict', { conflict: { etag, fields: {}, current } });
      }
      return inner.remove(ctx, call);
    },
  } as unknown as ResourceHandlers<R>;
}
