import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { brandOf } from '#platform/operator/brand';
import { sendMail } from '#platform/outbound/mail';
import { personToMail } from '#platform/person/person-to-mail';
import { notify } from '#platform/realtime/realtime';
import { translate } from '#platform/text/i18n';
import {
  boughtPlan,
  changesOf,
  costOfReseller,
  hasOtherCurrency,
  keyOfPlan,
  lockCard,
  priceCard,
  writeCard,
} from './cost-card.ts';
import { costOfLink, keyOfLink } from './cost-of-link.ts';

/** Job that makes new cards for plans whose cost has changed. */
export const followCostsJob = defineJob('follow-costs', z.object({}), { heartbeatSeconds: 60 });

/** Job that mails one person that prices follow a new cost. */
export const mailFollowedCostJob = defineJob(
  'mail-followed-cost',
  z.object({ margin_rule_card_id: z.int(), user_id: z.int() }),
);

/** Reasons why prices do not follow the cost, by the error that says so. */
const PROBLEMS: Readonly<Record<string, 'no_cost' | 'currency'>> = {
  margin_no_cost: 'no_cost',
  margin_currency: 'currency',
};

/** Asks for new cards where the cost may have changed, once the caller's transaction has committed. */
export async function costsMayDiffer({ db }: { db: Kysely<Database> }): Promise<void> {
  const rule = await db.selectFrom('margin_rule').select('id').limit(1).executeTakeFirst();
  if (rule) await enqueue(db, followCostsJob, {});
}

/**
 * Makes a new card for each plan whose cost is another one than its card was made from. Any number of workers may do this
 * at the same time: each plan is judged behind the lock of its card.
 */
export async function followCosts({ database, clock }: Pick<WorkerContext, 'database' | 'clock'>): Promise<void> {
  const rules = await database
    .selectFrom('margin_rule')
    .select(['id', 'price_plan_id', 'corporation_id', 'link_id', 'cost_key', 'problem'])
    .orderBy('id')
    .execute();
  for (const rule of rules) {
    if (rule.problem === null && (await keyNow({ db: database, clock }, rule)) === rule.cost_key) continue;
    await database.transaction().execute((db) => follow({ db, clock }, rule.price_plan_id));
  }
}

interface Work {
  db: Kysely<Database>;
  clock: WorkerContext['clock'];
}
interface Source {
  price_plan_id: number;
  corporation_id: number | null;
  link_id: number | null;
}

/** Returns the identity of the cost that a rule should follow now; null if it is not known. */
async function keyNow({ db, clock }: Work, { price_plan_id, corporation_id, link_id }: Source): Promise<string | null> {
  if (link_id !== null)
    return keyOfLink(db, price_plan_id, link_id, clock.now()).catch((error: unknown) => {
      if (error instanceof BusinessError) return null;
      throw error;
    });
  const bought = corporation_id === null ? null : await boughtPlan(db, corporation_id);
  if (!bought || (await hasOtherCurrency(db, price_plan_id, bought.currency))) return null;
  return keyOfPlan(bought);
}

async function follow(ctx: Work, planId: number): Promise<void> {
  const { db, clock } = ctx;
  await lockCard(db, planId);
  const plan = await db
    .selectFrom('margin_rule as r')
    .innerJoin('price_plan as p', 'p.id', 'r.price_plan_id')
    .selectAll('r')
    .select('p.name')
    .where('p.id', '=', planId)
    .executeTakeFirst();
  if (!plan) return;
  const { corporation_id, percent, fixed, floor, step, below_cost, link_id } = plan;
  const rule = { percent, fixed, floor, step, below_cost };
  try {
    const cost =
      link_id === null
        ? await costOfReseller(db, { id: planId, corporation_id })
        : await costOfLink(ctx, planId, link_id);
    if (cost.key === plan.cost_key && plan.problem === null) return;
    const card = await priceCard(db, planId, rule, cost);
    const version = await writeCard(db, planId, card);
    const set = { cost_key: cost.key, problem: null };
    await db.updateTable('margin_rule').set(set).where('price_plan_id', '=', planId).execute();
    const changes = changesOf(card);
    const made = await db
      .insertInto('margin_rule_card')
      .values({
        ...{ price_plan_id: planId, corporation_id, version, rule: JSON.stringify({ ...rule, link_id }) },
        ...{ source_plan_id: cost.source_plan_id, source_version: cost.source_version, ...changes },
        created_at: clock.now().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (changes.dearer + changes.cheaper === 0) return;
    for (const user_id of await sellersOf(db, corporation_id)) {
      await notify(db, user_id, 'billing.prices_followed', { price_plan_id: planId, name: plan.name });
      await enqueue(db, mailFollowedCostJob, { margin_rule_card_id: made.id, user_id });
    }
  } catch (error) {
    const problem = error instanceof BusinessError ? PROBLEMS[error.code] : undefined;
    if (!problem) throw error;
    if (problem === plan.problem) return;
    await db.updateTable('margin_rule').set({ problem }).where('price_plan_id', '=', planId).execute();
    for (const user_id of await sellersOf(db, corporation_id))
      await notify(db, user_id, 'billing.prices_stay', { price_plan_id: planId, name: plan.name });
  }
}

/** Returns the people who manage a reseller, or the administrators of the platform. */
async function sellersOf(db: Kysely<Database>, reseller: number | null): Promise<number[]> {
  const people = await db
    .selectFrom('user_account')
    .select('id')
    .where('enabled', '=', true)
    .where('is_service', '=', false)
    .where(({ eb, and }) =>
      reseller === null
        ? eb('scope_level', '<=', 1)
        : and([eb('scope_level', '=', 2), eb('corporation_id', '=', reseller)]),
    )
    .orderBy('id')
    .execute();
  return people.map(({ id }) => id);
}

/** Mails that the prices of a plan follow a new cost. */
export async function mailFollowedCost(
  { database, config, log }: Pick<WorkerContext, 'database' | 'config' | 'log'>,
  { margin_rule_card_id, user_id }: z.output<(typeof mailFollowedCostJob)['data']>,
): Promise<void> {
  const card = await database
    .selectFrom('margin_rule_card as m')
    .innerJoin('price_plan as p', 'p.id', 'm.price_plan_id')
    .select(['p.name', 'm.corporation_id', 'm.dearer', 'm.cheaper', 'm.version'])
    .where('m.id', '=', margin_rule_card_id)
    .executeTakeFirst();
  const person = await personToMail(database, user_id, 'balance');
  if (!card || !person) return;
  const brand = await brandOf(database, config, card.corporation_id);
  const { name, dearer, cheaper, version } = card;
  const say = (part: 'subject' | 'text') =>
    translate(person.locale, keyIn('prices_followed_mail', part), {
      ...{ app: brand.app, name, dearer, cheaper, version },
    });
  await sendMail(config, { to: person.email, subject: say('subject'), text: say('text') }, log, brand.mail());
}
