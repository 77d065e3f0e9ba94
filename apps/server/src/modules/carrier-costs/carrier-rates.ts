import { carrierRate, type uploadCarrierRates } from '@heliograph/contract/carrier-costs/carrier-rate';
import type { QueryOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePlatform } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { RATE_COLUMNS } from './rate-columns.ts';

const stored = tableStore(carrierRate, {
  table: 'carrier_rate',
  from: 'carrier_rate_row',
  searched: ['prefix', 'mcc'],
  filters: {
    prefix: (digits) => sql`starts_with(prefix, ${digits})`,
    mcc: (digits) => sql`starts_with(mcc, ${digits})`,
  },
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];
type Fields = Pick<Row, 'prefix' | 'mcc' | 'mnc' | 'starts_on' | 'ends_on'>;

/** Refuses a rate without a prefix or network, or with both, and dates that end before they start. */
function check({ prefix, mcc, mnc, starts_on, ends_on }: Fields): void {
  if ((prefix === null) === (mcc === null)) throw fieldError('prefix', 'prefix_or_network');
  if (mnc !== null && mcc === null) throw fieldError('mcc', 'required');
  if (starts_on !== null && ends_on !== null && ends_on < starts_on) throw fieldError('ends_on', 'date_order');
}

/** Throws `carrier_card_applied` if the rates of a card cannot be changed any more. */
async function requireDraft(ctx: Context, cardId: number): Promise<void> {
  await requireVisible(ctx, 'carrier_card', cardId, 'carrier_card_id');
  const card = await ctx.db
    .selectFrom('carrier_card')
    .select('applied_at')
    .where('id', '=', cardId)
    .executeTakeFirstOrThrow();
  if (card.applied_at !== null) throw new BusinessError('carrier_card_applied');
}

/** Takes from rates of applied cards what nobody may do with them. */
async function withAbilities(ctx: Context, rows: readonly Row[]): Promise<Row[]> {
  const ids = [...new Set(rows.map(({ carrier_card_id }) => carrier_card_id))];
  if (ids.length === 0) return [];
  const drafts = await ctx.db
    .selectFrom('carrier_card')
    .select('id')
    .where('id', 'in', ids)
    .where('applied_at', 'is', null)
    .execute();
  const open = new Set(drafts.map(({ id }) => id));
  return rows.map((row) =>
    open.has(row.carrier_card_id) ? row : { ...row, abilities: { edit: false, delete: false } },
  );
}

/** Rates of carriers' cards. They are changed only while their card is a draft. */
export const carrierRates: ResourceHandlers<typeof carrierRate> = {
  async list(ctx, call) {
    const page = await stored.list(ctx, call);
    return { ...page, data: await withAbilities(ctx, page.data) };
  },
  async get(ctx, call) {
    const { data } = await stored.get(ctx, call);
    return { data: (await withAbilities(ctx, [data]))[0]! };
  },
  async create(ctx, call) {
    await requireDraft(ctx, call.body.carrier_card_id);
    check(call.body);
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    const { data } = await stored.get(ctx, call);
    await requireDraft(ctx, data.carrier_card_id);
    const given = Object.fromEntries(Object.entries(call.body).filter(([, value]) => value !== undefined));
    check({ ...data, ...given });
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    const { data } = await stored.get(ctx, call);
    await requireDraft(ctx, data.carrier_card_id);
    return stored.remove(ctx, call);
  },
};

/** Checks an upload of rates: its card is a draft, and its assigned columns can be read. */
export async function prepareUpload(
  ctx: Context,
  { carrier_card_id, columns }: Pick<QueryOf<typeof uploadCarrierRates>, 'carrier_card_id' | 'columns'>,
) {
  requirePlatform(ctx.caller);
  await requireDraft(ctx, carrier_card_id);
  if (columns !== undefined && RATE_COLUMNS.assigned(columns) === null) throw fieldError('columns', 'carrier_columns');
  return { corporation_id: null, parameters: { carrier_card_id, ...(columns && { columns }) } };
}
