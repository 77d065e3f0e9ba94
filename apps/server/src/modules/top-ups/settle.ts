import { takenBack } from '@heliograph/contract/top-ups/fee';
import { type Kysely, type Selectable, sql } from 'kysely';
import { pay, payBack } from '#modules/billing';
import { addEvents } from '#modules/events';
import type { Database } from '#platform/database/db';
import { failpoint } from '#platform/failpoints';
import { emit } from '#platform/realtime/realtime';
import type { Seen, SeenReturn } from './drivers/driver.ts';
import { addNews } from './tell-top-ups.ts';

// Facts about a top-up, from a provider, a person or a voucher, become its state and entries of the ledger here, in one
// transaction that holds the top-up locked. The same facts again, in any order, change nothing.

export type TopUp = Selectable<Database['top_up']>;

/** States in which the money has arrived. */
const ARRIVED: readonly string[] = ['paid', 'partly_refunded', 'refunded', 'charged_back'];

/** Tells if the money of a top-up has arrived, even if it went back since. */
export const hasArrived = ({ state }: Pick<TopUp, 'state'>): boolean => ARRIVED.includes(state);

/** Loads a top-up, locked until the transaction ends; undefined if the caller sees none. */
export const lockTopUp = (db: Kysely<Database>, id: number): Promise<TopUp | undefined> =>
  db.selectFrom('top_up').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Tells consoles that a top-up changed, once the transaction has committed. */
export const tellChange = (db: Kysely<Database>, { id, corporation_id }: Pick<TopUp, 'id' | 'corporation_id'>) =>
  emit(db, `private-corporation.${corporation_id}`, 'top-up.changed', { top_up_id: id });

const transferOf = ({ id, billing_account_id, corporation_id, method_name, reference }: TopUp, what: string) => ({
  key: `top-up ${id} ${what}`,
  billing_account_id,
  corporation_id,
  note: `${method_name}: ${reference}`.slice(0, 200),
});

/** Credits the account with a locked top-up, once, and tells programs. */
export async function credit(db: Kysely<Database>, topUp: TopUp, changes: Partial<TopUp>, now: Date): Promise<TopUp> {
  await pay(db, { ...transferOf(topUp, 'paid'), amount: topUp.amount, user_id: topUp.user_id });
  failpoint('top-up.posted');
  const paid = { ...changes, state: 'paid', problem: null, paid_at: now.toISOString() };
  await db.updateTable('top_up').set(paid).where('id', '=', topUp.id).execute();
  const { corporation_id, id } = topUp;
  const event = { corporation_id, department_id: null, user_id: null, message_id: null, data: { top_up_id: id } };
  await addEvents(db, [{ ...event, type: 'payment.received' }]);
  await tellChange(db, topUp);
  await addNews(db, topUp, 'credited', topUp.amount);
  return { ...topUp, ...paid };
}

/** Returns why a provider's payment is not the one that was asked for; null if it is. */
export function problemOf(topUp: Pick<TopUp, 'reference' | 'total' | 'currency'>, seen: Seen) {
  if (seen.reference !== topUp.reference) return 'reference_differs';
  if (seen.currency !== topUp.currency) return 'currency_differs';
  return seen.total === topUp.total ? null : 'amount_differs';
}

/** Applies the state of a payment at its provider to a locked top-up. */
export async function applySeen(db: Kysely<Database>, given: TopUp, seen: Seen, now: Date): Promise<TopUp> {
  const found = { payment_id: seen.payment_id, method_label: seen.method_label };
  if (seen.state === 'paid') {
    const problem = problemOf(given, seen);
    if (problem !== null) {
      if (given.problem === problem) return given;
      await db.updateTable('top_up').set({ problem }).where('id', '=', given.id).execute();
      await tellChange(db, given);
      return { ...given, problem };
    }
    // Money that comes after the page expired, or after a declined card, has come too.
    const topUp = hasArrived(given) ? given : await credit(db, given, found, now);
    for (const each of seen.returns) await keepReturn(db, topUp, each);
    return settleReturns(db, topUp);
  }
  const isOpen = given.state === 'created' || given.state === 'awaiting_payment';
  if (!isOpen || seen.state === 'open') return given;
  await db.updateTable('top_up').set({ state: seen.state }).where('id', '=', given.id).execute();
  await tellChange(db, given);
  if (seen.state === 'failed') await addNews(db, given, 'failed', given.amount);
  return { ...given, state: seen.state };
}

/** Records a refund or chargeback that the provider knows, under its id; our own refund by its key. */
async function keepReturn(db: Kysely<Database>, topUp: TopUp, seen: SeenReturn): Promise<void> {
  const { kind, provider_id, amount, state, key } = seen;
  if (key !== null) {
    await db
      .updateTable('top_up_return')
      .set({ provider_id })
      .where('top_up_id', '=', topUp.id)
      .where(sql`key::text`, '=', key)
      .where('provider_id', 'is', null)
      .execute();
  }
  const known = await db
    .updateTable('top_up_return')
    .set({ state, amount })
    .where('top_up_id', '=', topUp.id)
    .where('provider_id', '=', provider_id)
    .executeTakeFirst();
  // A dispute that never took money is none.
  if (known.numUpdatedRows > 0n || state === 'won') return;
  const { id: top_up_id, corporation_id } = topUp;
  await db
    .insertInto('top_up_return')
    .values({ top_up_id, corporation_id, kind, state, amount, provider_id })
    .execute();
}

/**
 * Brings a locked, paid top-up in line with its refunds and chargebacks. The account loses the same part of the credit as
 * the customer gets of the money. It may fall below zero: then nothing is reserved until the limit allows it.
 */
export async function settleReturns(db: Kysely<Database>, topUp: TopUp): Promise<TopUp> {
  const { refunded, disputed } = await db
    .selectFrom('top_up_return')
    .select(({ fn, eb }) => [
      fn.coalesce(fn.sum<number>('amount').filterWhere('kind', '=', 'refund'), eb.val(0)).as('refunded'),
      fn.coalesce(fn.sum<number>('amount').filterWhere('kind', '=', 'chargeback'), eb.val(0)).as('disputed'),
    ])
    .where('top_up_id', '=', topUp.id)
    .where('state', 'in', ['asked', 'pending', 'done', 'open', 'lost'])
    .executeTakeFirstOrThrow();
  const returned = Math.min(topUp.total, Number(refunded) + Number(disputed));
  const state =
    Number(disputed) > 0
      ? 'charged_back'
      : returned === 0
        ? 'paid'
        : returned === topUp.total
          ? 'refunded'
          : 'partly_refunded';
  if (returned === topUp.returned && state === topUp.state) return topUp;
  const target = takenBack(returned, topUp);
  const taken = target - topUp.taken_back;
  const entries = topUp.entries + (taken === 0 ? 0 : 1);
  if (taken > 0) await payBack(db, { ...transferOf(topUp, `back ${entries}`), amount: taken });
  if (taken < 0) await pay(db, { ...transferOf(topUp, `again ${entries}`), amount: -taken });
  const changes = { state, returned, taken_back: target, entries };
  await db.updateTable('top_up').set(changes).where('id', '=', topUp.id).execute();
  await tellChange(db, topUp);
  if (state === 'charged_back' && topUp.state !== state) await addNews(db, topUp, 'charged_back', Number(disputed));
  else if (returned > topUp.returned) await addNews(db, topUp, 'refunded', returned);
  return { ...topUp, ...changes };
}
