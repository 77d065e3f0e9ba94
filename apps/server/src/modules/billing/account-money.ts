import { randomUUID } from 'node:crypto';
import type {
  correctBillingAccount,
  payBillingAccount,
  refundBillingAccount,
} from '@heliograph/contract/billing/billing-account';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { type Kysely, sql } from 'kysely';
import { addEvents } from '#modules/events';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { dateIn } from '#platform/records/period';
import { translate } from '#platform/text/i18n';
import { accountNow, accountToRun } from './billing-account.ts';
import { correct, pay, refund, type Transfer } from './ledger.ts';
import { requireProofOfSum } from './proof-of-sum.ts';

type Movement = 'payment' | 'refund' | 'correction';
const POST = { payment: pay, refund, correction: correct };

interface Input {
  amount: string;
  reference?: string | undefined;
  note?: string | undefined;
}

/** Posts one transfer that a person enters. The same reference on an account moves money once. */
async function move(
  ctx: Context,
  params: { id: number },
  movement: Movement,
  body: Input,
  check: (amount: number, key: string) => Promise<Partial<Transfer>> = async () => ({}),
) {
  const account = await accountToRun(ctx, params);
  const amount = toThousandths(body.amount);
  if (amount === 0) throw fieldError('amount', 'too_small', { count: 0.001 });
  // A refund gives no more than was charged.
  if (movement !== 'refund') await requireProofOfSum(ctx, amount);
  const key = `${movement} ${account.id} ${body.reference ?? randomUUID()}`;
  const transfer = {
    key,
    billing_account_id: account.id,
    corporation_id: account.corporation_id,
    amount,
    user_id: ctx.caller.user_id,
    note: [body.reference, body.note].filter(Boolean).join(': ') || null,
    ...(await check(amount, key)),
  };
  const moved = await POST[movement](ctx.db, transfer);
  // The same request again gets the answer of the first time.
  if (!moved) await requireSame(ctx, transfer);
  else {
    if (movement === 'payment')
      await tellPayment(ctx, account, { amount: fromThousandths(amount), reference: body.reference ?? null });
    await audit(ctx, {
      name: 'billing-accounts',
      description: movement,
      subject_type: 'billing-accounts',
      subject_id: account.id,
      corporation_id: account.corporation_id,
      after: { amount: body.amount, reference: body.reference ?? null, note: body.note ?? null },
    });
  }
  const message = translate(ctx.locale, `${movement}.done`, { amount: body.amount, name: account.name });
  return { data: await accountNow(ctx, params), message };
}

/** Tells programs of a payment that a person entered, in the transaction that posts it. */
const tellPayment = (
  { db, clock }: Context,
  { id, corporation_id }: { id: number; corporation_id: number },
  payment: { amount: string; reference: string | null },
) => {
  const data = { billing_account_id: id, ...payment, paid_at: clock.now().toISOString() };
  const owner = { corporation_id, department_id: null, user_id: null, message_id: null };
  return addEvents(db, [{ ...owner, type: 'payment.received', data }]);
};

/** Throws `reference_used`, with its first use, if a transfer with this key has other details. */
async function requireSame(ctx: Context, wanted: Pick<Transfer, 'key' | 'amount' | 'note' | 'campaign_id'>) {
  const first = await ctx.db
    .selectFrom('ledger_transfer as t')
    .innerJoin('billing_account as b', 'b.id', 't.billing_account_id')
    .innerJoin('corporation as c', 'c.id', 'b.corporation_id')
    .select(['t.amount', 't.note', 't.campaign_id', 't.created_at', 'c.currency'])
    .where('t.key', '=', wanted.key)
    .executeTakeFirstOrThrow();
  const { amount, note, campaign_id } = first;
  if (amount === wanted.amount && note === wanted.note && campaign_id === (wanted.campaign_id ?? null)) return;
  const { timezone } = await homeOf(ctx);
  throw new BusinessError('reference_used', {
    params: {
      amount: fromThousandths(amount),
      currency: first.currency,
      date: dateIn(timezone, new Date(first.created_at)),
    },
  });
}

/** Tells whether a payment with a reference was recorded for an account. */
export async function isPaymentRecorded(db: Kysely<Database>, accountId: number, reference: string): Promise<boolean> {
  const key = `payment ${accountId} ${reference}`;
  return (await db.selectFrom('ledger_transfer').select('id').where('key', '=', key).executeTakeFirst()) !== undefined;
}

/** Adds a payment to an account's credit. */
export const payAccount: Handler<typeof payBillingAccount> = (ctx, { params, body }) =>
  move(ctx, params, 'payment', body);

/** Corrects an account: a positive amount gives, a negative one takes. */
export const correctAccount: Handler<typeof correctBillingAccount> = (ctx, { params, body }) =>
  move(ctx, params, 'correction', body, async () =>
    body.month === undefined ? {} : { created_at: await endOfMonthOpenAgain(ctx, params.id, body.month) },
  );

/** Returns the last moment of a month that is open again; throws a 422 for any other month, and for one that is invoiced. */
async function endOfMonthOpenAgain({ db }: Context, accountId: number, month: string): Promise<string> {
  const { rows } = await sql<{ ends_at: string; open: boolean; invoiced: boolean }>`
    SELECT s.ends_at, month_is_open_again(c.reseller_id, s.month) AS open, EXISTS (
      SELECT FROM invoice v JOIN statement z ON z.id = v.statement_id WHERE v.billing_account_id = s.billing_account_id
        AND s.month BETWEEN v.billed_from AND z.month) AS invoiced
    FROM statement s JOIN billing_account b ON b.id = s.billing_account_id JOIN corporation c ON c.id = b.corporation_id
    WHERE s.billing_account_id = ${accountId} AND s.month = ${`${month}-01`}::date`.execute(db);
  const [found] = rows;
  if (!found?.open) throw fieldError('month', 'month_not_open_again');
  if (found.invoiced) throw fieldError('month', 'month_invoiced');
  return new Date(Date.parse(found.ends_at) - 1).toISOString();
}

/** Refunds charges of a campaign to this account. The total of refunds cannot exceed the charges. */
export const refundAccount: Handler<typeof refundBillingAccount> = (ctx, { params, body }) =>
  move(ctx, params, 'refund', body, async (amount, key) => {
    const { campaign_id } = body;
    // The lock prevents another refund of the same charges at the same time.
    await ctx.db.selectFrom('billing_account').select('id').where('id', '=', params.id).forNoKeyUpdate().execute();
    const { charged, others, known } = await ctx.db
      .selectFrom('ledger_transfer')
      .select(({ fn, eb }) => [
        fn.coalesce(fn.sum<number>('amount').filterWhere('kind', '=', 'charge'), sql<number>`0`).as('charged'),
        fn.coalesce(fn.sum<number>('amount').filterWhere('kind', '=', 'refund'), sql<number>`0`).as('others'),
        eb.fn.countAll<number>().filterWhere('key', '=', key).as('known'),
      ])
      .where('campaign_id', '=', campaign_id)
      .where('billing_account_id', '=', params.id)
      .executeTakeFirstOrThrow();
    const most = -Number(charged) - Number(others);
    if (Number(charged) === 0) throw fieldError('campaign_id', 'not_visible');
    if (known === 0 && amount > most) throw fieldError('amount', 'refund_too_large', { amount: fromThousandths(most) });
    return { campaign_id };
  });
