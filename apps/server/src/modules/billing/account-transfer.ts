import type {
  accountTransfers,
  makeAccountTransfer,
  reverseAccountTransfer,
} from '@heliograph/contract/billing/account-transfer';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { dateIn } from '#platform/records/period';
import { translate } from '#platform/text/i18n';
import { cursorId } from './credit-change.ts';
import { moveBetween, type Transfer } from './ledger.ts';
import { requireProofOfSum } from './proof-of-sum.ts';

type Body = BodyOf<typeof makeAccountTransfer>;

type Row = ReplyOf<typeof accountTransfers>['data'][number];

const stored = ({ db }: Pick<Context, 'db'>) => db.selectFrom('account_transfer_row').selectAll();
type Stored = Awaited<ReturnType<ReturnType<typeof stored>['executeTakeFirstOrThrow']>>;

const onWire = ({ runs, amount, ...row }: Stored): Row =>
  ({ ...row, amount: fromThousandths(amount!), reversible: runs === true && row.reversed_at === null }) as Row;

/** Returns a transfer that the caller sees. Throws `not_found`. */
async function transferOf(ctx: Context, id: number): Promise<Row> {
  const row = await stored(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return onWire(row);
}

/** Lists the transfers from or to accounts that the caller sees, newest first. */
export const listAccountTransfers: Handler<typeof accountTransfers> = async (ctx, { query }) => {
  const before = cursorId(query.cursor);
  const { billing_account_id: account, reversed } = query;
  const rows = await stored(ctx)
    .$if(account !== undefined, (q) =>
      q.where(({ eb, or }) => or([eb('from_account_id', '=', account!), eb('to_account_id', '=', account!)])),
    )
    .$if(reversed !== undefined, (q) => q.where('reversed_at', reversed ? 'is not' : 'is', null))
    .$if(before !== null, (q) => q.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute();
  const page = rows.slice(0, query.limit);
  const has_more = rows.length > page.length;
  return { data: page.map(onWire), next_cursor: has_more ? String(page.at(-1)!.id) : null, has_more };
};

/** Loads an account with the facts that decide who may give to it. Throws a 422 on `field` if the caller sees none. */
async function sideOf(ctx: Context, field: 'from_account_id' | 'to_account_id', id: number) {
  await requireVisible(ctx, 'billing_account', id, field);
  return ctx.db
    .selectFrom('billing_account as a')
    .innerJoin('corporation as c', 'c.id', 'a.corporation_id')
    .select(['a.id', 'a.name', 'a.corporation_id', 'a.enabled', 'c.reseller_id', 'c.currency'])
    .where('a.id', '=', id)
    .executeTakeFirstOrThrow();
}
type Side = Awaited<ReturnType<typeof sideOf>>;

/** Throws a 422 unless the accounts are of one owner, or the second is of a customer of the first one's owner. */
function requireRelated(from: Side, to: Side): void {
  if (from.id === to.id) throw fieldError('to_account_id', 'transfer_same_account');
  const owner = from.corporation_id === to.corporation_id || from.corporation_id === to.reseller_id;
  if (!owner) throw fieldError('to_account_id', 'transfer_unrelated');
  if (from.currency !== to.currency)
    throw fieldError('to_account_id', 'transfer_currency', { from: from.currency, to: to.currency });
  if (!to.enabled) throw fieldError('to_account_id', 'transfer_disabled');
}

/** Stores a transfer under its reference. Returns its id, or null if the reference is used on the paying account. */
async function storeTransfer(ctx: Context, body: Body, from: Side, to: Side): Promise<number | null> {
  const made = await ctx.db
    .insertInto('account_transfer')
    .values({
      from_account_id: from.id,
      from_corporation_id: from.corporation_id,
      to_account_id: to.id,
      to_corporation_id: to.corporation_id,
      amount: toThousandths(body.amount),
      reference: body.reference ?? null,
      note: body.note ?? null,
      user_id: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['from_account_id', 'reference']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}

/** Returns the transfer that used the reference first, if this is the same one; throws `transfer_reference_used` if not. */
async function sameTransfer(ctx: Context, { from_account_id, to_account_id, reference, amount, note }: Body) {
  const first = await stored(ctx)
    .where('from_account_id', '=', from_account_id)
    .where('reference', '=', reference!)
    .executeTakeFirstOrThrow();
  const same =
    first.to_account_id === to_account_id && first.amount === toThousandths(amount) && first.note === (note ?? null);
  if (same) return onWire(first);
  const { timezone } = await homeOf(ctx);
  throw new BusinessError('transfer_reference_used', {
    params: {
      amount: fromThousandths(first.amount!),
      currency: first.currency!,
      name: first.to_account_name ?? '',
      date: dateIn(timezone, new Date(first.created_at!)),
    },
  });
}

/** Posts both sides of a movement in the ledger. */
async function post(ctx: Context, key: string, from: Side, to: Side, amount: number, note: string | null) {
  const side = (
    { id: billing_account_id, corporation_id, reseller_id }: Side,
    which: string,
    other: Side,
  ): Transfer => ({
    key: `${key} ${which}`,
    billing_account_id,
    corporation_id,
    amount,
    user_id: ctx.caller.user_id,
    // Its customers do not see the names of a reseller's accounts.
    note: [other.corporation_id === reseller_id ? null : other.name, note].filter(Boolean).join(': ') || null,
  });
  await moveBetween(ctx.db, side(from, 'from', to), side(to, 'to', from));
}

const logged = (from: Side, to: Side, amount: number) => ({
  from: from.name,
  to: to.name,
  amount: fromThousandths(amount),
});

/** Moves credit from one account to another. */
export const makeTransfer: Handler<typeof makeAccountTransfer> = async (ctx, { body }) => {
  const amount = toThousandths(body.amount);
  if (amount === 0) throw fieldError('amount', 'too_small', { count: 0.001 });
  const from = await sideOf(ctx, 'from_account_id', body.from_account_id);
  const to = await sideOf(ctx, 'to_account_id', body.to_account_id);
  requireRelated(from, to);
  await requireProofOfSum(ctx, amount);
  const message = translate(ctx.locale, 'account_transfer.done', { amount: body.amount, name: to.name });
  const id = await storeTransfer(ctx, body, from, to);
  // The same request again gets the answer of the first time.
  if (id === null) return { data: await sameTransfer(ctx, body), message };
  const note = [body.reference, body.note].filter(Boolean).join(': ') || null;
  await post(ctx, `transfer ${id}`, from, to, amount, note);
  await audit(ctx, {
    name: 'account-transfers',
    description: 'transferred',
    subject_type: 'account-transfers',
    subject_id: id,
    corporation_id: from.corporation_id,
    after: { ...logged(from, to, amount), reference: body.reference ?? null, note: body.note ?? null },
  });
  return { data: await transferOf(ctx, id), message };
};

/** Takes a transfer back, once and whole. */
export const reverseTransfer: Handler<typeof reverseAccountTransfer> = async (ctx, { params, body }) => {
  await transferOf(ctx, params.id);
  const reversed = await ctx.db
    .updateTable('account_transfer')
    .set({ reversed_at: ctx.clock.now().toISOString(), reversed_by: ctx.caller.user_id, reverse_note: body.note })
    .where('id', '=', params.id)
    .where('reversed_at', 'is', null)
    .returning(['from_account_id', 'to_account_id', 'amount'])
    .executeTakeFirst();
  if (!reversed) {
    const { reversed_at } = await transferOf(ctx, params.id);
    // The receiving side does not decide.
    throw new BusinessError(reversed_at === null ? 'forbidden' : 'transfer_reversed');
  }
  const giver = await sideOf(ctx, 'from_account_id', reversed.from_account_id);
  const taker = await sideOf(ctx, 'to_account_id', reversed.to_account_id);
  await post(ctx, `transfer ${params.id} back`, taker, giver, reversed.amount, body.note);
  await audit(ctx, {
    name: 'account-transfers',
    description: 'reversed',
    subject_type: 'account-transfers',
    subject_id: params.id,
    corporation_id: giver.corporation_id,
    after: { ...logged(giver, taker, reversed.amount), note: body.note },
  });
  const message = translate(ctx.locale, 'account_transfer.reversed', { name: giver.name });
  return { data: await transferOf(ctx, params.id), message };
};
