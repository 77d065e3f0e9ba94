import { rate } from '@heliograph/contract/billing/rate';
import { sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { costsMayDiffer } from './follow-costs.ts';
import { requireOwnPrices } from './own-prices.ts';
import { ownsPlan } from './price-plan.ts';

const stored = tableStore(rate, {
  table: 'rate',
  from: 'rate_row',
  searched: ['prefix'],
  filters: {
    prefix: (digits) => sql`starts_with(prefix, ${digits})`,
    in_force_on: (day) => sql`${day}::date BETWEEN starts_on AND coalesce(ends_on, 'infinity')`,
  },
});
type Rate = Awaited<ReturnType<typeof stored.get>>['data'];

/** Refuses dates that end before they start. */
function checkDates({ starts_on, ends_on }: Pick<Rate, 'starts_on' | 'ends_on'>): void {
  if (ends_on !== null && ends_on < starts_on) throw fieldError('ends_on', 'date_order');
}

const refusingOverlap = <X>(work: Promise<X>): Promise<X> =>
  work.catch((error: { constraint?: string }) => {
    throw error.constraint === 'rate_overlap' ? fieldError('starts_on', 'rate_overlaps') : error;
  });

/** Returns those of the given plans that the caller may change rates of. */
async function ownPlans(ctx: Context, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const plans = await ctx.db
    .selectFrom('price_plan')
    .select(['id', 'corporation_id'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Set(plans.filter((plan) => ownsPlan(ctx.caller, plan)).map(({ id }) => id));
}

async function withAbilities(ctx: Context, rates: readonly Rate[]): Promise<Rate[]> {
  const own = await ownPlans(
    ctx,
    rates.map(({ price_plan_id }) => price_plan_id),
  );
  return rates.map((each) =>
    own.has(each.price_plan_id) ? each : { ...each, abilities: { edit: false, delete: false } },
  );
}

async function requireOwn(ctx: Context, price_plan_id: number): Promise<void> {
  if (!(await ownPlans(ctx, [price_plan_id])).has(price_plan_id)) throw new BusinessError('forbidden');
  await requireOwnPrices(ctx, [price_plan_id]);
}

/** Asks for new cards of plans whose cost this change is. */
async function changing<X>(ctx: Context, work: Promise<X>): Promise<X> {
  const done = await work;
  await costsMayDiffer(ctx);
  return done;
}

/** Rates of the plans that the caller sees. Only a plan's owner changes them. */
export const rates: ResourceHandlers<typeof rate> = {
  async list(ctx, call) {
    const page = await stored.list(ctx, call);
    return { ...page, data: await withAbilities(ctx, page.data) };
  },
  async get(ctx, call) {
    const { data } = await stored.get(ctx, call);
    return { data: (await withAbilities(ctx, [data]))[0]! };
  },
  async create(ctx, call) {
    const { price_plan_id, rate_zone_id } = call.body;
    await requireVisible(ctx, 'price_plan', price_plan_id, 'price_plan_id');
    await requireVisible(ctx, 'rate_zone', rate_zone_id, 'rate_zone_id');
    await requireOwn(ctx, price_plan_id);
    checkDates(call.body);
    return changing(ctx, refusingOverlap(stored.create(ctx, call)));
  },
  async update(ctx, call) {
    const { data } = await stored.get(ctx, call);
    await requireOwn(ctx, data.price_plan_id);
    const { starts_on = data.starts_on, ends_on = data.ends_on } = call.body;
    checkDates({ starts_on, ends_on });
    return changing(ctx, refusingOverlap(stored.update(ctx, call)));
  },
  async remove(ctx, call) {
    const { data } = await stored.get(ctx, call);
    await requireOwn(ctx, data.price_plan_id);
    return changing(ctx, stored.remove(ctx, call));
  },
};
