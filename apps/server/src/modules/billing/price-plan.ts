import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import type { z } from 'zod';
import { requireVisible } from '#platform/access/visible';
import type { Caller } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { costsMayDiffer } from './follow-costs.ts';
import { requireOwnPrices } from './own-prices.ts';

type Plan = z.output<typeof pricePlan.row>;

/** Tells if a caller may change a plan. Customers billed by a plan can see it, but only its owner changes it. */
export const ownsPlan = (caller: Caller, plan: Pick<Plan, 'corporation_id'>): boolean =>
  isAdministration(caller.scope_level) || plan.corporation_id === caller.corporation_id;

const stored = tableStore(pricePlan, {
  table: 'price_plan',
  from: 'price_plan_shown',
  may(plan, caller) {
    const own = ownsPlan(caller, plan);
    return { edit: own, delete: own };
  },
});

function checkDates({ starts_on, expires_on }: Pick<Plan, 'starts_on' | 'expires_on'>): void {
  if (starts_on !== null && expires_on !== null && expires_on < starts_on) throw fieldError('expires_on', 'date_order');
}

/** Price plans: the platform's own, and a reseller's for its customers. */
export const pricePlans: ResourceHandlers<typeof pricePlan> = {
  ...stored,
  async create(ctx, { params, query, body }) {
    const { caller } = ctx;
    const { corporation_id } = body;
    checkDates(body);
    if (isAdministration(caller.scope_level)) {
      if (corporation_id !== null)
        await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id', sql`is_reseller`);
      return stored.create(ctx, { params, query, body });
    }
    if (corporation_id !== null && corporation_id !== caller.corporation_id)
      throw fieldError('corporation_id', 'not_visible');
    return stored.create(ctx, { params, query, body: { ...body, corporation_id: caller.corporation_id } });
  },
  async update(ctx, call) {
    const { data } = await stored.get(ctx, call);
    if (!ownsPlan(ctx.caller, data)) throw new BusinessError('forbidden');
    const { starts_on = data.starts_on, expires_on = data.expires_on } = call.body;
    checkDates({ starts_on, expires_on });
    if (call.body.default_charge !== undefined && call.body.default_charge !== data.default_charge)
      await requireOwnPrices(ctx, [data.id]);
    const updated = await stored.update(ctx, call);
    await costsMayDiffer(ctx);
    return updated;
  },
  async remove(ctx, call) {
    if (!ownsPlan(ctx.caller, (await stored.get(ctx, call)).data)) throw new BusinessError('forbidden');
    return stored.remove(ctx, call);
  },
};
