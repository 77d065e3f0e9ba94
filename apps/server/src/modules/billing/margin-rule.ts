import {
  marginOf,
  type PRICE_STEPS,
  percentText,
  type previewMarginRule,
  type removeMarginRule,
  type setMarginRule,
  type showMarginRule,
} from '@heliograph/contract/billing/margin-rule';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { boughtPlan, changesOf, costOfReseller, lockCard, priceCard, writeCard } from './cost-card.ts';
import { costOfLink } from './cost-of-link.ts';
import { ownsPlan } from './price-plan.ts';

type Rule = BodyOf<typeof setMarginRule>;
type Shown = ReplyOf<typeof showMarginRule>['data'];

/** Number of rates that a preview lists. */
const PREVIEWED = 200;
/** Number of cards that are shown with a rule. */
const CARDS_SHOWN = 10;

/** Rule as it is stored. */
export interface StoredRule {
  percent: number;
  fixed: number;
  floor: number;
  step: number;
  below_cost: boolean;
  link_id: number | null;
}

/** Returns a stored rule as it is on the wire. */
export const ruleOnWire = ({ percent, fixed, floor, step, below_cost, link_id }: StoredRule): Rule => ({
  percent: percentText(percent),
  fixed: fromThousandths(fixed),
  floor: fromThousandths(floor),
  step: fromThousandths(step) as (typeof PRICE_STEPS)[number],
  below_cost,
  link_id,
});

/** Loads a plan that the caller owns. Throws `not_found` and `forbidden`. */
export async function planOf(ctx: Context, id: number) {
  const plan = await ctx.db
    .selectFrom('price_plan_shown')
    .select(['id', 'name', 'corporation_id', 'currency'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!plan) throw new BusinessError('not_found');
  const { id: planId, name, corporation_id, currency } = plan;
  if (!ownsPlan(ctx.caller, { corporation_id })) throw new BusinessError('forbidden');
  return { id: planId!, name: name!, corporation_id, currency: currency! };
}
type Plan = Awaited<ReturnType<typeof planOf>>;

const storedRule = ({ db }: Context, planId: number) =>
  db.selectFrom('margin_rule').selectAll().where('price_plan_id', '=', planId).executeTakeFirst();

/** Returns what the owner of a plan pays for parts. */
async function costOf(ctx: Context, plan: Plan, { link_id }: Rule) {
  if (plan.corporation_id !== null) {
    if (link_id !== null) throw fieldError('link_id', 'not_visible');
    return costOfReseller(ctx.db, plan);
  }
  if (link_id === null) throw fieldError('link_id', 'required');
  requirePermission(ctx.caller, 'carrier-cards-show');
  await requireVisible(ctx, 'link', link_id, 'link_id');
  return costOfLink(ctx, plan.id, link_id);
}

async function shown(ctx: Context, plan: Plan): Promise<Shown> {
  const rule = await storedRule(ctx, plan.id);
  const bought = plan.corporation_id === null ? null : await boughtPlan(ctx.db, plan.corporation_id);
  const cards = await ctx.db
    .selectFrom('margin_rule_card')
    .select(['version', 'created_at', 'dearer', 'cheaper'])
    .where('price_plan_id', '=', plan.id)
    .where('rule', 'is not', null)
    .orderBy('id', 'desc')
    .limit(CARDS_SHOWN)
    .execute();
  return {
    price_plan_id: plan.id,
    price_plan_name: plan.name,
    currency: plan.currency,
    of_platform: plan.corporation_id === null,
    cost_name: bought?.name ?? null,
    rule: rule ? ruleOnWire(rule as StoredRule) : null,
    problem: (rule?.problem ?? null) as Shown['problem'],
    cards,
  };
}

/** Shows the margin rule of a plan. */
export const showRule: Handler<typeof showMarginRule> = async (ctx, { params }) => ({
  data: await shown(ctx, await planOf(ctx, params.id)),
});

/** Shows the prices that a rule would give. */
export const previewRule: Handler<typeof previewMarginRule> = async (ctx, { params, body }) => {
  const plan = await planOf(ctx, params.id);
  const cost = await costOf(ctx, plan, body);
  const card = await priceCard(ctx.db, plan.id, marginOf(body), cost);
  const zones = await ctx.db.selectFrom('rate_zone').select(['id', 'name']).execute();
  const names = new Map(zones.map((zone) => [zone.id, zone.name]));
  const amount = (value: number | null) => (value === null ? null : fromThousandths(value));
  const { rates, default_price, default_present, ended } = card;
  return {
    data: {
      ...{ currency: plan.currency, cost_name: cost.name, rates: rates.length, ended, ...changesOf(card) },
      same: rates.filter(({ price, present }) => price === present).length,
      new: rates.filter(({ present }) => present === null).length,
      below_cost: rates.filter((rate) => rate.price < rate.cost).length,
      default: {
        cost: amount(cost.default_cost),
        price: fromThousandths(default_price),
        present: fromThousandths(default_present),
      },
      data: rates.slice(0, PREVIEWED).map((rate) => ({
        zone: names.get(rate.rate_zone_id) ?? '',
        prefix: rate.prefix,
        starts_on: rate.starts_on,
        ends_on: rate.ends_on,
        cost: fromThousandths(rate.cost),
        price: fromThousandths(rate.price),
        present: amount(rate.present),
      })),
    },
  };
};

/** Sets the rule of a plan and makes its card in the same transaction. */
export const setRule: Handler<typeof setMarginRule> = async (ctx, { params, body }) => {
  const plan = await planOf(ctx, params.id);
  await lockCard(ctx.db, plan.id);
  const before = await storedRule(ctx, plan.id);
  const cost = await costOf(ctx, plan, body);
  const margin = marginOf(body);
  const card = await priceCard(ctx.db, plan.id, margin, cost);
  const rule = { ...margin, link_id: body.link_id };
  const changed_at = ctx.clock.now().toISOString();
  const values = { ...rule, cost_key: cost.key, problem: null, changed_at };
  await ctx.db
    .insertInto('margin_rule')
    .values({ price_plan_id: plan.id, corporation_id: plan.corporation_id, ...values })
    .onConflict((conflict) => conflict.column('price_plan_id').doUpdateSet(values))
    .execute();
  const version = await writeCard(ctx.db, plan.id, card);
  await ctx.db
    .insertInto('margin_rule_card')
    .values({
      price_plan_id: plan.id,
      corporation_id: plan.corporation_id,
      version,
      rule: JSON.stringify(rule),
      source_plan_id: cost.source_plan_id,
      source_version: cost.source_version,
      ...changesOf(card),
      created_at: changed_at,
    })
    .execute();
  await logged(ctx, plan, 'margin rule set', before ? ruleOnWire(before as StoredRule) : null, body);
  return { data: await shown(ctx, plan) };
};

/** Removes the rule of a plan. Its prices stay. */
export const removeRule: Handler<typeof removeMarginRule> = async (ctx, { params }) => {
  const plan = await planOf(ctx, params.id);
  await lockCard(ctx.db, plan.id);
  const removed = await ctx.db
    .deleteFrom('margin_rule')
    .where('price_plan_id', '=', plan.id)
    .returningAll()
    .executeTakeFirst();
  if (!removed) return { data: await shown(ctx, plan) };
  await ctx.db
    .insertInto('margin_rule_card')
    .columns(['price_plan_id', 'corporation_id', 'version'])
    .expression((eb) =>
      eb.selectFrom('price_plan').select(['id', 'corporation_id', 'version']).where('id', '=', plan.id),
    )
    .execute();
  await logged(ctx, plan, 'margin rule removed', ruleOnWire(removed as StoredRule), null);
  return { data: await shown(ctx, plan) };
};

const logged = (ctx: Context, plan: Plan, description: string, before: object | null, after: object | null) =>
  audit(ctx, {
    name: 'price-plans',
    description,
    subject_type: 'price-plans',
    subject_id: plan.id,
    corporation_id: plan.corporation_id,
    before,
    after,
  });
