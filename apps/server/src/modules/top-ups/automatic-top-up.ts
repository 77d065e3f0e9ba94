import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import {
  type changeAutomaticTopUp,
  consentValues,
  type endAutomaticTopUp,
  KEEPS_CARDS,
  type showAutomaticTopUp,
  type startAutomaticTopUp,
} from '@heliograph/contract/top-ups/automatic-top-up';
import { feeOf } from '@heliograph/contract/top-ups/fee';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { enqueue } from '#platform/jobs/jobs';
import { translate } from '#platform/text/i18n';
import { sumsOf } from './charge-card.ts';
import { type AutomaticTopUp, forgetCardJob } from './kept-card.ts';
import { type Method, methodsOf, newTopUp, requireAmount } from './make-top-up.ts';
import { openPageJob } from './open-page.ts';
import { wholeTopUp } from './top-up-rows.ts';

type Row = NonNullable<ReplyOf<typeof showAutomaticTopUp>['data']>;
type Terms = BodyOf<typeof changeAutomaticTopUp>;

const AMOUNTS = ['threshold', 'amount', 'day_limit', 'month_limit'] as const;

/** Loads an account that the caller sees. Throws `not_found`. */
async function accountOf(ctx: Context, id: number) {
  const account = await ctx.db
    .selectFrom('billing_account as b')
    .innerJoin('corporation as c', 'c.id', 'b.corporation_id')
    .select(['b.id', 'b.name', 'b.corporation_id', 'c.timezone', 'c.currency'])
    .where('b.id', '=', id)
    .executeTakeFirst();
  if (!account) throw new BusinessError('not_found');
  return account;
}
type Account = Awaited<ReturnType<typeof accountOf>>;

/** Only the owner of an account agrees to charges of a card; the seller may end them. */
const owns = (ctx: Context, { corporation_id }: Account) => ctx.caller.corporation_id === corporation_id;

const openOf = (ctx: Context, account: Account, lock = true) =>
  ctx.db
    .selectFrom('automatic_top_up')
    .selectAll()
    .where('billing_account_id', '=', account.id)
    .where('state', '<>', 'ended')
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();

async function onWire(ctx: Context, account: Account, plan: AutomaticTopUp): Promise<Row> {
  const sums = await sumsOf(ctx.db, account.id, account.timezone, ctx.clock.now().toISOString());
  const { rows } = await sql<{ user_name: string | null; open_top_up_id: number | null }>`
    SELECT (SELECT name FROM user_account WHERE id = ${plan.user_id}) AS user_name,
      (SELECT max(id) FROM top_up WHERE automatic_top_up_id = ${plan.id} AND state IN ('created', 'awaiting_payment')) AS open_top_up_id`.execute(
    ctx.db,
  );
  const { id, state, stop_reason, merchant_account_id, method_name, card_label, consent_text, consented_at } = plan;
  const mayAct = ctx.caller.permissions.has('top-ups-create');
  return {
    ...{ id, stop_reason, merchant_account_id, method_name, card_label, consent_text, consented_at },
    state: state as Row['state'],
    ...Object.fromEntries(AMOUNTS.map((name) => [name, fromThousandths(plan[name])])),
    minutes_between: plan.minutes_between,
    total: fromThousandths(plan.total),
    currency: account.currency,
    day_sum: fromThousandths(sums.day),
    month_sum: fromThousandths(sums.month),
    next_at: plan.next_at,
    ...rows[0]!,
    may: { change: mayAct && owns(ctx, account), end: mayAct },
  } as unknown as Row;
}

/** Shows the automatic top-up of an account. */
export const showAutomatic: Handler<typeof showAutomaticTopUp> = async (ctx, { params }) => {
  const account = await accountOf(ctx, params.id);
  const plan = await openOf(ctx, account, false);
  const may_start = ctx.caller.permissions.has('top-ups-create') && owns(ctx, account);
  return { data: plan ? await onWire(ctx, account, plan) : null, may_start };
};

/** Checks terms and the consent to them, and returns the columns that they become. Throws a 422 on the field. */
function agreed(ctx: Context, terms: Terms, method: Method, account: Account) {
  requireAmount(toThousandths(terms.amount), method);
  const [threshold, amount, day_limit, month_limit] = AMOUNTS.map((name) => toThousandths(terms[name])) as [
    number,
    number,
    number,
    number,
  ];
  if (threshold === 0) throw fieldError('threshold', 'too_small', { count: 0.01 });
  if (day_limit < amount) throw fieldError('day_limit', 'day_limit_below_amount');
  if (month_limit < day_limit) throw fieldError('month_limit', 'month_limit_below_day');
  const text = translate(ctx.locale, 'automatic_top_up.consent', consentValues(terms, method, account));
  if (terms.consent !== text) throw fieldError('consent', 'consent_differs');
  return {
    ...{ threshold, amount, day_limit, month_limit, minutes_between: terms.minutes_between },
    total: feeOf(amount, method).total,
    method_name: method.name,
    consent_text: text,
    consented_at: ctx.clock.now().toISOString(),
    user_id: ctx.caller.user_id,
  };
}

async function methodFor(ctx: Context, account: Account, id: number): Promise<Method> {
  const method = (await methodsOf(ctx, account.id)).find((each) => each.id === id);
  if (!method) throw fieldError('merchant_account_id', 'not_visible');
  if (!KEEPS_CARDS.includes(method.driver)) throw fieldError('merchant_account_id', 'keeps_no_cards');
  return method;
}

async function log(ctx: Context, account: Account, id: number, description: string, after: object) {
  await audit(ctx, {
    name: 'top-ups',
    description,
    subject_type: 'billing-accounts',
    subject_id: account.id,
    corporation_id: account.corporation_id,
    after: { account: account.name, automatic_top_up: id, ...after },
  });
}

const logged = ({ consent, threshold, amount, day_limit, month_limit, minutes_between }: Terms) => ({
  ...{ threshold, amount, day_limit, month_limit, minutes_between, consent },
});

/** Ends an automatic top-up and lets a worker remove its card. */
async function end(ctx: Context, { id, card_method }: AutomaticTopUp): Promise<void> {
  await ctx.db
    .updateTable('automatic_top_up')
    .set({ state: 'ended', stop_reason: null, ended_at: ctx.clock.now().toISOString(), ended_by: ctx.caller.user_id })
    .where('id', '=', id)
    .execute();
  if (card_method !== null) await enqueue(ctx.db, forgetCardJob, { automatic_top_up_id: id });
}

/** Records the consent, and begins the payment whose card is kept. One that does not run is replaced. */
export const startAutomatic: Handler<typeof startAutomaticTopUp> = async (ctx, { params, body }) => {
  const account = await accountOf(ctx, params.id);
  if (!owns(ctx, account)) throw new BusinessError('forbidden');
  // One start of an account at a time.
  await sql`SELECT FROM billing_account WHERE id = ${account.id} FOR NO KEY UPDATE`.execute(ctx.db);
  const present = await openOf(ctx, account);
  if (present?.state === 'on') throw new BusinessError('automatic_top_up_on');
  const method = await methodFor(ctx, account, body.merchant_account_id);
  const columns = agreed(ctx, body, method, account);
  if (present) await end(ctx, present);
  const { id } = await ctx.db
    .insertInto('automatic_top_up')
    .values({
      ...columns,
      corporation_id: account.corporation_id,
      billing_account_id: account.id,
      merchant_account_id: method.id,
      created_at: ctx.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const first = await ctx.db
    .insertInto('top_up')
    .values({
      ...newTopUp(method, account, columns.amount),
      save_method: true,
      automatic_top_up_id: id,
      origin: body.origin ?? null,
      user_id: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(ctx.db, openPageJob, { top_up_id: first.id });
  await log(ctx, account, id, 'automatic begun', { method: method.name, ...logged(body) });
  return { data: await wholeTopUp(ctx, first.id) };
};

/** Changes the terms, with the consent to the new ones. */
export const changeAutomatic: Handler<typeof changeAutomaticTopUp> = async (ctx, { params, body }) => {
  const account = await accountOf(ctx, params.id);
  if (!owns(ctx, account)) throw new BusinessError('forbidden');
  const present = await openOf(ctx, account);
  if (!present) throw new BusinessError('not_found');
  if (present.card_method === null) throw new BusinessError('automatic_top_up_waits');
  const columns = agreed(ctx, body, await methodFor(ctx, account, present.merchant_account_id), account);
  const changed = await ctx.db
    .updateTable('automatic_top_up')
    .set({
      ...columns,
      state: 'on',
      stop_reason: null,
      declines: 0,
      next_at: sql`greatest(${ctx.clock.now().toISOString()}::timestamptz, (
        SELECT max(t.created_at) FROM top_up t WHERE t.billing_account_id = ${account.id} AND t.automatic_top_up_id IS NOT NULL
      ) + ${body.minutes_between} * interval '1 minute')`,
    })
    .where('id', '=', present.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await log(ctx, account, present.id, 'automatic changed', logged(body));
  return { data: await onWire(ctx, account, changed) };
};

/** Ends the automatic top-up of an account. */
export const endAutomatic: Handler<typeof endAutomaticTopUp> = async (ctx, { params }) => {
  const account = await accountOf(ctx, params.id);
  const present = await openOf(ctx, account);
  if (!present) throw new BusinessError('not_found');
  await end(ctx, present);
  await log(ctx, account, present.id, 'automatic ended', { card: present.card_label });
  return { message: translate(ctx.locale, 'automatic_top_up.ended', { name: account.name }) };
};
