import { FIELD_RIGHTS, type FieldRight } from '@heliograph/contract/kernel/field-rights';
import { kindOf } from '@heliograph/contract/kernel/fields';
import { toThousandths } from '@heliograph/contract/kernel/money';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import type { z } from 'zod';
import { type Caller, type Context, requirePlatform } from '../context.ts';
import { BusinessError, fieldError } from '../errors.ts';
import type { ResourceHandlers } from '../http/http.ts';

type Fields = Readonly<Record<string, unknown>>;
type Row = Fields & { id: number };

/** Rank of the platform's people; `rankOf` answers the others. */
const PLATFORM = 0;
const RESELLER = 1;

/** Rank of a caller above the records of a corporation; a lower number ranks higher. */
export function rankOf(caller: Caller, corporationId: number): number {
  if (isAdministration(caller.scope_level)) return PLATFORM;
  if (caller.corporation_id !== corporationId) return RESELLER;
  return Math.min(caller.scope_level, 3);
}

const corporationOf = (r: Pick<AnyResource, 'name'>, row: Fields): number | null =>
  (r.name === 'corporations' ? row['id'] : row['corporation_id']) as number | null;

/** Answers the fields of a body that differ from the record, or from the defaults of a new record. */
export function changedFields(
  r: Pick<AnyResource, 'update' | 'create'>,
  body: Fields,
  before: Fields | null,
): string[] {
  const shape = (before ? r.update.shape : r.create.shape) as Record<string, z.ZodType>;
  return Object.keys(body).filter((field) => {
    const value = body[field];
    if (value === undefined) return false;
    const present = before ? before[field] : shape[field]?.safeParse(undefined).data;
    const money = shape[field] && kindOf(shape[field]) === 'money';
    if (money && typeof value === 'string' && typeof present === 'string')
      return toThousandths(value) !== toThousandths(present);
    return JSON.stringify(value) !== JSON.stringify(present ?? null);
  });
}

/** Reads the highest ranks that hold fields of a record, by field. */
async function holdsOn(ctx: Context, record: string, id: number): Promise<ReadonlyMap<string, number>> {
  const rows = await ctx.db
    .selectFrom('field_hold')
    .select(['field', 'rank'])
    .where('record', '=', record)
    .where('record_id', '=', id)
    .execute();
  return new Map(rows.map(({ field, rank }) => [field, rank]));
}

const refusal = (field: string, rank: number) =>
  fieldError(field, rank === PLATFORM ? 'administration_only' : 'set_above');

/** Handlers of any record; their inputs and outputs are checked where they are mounted. */
interface Handlers {
  get(ctx: Context, call: unknown): Promise<{ data: Row }>;
  create(ctx: Context, call: unknown): Promise<{ data: Row }>;
  update(ctx: Context, call: unknown): Promise<{ data: Row }>;
  remove(ctx: Context, call: unknown): Promise<unknown>;
}

/** Throws a 422 on the first field that the caller may not change. */
function requireRight(caller: Caller, field: string, right: FieldRight, rank: number, held: number | undefined): void {
  if (right === 'platform' && rank > PLATFORM) throw refusal(field, PLATFORM);
  const above = right === 'above' || (typeof right === 'object' && right.above === true);
  if (above && rank > RESELLER)
    throw fieldError(field, caller.corporation_id === null ? 'administration_only' : 'set_above');
  if (typeof right === 'object' && held !== undefined && held < rank) throw refusal(field, held);
}

/** Stores the rank that limits a field, or frees the field if it has its open value again. */
export async function keepHold(
  ctx: Context,
  place: { record: string; record_id: number; corporation_id: number },
  field: string,
  open: boolean,
): Promise<void> {
  const { record, record_id, corporation_id } = place;
  if (open) {
    await ctx.db
      .deleteFrom('field_hold')
      .where('record', '=', record)
      .where('record_id', '=', record_id)
      .where('field', '=', field)
      .execute();
    return;
  }
  const rank = rankOf(ctx.caller, corporation_id);
  await ctx.db
    .insertInto('field_hold')
    .values({ record, record_id, corporation_id, field, rank })
    .onConflict((conflict) => conflict.columns(['record', 'record_id', 'field']).doUpdateSet({ rank }))
    .execute();
}

/** Throws a 422 on a field that a person above the caller set; for calls that change a single field. */
export async function requireUnheld(
  ctx: Context,
  record: string,
  row: Row & { corporation_id: number },
  field: string,
) {
  const held = (await holdsOn(ctx, record, row.id)).get(field);
  if (held !== undefined && held < rankOf(ctx.caller, row.corporation_id)) throw refusal(field, held);
}

/** Puts the handlers of a record within the table of who may change which of its fields. */
export function withFieldRights<R extends AnyResource>(r: R, handlers: ResourceHandlers<R>): ResourceHandlers<R> {
  const table = FIELD_RIGHTS[r.name];
  const inner = handlers as unknown as Handlers;
  if (table === undefined) return handlers;
  if (table === 'platform') {
    const alone =
      <A extends unknown[], X>(work: (ctx: Context, ...rest: A) => Promise<X>) =>
      (ctx: Context, ...rest: A): Promise<X> => {
        requirePlatform(ctx.caller);
        return work(ctx, ...rest);
      };
    return {
      ...inner,
      create: alone(inner.create),
      update: alone(inner.update),
      remove: alone(inner.remove),
    } as unknown as ResourceHandlers<R>;
  }
  const check = async (ctx: Context, body: Fields, before: Row | null): Promise<string[]> => {
    const changed = changedFields(r, body, before).filter((field) => table[field] !== undefined);
    const corporation = before ? corporationOf(r, before) : ((body['corporation_id'] as number | undefined) ?? null);
    // A new corporation does not yet belong to anybody.
    const rank = corporation === null ? rankOf(ctx.caller, -1) : rankOf(ctx.caller, corporation);
    const holds = before && changed.length > 0 ? await holdsOn(ctx, r.name, before.id) : new Map<string, number>();
    for (const field of changed) requireRight(ctx.caller, field, table[field]!, rank, holds.get(field));
    return changed;
  };
  const keep = async (ctx: Context, row: Row, changed: readonly string[]): Promise<void> => {
    const corporation_id = corporationOf(r, row);
    if (corporation_id === null) return;
    for (const field of changed) {
      const right = table[field];
      if (typeof right === 'object')
        await keepHold(ctx, { record: r.name, record_id: row.id, corporation_id }, field, row[field] === right.open);
    }
  };
  return {
    ...inner,
    async create(ctx: Context, call: { body: Fields }) {
      const changed = await check(ctx, call.body, null);
      const made = await inner.create(ctx, call);
      await keep(ctx, made.data, changed);
      return made;
    },
    async update(ctx: Context, call: { params: { id: number }; body: Fields }) {
      const { data: before } = await inner.get(ctx, { params: call.params, query: {}, body: {} });
      const changed = await check(ctx, call.body, before);
      const saved = await inner.update(ctx, call);
      await keep(ctx, saved.data, changed);
      return saved;
    },
    async remove(ctx: Context, call: { params: { id: number } }) {
      const { data: before } = await inner.get(ctx, { params: call.params, query: {}, body: {} });
      const corporation = corporationOf(r, before);
      const holds = [...(await holdsOn(ctx, r.name, call.params.id)).values()];
      // A new record that replaces it would be without the limit.
      if (corporation !== null && holds.some((rank) => rank < rankOf(ctx.caller, corporation)))
        throw new BusinessError('set_above');
      const answer = await inner.remove(ctx, call);
      await ctx.db
        .deleteFrom('field_hold')
        .where('record', '=', r.name)
        .where('record_id', '=', call.params.id)
        .execute();
      return answer;
    },
  } as unknown as ResourceHandlers<R>;
}
