import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';

/** Throws `plan_follows_cost` if a rule makes the card of one of the plans, so that nobody changes it by hand. */
export async function requireOwnPrices({ db }: Pick<Context, 'db'>, planIds: readonly number[]): Promise<void> {
  if (planIds.length === 0) return;
  const rule = await db
    .selectFrom('margin_rule')
    .select('id')
    .where('price_plan_id', 'in', planIds)
    .limit(1)
    .executeTakeFirst();
  if (rule) throw new BusinessError('plan_follows_cost');
}
