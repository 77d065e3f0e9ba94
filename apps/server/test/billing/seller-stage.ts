import type { marginRule } from '@heliograph/contract/billing/margin-rule';
import type { z } from 'zod';
import { pay } from '#modules/billing';
import { followCosts } from '../../src/modules/billing/follow-costs.ts';
import { callerOf } from '../campaigns/stage.ts';
import type { Scope } from '../template-database.ts';
import { type Body, makeMoneyStage } from './stage.ts';

export type Rule = z.output<typeof marginRule>;
/** Runs a statement and returns its only row. */
export const one = async <T>(work: { executeTakeFirstOrThrow(): Promise<T> }) => work.executeTakeFirstOrThrow();

/** Makes a reseller, `beacon`, that buys on the plan Wholesale and sells to the tenant by the plan Retail. */
export async function makeSellerStage(t: Scope) {
  const stage = await makeMoneyStage(t);
  const { owner, tenant, zones, callers, clock, home } = stage;
  const follow = () => followCosts({ database: home.db('worker'), clock });

  const beacon = await one(
    owner.insertInto('corporation').values({ name: 'Beacon', is_reseller: true }).returning('id'),
  );
  const plan = (name: string, default_charge: number, corporation_id: number | null = null) =>
    one(
      owner
        .insertInto('price_plan')
        .values({ name, type: 'prepaid_package', default_charge, corporation_id })
        .returning('id'),
    );
  const wholesale = await plan('Wholesale', 100);
  const retail = await plan('Retail', 900, beacon.id);
  const rates = [
    { rate_zone_id: zones.web, prefix: '63', charge: 200, starts_on: '2020-01-01' },
    { rate_zone_id: zones.web, prefix: '63917', charge: 333, starts_on: '2020-01-01' },
    { rate_zone_id: zones.api, prefix: '63', charge: 150, starts_on: '2020-01-01', ends_on: '2090-01-31' },
    { rate_zone_id: zones.api, prefix: '63', charge: 400, starts_on: '2090-02-01' },
  ];
  await owner
    .insertInto('rate')
    .values(rates.map((rate) => ({ ...rate, price_plan_id: wholesale.id })))
    .execute();
  await owner
    .insertInto('billing_account')
    .values({ corporation_id: beacon.id, name: 'Own', key: 'B-1', price_plan_id: wholesale.id })
    .execute();
  await owner
    .updateTable('corporation')
    .set({ reseller_id: beacon.id })
    .where('id', '=', tenant.corporation_id)
    .execute();
  const { id: own } = await one(
    owner.selectFrom('billing_account').select('id').where('corporation_id', '=', beacon.id),
  );
  await owner
    .transaction()
    .execute((db) => pay(db, { key: 'own', billing_account_id: own, corporation_id: beacon.id, amount: 50_000 }));
  callers.set(
    'beacon',
    callerOf(tenant, 'reseller', {
      scope_level: 2,
      corporation_id: beacon.id,
      corporations: [beacon.id, tenant.corporation_id],
      billing_account_id: null,
      department_id: null,
    }),
  );

  const path = `/api/v1/price-plans/${retail.id}/margin-rule`;
  const rule: Rule = { percent: '10', fixed: '0.005', floor: '0.200', step: '0.010', below_cost: false, link_id: null };
  const put = (who: string, body: object) => stage.call<Body>(who, 'PUT', path, body);
  const cardNow = async () => {
    const all = await owner
      .selectFrom('rate')
      .selectAll()
      .where('price_plan_id', '=', retail.id)
      .orderBy('id')
      .execute();
    const { default_charge } = await one(
      owner.selectFrom('price_plan').select('default_charge').where('id', '=', retail.id),
    );
    const prices = all.map(({ rate_zone_id, prefix, starts_on, charge, ends_on }) =>
      [rate_zone_id === zones.web ? 'WEB' : 'API', prefix, starts_on, charge, ends_on].join(' '),
    );
    return [...prices.sort(), default_charge];
  };
  return { ...stage, follow, beacon, wholesale, retail, path, rule, put, cardNow };
}
