import type { CREDIT_STEPS, HOLDS } from '@heliograph/contract/billing/credit-control';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { notify } from '#platform/realtime/realtime';
import { type Overdue, overdueOf } from './overdue.ts';

export type CreditStep = (typeof CREDIT_STEPS)[number];
export type Hold = (typeof HOLDS)[number];

/** Job that takes the steps that are due against accounts that have not paid, and ends those of accounts that have. */
export const creditStepsJob = defineJob('credit-steps', z.object({}), { heartbeatSeconds: 60 });

/** Job that mails one person a step against an account of theirs. */
export const mailCreditStepJob = defineJob('mail-credit-step', z.object({ credit_step_id: z.int(), user_id: z.int() }));

/** Days after a due date on which each step is taken; null leaves it out. */
export interface Policy {
  enabled: boolean;
  payment_days: number;
  remind_after: number | null;
  warn_after: number | null;
  hold_after: number | null;
  suspend_after: number | null;
}

/** Policy of a seller that has set none: nothing happens. */
export const NO_POLICY: Policy = {
  enabled: false,
  payment_days: 14,
  remind_after: 1,
  warn_after: 7,
  hold_after: 14,
  suspend_after: 30,
};

const HOLD_OF: Readonly<Partial<Record<CreditStep, Hold>>> = { hold: 'bulk', suspend: 'all' };

/** Lists the steps of a policy for a due date, with the day of each. None is taken before the end of the grace. */
export function stepsOf(
  policy: Policy,
  due_on: string,
  grace_until: string | null,
): { step: CreditStep; on: string }[] {
  if (!policy.enabled) return [];
  const due = Temporal.PlainDate.from(due_on);
  const after = {
    remind: policy.remind_after,
    warn: policy.warn_after,
    hold: policy.hold_after,
    suspend: policy.suspend_after,
  };
  return Object.entries(after).flatMap(([step, days]) => {
    if (days === null) return [];
    const on = due.add({ days }).toString();
    return [{ step: step as CreditStep, on: grace_until !== null && on < grace_until ? grace_until : on }];
  });
}

/** Returns the policy of the seller of an account. */
export async function policyOf(db: Kysely<Database>, accountId: number): Promise<Policy> {
  const { rows } = await sql<Policy>`SELECT enabled, payment_days, remind_after, warn_after, hold_after, suspend_after
    FROM policy_of_account(${accountId})`.execute(db);
  return rows[0] ?? NO_POLICY;
}

/**
 * Judges all accounts that are overdue, on hold or have open steps. Any number of workers may do this at the same time:
 * each account is judged behind its lock, and a step has one row for a due date.
 */
export async function takeCreditSteps(worker: Pick<WorkerContext, 'database' | 'clock'>): Promise<void> {
  const { database, clock } = worker;
  const overdue = await overdueOf({ db: database, clock });
  const { rows } = await sql<{ id: number }>`
    SELECT b.id FROM billing_account b WHERE b.hold_by = 'policy'
    UNION SELECT billing_account_id FROM credit_step WHERE ended_at IS NULL`.execute(database);
  const ids = new Set([...overdue.map(({ billing_account_id }) => billing_account_id), ...rows.map(({ id }) => id)]);
  for (const id of [...ids].sort((a, b) => a - b))
    await database.transaction().execute((db) => judge({ db, clock }, id));
}

/** Judges one account: ends what no longer holds, takes the steps that are due, and sets the hold of the policy. */
async function judge(ctx: { db: Kysely<Database>; clock: WorkerContext['clock'] }, id: number): Promise<void> {
  const { db, clock } = ctx;
  const account = await db
    .selectFrom('billing_account')
    .select(['id', 'name', 'corporation_id', 'hold', 'hold_by', 'grace_until'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const [owed] = await overdueOf(ctx, [id]);
  if (!account || !owed) return;
  const now = clock.now().toISOString();
  await db
    .updateTable('credit_step')
    .set({ ended_at: now })
    .where('billing_account_id', '=', id)
    .where('ended_at', 'is', null)
    .$if(owed.due_on !== null, (q) => q.where('due_on', '<>', owed.due_on!))
    .execute();
  const policy = await policyOf(db, id);
  const due = owed.due_on === null ? [] : stepsOf(policy, owed.due_on, account.grace_until);
  const reached = due.filter(({ on }) => on <= owed.today).map(({ step }) => step);
  for (const step of reached) await take(db, account, owed, step, now);
  const hold = reached.map((step) => HOLD_OF[step] ?? 'none').at(-1) ?? 'none';
  if (account.hold_by === 'person' || account.hold === hold) return;
  await db
    .updateTable('billing_account')
    .set({ hold, hold_by: hold === 'none' ? null : 'policy' })
    .where('id', '=', id)
    .execute();
}

/** Records a step once for a due date, and notifies the people of the account. */
async function take(
  db: Kysely<Database>,
  account: { id: number; name: string; corporation_id: number },
  { due_on, overdue }: Overdue,
  step: CreditStep,
  taken_at: string,
): Promise<void> {
  const { id: billing_account_id, corporation_id, name } = account;
  const made = await db
    .insertInto('credit_step')
    .values({ billing_account_id, corporation_id, due_on: due_on!, step, overdue, taken_at })
    .onConflict((conflict) => conflict.columns(['billing_account_id', 'due_on', 'step']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) return;
  for (const user_id of await peopleOf(db, account)) {
    await notify(db, user_id, `billing.credit_${step}`, { billing_account_id, name });
    await enqueue(db, mailCreditStepJob, { credit_step_id: made.id, user_id });
  }
}

/** Returns the people who manage the corporation of an account, or a department that it pays for. */
export async function peopleOf(
  db: Kysely<Database>,
  { id, corporation_id }: { id: number; corporation_id: number },
): Promise<number[]> {
  const people = await db
    .selectFrom('user_account')
    .select('id')
    .where('corporation_id', '=', corporation_id)
    .where('is_service', '=', false)
    .where('enabled', '=', true)
    .where(({ eb, or, and }) =>
      or([eb('scope_level', '=', 2), and([eb('scope_level', '=', 3), eb('billing_account_id', '=', id)])]),
    )
    .orderBy('id')
    .execute();
  return people.map((person) => person.id);
}
