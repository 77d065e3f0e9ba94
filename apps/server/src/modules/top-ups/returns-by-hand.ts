import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { isPayable } from '@heliograph/contract/top-ups/fee';
import { approveReturn, rejectReturn, requestReturn, reverseReturn } from '@heliograph/contract/top-ups/top-up-return';
import type { Selectable } from 'kysely';
import { requireProofOfSum } from '#modules/billing';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, type Handler, mount } from '#platform/http/http';
import { hasArrived, lockTopUp, settleReturns, type TopUp, tellChange } from './settle.ts';
import { addNews } from './tell-top-ups.ts';
import { sellsTo, wholeTopUp } from './top-up-rows.ts';

type Return = Selectable<Database['top_up_return']>;
type Kind = 'refund' | 'chargeback';

/** Tells if no provider reports returns of a kind: banks report none, and Maya no chargebacks. */
export const isByHand = (driver: string, kind: Kind): boolean =>
  driver === 'bank_transfer' || (driver === 'maya' && kind === 'chargeback');

const log = (ctx: Context, topUp: TopUp, description: string, after: object) =>
  audit(ctx, {
    name: 'top-ups',
    description,
    subject_type: 'top-ups',
    subject_id: topUp.id,
    corporation_id: topUp.corporation_id,
    after: { reference: topUp.reference, ...after },
  });

/** Requests a return of a locked top-up. Throws a 422 on an amount that is not left. */
export async function addRequest(
  ctx: Context,
  topUp: TopUp,
  { kind, amount: text, reason }: { kind: Kind; amount: string; reason: string },
): Promise<void> {
  const { requested } = await ctx.db
    .selectFrom('top_up_return')
    .select(({ fn, eb }) => fn.coalesce(fn.sum<number>('amount'), eb.val(0)).as('requested'))
    .where('top_up_id', '=', topUp.id)
    .where('state', '=', 'requested')
    .executeTakeFirstOrThrow();
  const amount = toThousandths(text);
  const left = topUp.total - topUp.returned - Number(requested);
  if (amount === 0) throw fieldError('amount', 'too_small', { count: 0.01 });
  if (amount > left) throw fieldError('amount', 'top_up_refund_too_large', { amount: fromThousandths(left) });
  if (!isPayable(amount, topUp.currency)) throw fieldError('amount', 'not_payable', { currency: topUp.currency });
  await ctx.db
    .insertInto('top_up_return')
    .values({
      corporation_id: topUp.corporation_id,
      top_up_id: topUp.id,
      kind,
      state: 'requested',
      amount,
      reason,
      by_hand: true,
      user_id: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .execute();
  await log(ctx, topUp, 'return requested', { kind, amount: text, reason });
  await tellChange(ctx.db, topUp);
  await addNews(ctx.db, topUp, 'return_requested', amount);
}

const request: Handler<typeof requestReturn> = async (ctx, { params, body }) => {
  const topUp = await lockTopUp(ctx.db, params.id);
  if (!topUp) throw new BusinessError('not_found');
  if (!sellsTo(ctx.caller, topUp.corporation_id)) throw new BusinessError('forbidden');
  if (!isByHand(topUp.driver, body.kind) || !hasArrived(topUp)) throw new BusinessError('top_up_not_refundable');
  await addRequest(ctx, topUp, body);
  return { data: await wholeTopUp(ctx, topUp.id) };
};

/** Locks a return with its top-up; throws unless the caller sells it and it is in one of the states. */
async function locked(ctx: Context, id: number, states: readonly string[]): Promise<{ topUp: TopUp; given: Return }> {
  const found = await ctx.db.selectFrom('top_up_return').select('top_up_id').where('id', '=', id).executeTakeFirst();
  const topUp = found && (await lockTopUp(ctx.db, found.top_up_id));
  if (!topUp) throw new BusinessError('not_found');
  if (!sellsTo(ctx.caller, topUp.corporation_id)) throw new BusinessError('forbidden');
  const given = await ctx.db.selectFrom('top_up_return').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  if (!given.by_hand || !states.includes(given.state)) throw new BusinessError('invalid_transition');
  return { topUp, given };
}

async function decide(ctx: Context, { topUp, given }: { topUp: TopUp; given: Return }, changes: Partial<Return>) {
  await ctx.db.updateTable('top_up_return').set(changes).where('id', '=', given.id).execute();
  await settleReturns(ctx.db, topUp);
  await tellChange(ctx.db, topUp);
  return { data: await wholeTopUp(ctx, topUp.id) } satisfies ReplyOf<typeof approveReturn>;
}

const approve: Handler<typeof approveReturn> = async (ctx, { params }) => {
  const both = await locked(ctx, params.id, ['requested']);
  const { topUp, given } = both;
  const me = ctx.caller.user_id;
  if (me === null || me === given.user_id) throw new BusinessError('top_up_return_four_eyes');
  await requireProofOfSum(ctx, given.amount);
  await log(ctx, topUp, 'return approved', { kind: given.kind, amount: fromThousandths(given.amount) });
  const state = given.kind === 'refund' ? 'done' : 'lost';
  return decide(ctx, both, { state, decided_by: me, decided_at: ctx.clock.now().toISOString() });
};

const reject: Handler<typeof rejectReturn> = async (ctx, { params, body }) => {
  const both = await locked(ctx, params.id, ['requested']);
  await log(ctx, both.topUp, 'return rejected', { amount: fromThousandths(both.given.amount), reason: body.reason });
  const decided = { decided_by: ctx.caller.user_id, decided_at: ctx.clock.now().toISOString() };
  return decide(ctx, both, { state: 'rejected', decision_note: body.reason, ...decided });
};

const reverse: Handler<typeof reverseReturn> = async (ctx, { params, body }) => {
  const both = await locked(ctx, params.id, ['done', 'lost']);
  const { topUp, given } = both;
  await requireProofOfSum(ctx, given.amount);
  await log(ctx, topUp, 'return reversed', { amount: fromThousandths(given.amount), reason: body.reason });
  const reversed = { reversed_by: ctx.caller.user_id, reversed_at: ctx.clock.now().toISOString() };
  const answer = await decide(ctx, both, { state: 'reversed', decision_note: body.reason, ...reversed });
  await addNews(ctx.db, topUp, 'given_again', given.amount);
  return answer;
};

/** Mounts refunds and chargebacks that people record. */
export function mountReturnsByHand(app: App): void {
  mount(app, requestReturn, request);
  mount(app, approveReturn, approve);
  mount(app, rejectReturn, reject);
  mount(app, reverseReturn, reverse);
}
