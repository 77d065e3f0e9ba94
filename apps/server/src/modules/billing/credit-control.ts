import type {
  accountCredit,
  giveGrace,
  holdAccount,
  overdueAccounts,
  setCreditPolicy,
  showCreditPolicy,
} from '@heliograph/contract/billing/credit-control';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { type Kysely, sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { accountToRun } from './billing-account.ts';
import { cursorId } from './credit-change.ts';
import { type CreditStep, type Hold, NO_POLICY, type Policy, policyOf, stepsOf } from './credit-steps.ts';
import { type Overdue, overdueOf } from './overdue.ts';

type Standing = ReplyOf<typeof accountCredit>['data'];

/**
 * Tells if campaigns and bulk messages of an account must wait, because its payments or those of the reseller's account
 * that pays for its traffic are overdue.
 */
export async function isUnpaid(
  db: Kysely<Database>,
  { billing_account_id }: { billing_account_id: number },
): Promise<boolean> {
  const { rows } = await sql<{ hold: Hold }>`SELECT sending_hold(${billing_account_id}) AS hold`.execute(db);
  return rows[0]!.hold !== 'none';
}

/** Returns the owner of the caller's policy: their corporation, or null for the platform. Throws `forbidden`. */
export function sellerOf({ caller }: Context): number | null {
  if (isAdministration(caller.scope_level)) return null;
  if (caller.corporation_id === null || caller.scope_level > 2) throw new BusinessError('forbidden');
  return caller.corporation_id;
}

async function ownPolicy(ctx: Context): Promise<Policy> {
  const { rows } = await sql<Policy>`SELECT enabled, payment_days, remind_after, warn_after, hold_after, suspend_after
    FROM credit_policy WHERE corporation_id IS NOT DISTINCT FROM ${sellerOf(ctx)}::bigint`.execute(ctx.db);
  return rows[0] ?? NO_POLICY;
}

/** Shows the caller's policy as a seller. */
export const showPolicy: Handler<typeof showCreditPolicy> = async (ctx) => ({ data: await ownPolicy(ctx) });

/** Throws a 422 on the first step that is earlier than a milder one. Everything stops only as the last step. */
function checkOrder(policy: Policy): void {
  let before = -1;
  for (const field of ['remind_after', 'warn_after', 'hold_after'] as const) {
    const days = policy[field];
    if (days === null) continue;
    if (days < before) throw fieldError(field, 'credit_step_order');
    before = days;
  }
  if (policy.suspend_after !== null && policy.suspend_after <= before)
    throw fieldError('suspend_after', 'credit_suspend_last');
}

/** Sets the caller's policy as a seller. */
export const savePolicy: Handler<typeof setCreditPolicy> = async (ctx, { body }) => {
  checkOrder(body);
  const seller = sellerOf(ctx);
  const before = await ownPolicy(ctx);
  await ctx.db
    .insertInto('credit_policy')
    .values({ corporation_id: seller, ...body })
    .onConflict((conflict) => conflict.constraint('credit_policy_corporation_id_key').doUpdateSet(body))
    .execute();
  await audit(ctx, {
    name: 'credit-control',
    description: 'policy changed',
    subject_type: 'corporations',
    subject_id: seller,
    corporation_id: seller,
    before,
    after: body,
  });
  return { data: body };
};

interface Held {
  hold: Hold;
  hold_by: string | null;
  grace_until: string | null;
  currency: string;
}

/** Puts an overdue amount on the wire, with the next of the steps that were not `taken`. */
function overdueOnWire(
  owed: Overdue,
  { hold, grace_until, currency }: Held,
  policy: Policy,
  taken: readonly CreditStep[],
) {
  const open = owed.due_on === null ? [] : stepsOf(policy, owed.due_on, grace_until);
  const next = open.find(({ step }) => !taken.includes(step));
  return {
    overdue: fromThousandths(owed.overdue),
    currency,
    due_on: owed.due_on,
    hold,
    grace_until,
    next_step: next?.step ?? null,
    next_on: next?.on ?? null,
  };
}

/** Lists the accounts that the caller sells to and that are overdue or on hold. */
export const listOverdue: Handler<typeof overdueAccounts> = async (ctx, { query }) => {
  const seller = sellerOf(ctx);
  const after = cursorId(query.cursor) ?? 0;
  const owed = new Map((await overdueOf(ctx)).map((each) => [each.billing_account_id, each]));
  const { rows } = await sql<Held & { id: number; name: string; corporation_name: string; taken: CreditStep[] }>`
    SELECT b.id, b.name, c.name AS corporation_name, c.currency, b.hold, b.hold_by, b.grace_until,
      ARRAY(SELECT s.step FROM credit_step s WHERE s.billing_account_id = b.id AND s.ended_at IS NULL ORDER BY s.id) AS taken
    FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
    WHERE b.id > ${after} AND c.reseller_id IS NOT DISTINCT FROM ${seller}::bigint
      AND (b.hold <> 'none' OR b.id = ANY (${[...owed.keys()]}::bigint[]))
    ORDER BY b.id LIMIT ${query.limit + 1}`.execute(ctx.db);
  const page = rows.slice(0, query.limit);
  const has_more = rows.length > page.length;
  const policy = await ownPolicy(ctx);
  const paid = (billing_account_id: number): Overdue => ({
    billing_account_id,
    corporation_id: 0,
    today: '',
    overdue: 0,
    due_on: null,
  });
  return {
    data: page.map(({ id, name, corporation_name, taken, ...held }) => ({
      ...{ id, name, corporation_name, last_step: taken.at(-1) ?? null },
      ...overdueOnWire(owed.get(id) ?? paid(id), held, policy, taken),
    })),
    next_cursor: has_more ? String(page.at(-1)!.id) : null,
    has_more,
  };
};

async function standingOf(ctx: Context, id: number): Promise<Standing> {
  const account = await ctx.db
    .selectFrom('billing_account as b')
    .innerJoin('corporation as c', 'c.id', 'b.corporation_id')
    .select(['b.hold', 'b.hold_by', 'b.grace_until', 'c.currency'])
    .where('b.id', '=', id)
    .$narrowType<{ hold: Hold }>()
    .executeTakeFirst();
  const [owed] = await overdueOf(ctx, [id]);
  if (!account || !owed) throw new BusinessError('not_found');
  const policy = await policyOf(ctx.db, id);
  const taken = await ctx.db
    .selectFrom('credit_step')
    .select(['step', 'taken_at'])
    .where('billing_account_id', '=', id)
    .where('ended_at', 'is', null)
    .$narrowType<{ step: CreditStep }>()
    .execute();
  const done = new Map(taken.map(({ step, taken_at }) => [step, taken_at]));
  const steps = owed.due_on === null ? [] : stepsOf(policy, owed.due_on, account.grace_until);
  return {
    ...overdueOnWire(owed, account, policy, [...done.keys()]),
    held_by_person: account.hold_by === 'person',
    steps: steps.map(({ step, on }) => ({
      step,
      on,
      taken_at: done.get(step) ?? null,
    })),
  };
}

/** Shows what an account owes beyond its due date, and the steps against it. */
export const showAccountCredit: Handler<typeof accountCredit> = async (ctx, { params }) => ({
  data: await standingOf(ctx, params.id),
});

type Change = { hold: Hold; hold_by: 'person' | null } | { grace_until: string | null };

async function change(ctx: Context, id: number, set: Change, what: 'hold' | 'grace', note: string) {
  const account = await accountToRun(ctx, { id });
  const before = await standingOf(ctx, id);
  await ctx.db.updateTable('billing_account').set(set).where('id', '=', id).execute();
  const data = await standingOf(ctx, id);
  await audit(ctx, {
    name: 'billing-accounts',
    description: what === 'hold' ? 'hold changed' : 'grace changed',
    subject_type: 'billing-accounts',
    subject_id: id,
    corporation_id: account.corporation_id,
    before: { hold: before.hold, grace_until: before.grace_until },
    after: { hold: data.hold, grace_until: data.grace_until, note },
  });
  return { data };
}

/** Sets the hold of an account by hand. */
export const setHold: Handler<typeof holdAccount> = (ctx, { params, body: { hold, note } }) =>
  change(ctx, params.id, { hold, hold_by: hold === 'none' ? null : 'person' }, 'hold', note);

/** Gives an account time before the next step. */
export const setGrace: Handler<typeof giveGrace> = (ctx, { params, body: { until, note } }) =>
  change(ctx, params.id, { grace_until: until }, 'grace', note);
