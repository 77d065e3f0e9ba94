import { createHash, randomBytes } from 'node:crypto';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { isPayable } from '@heliograph/contract/top-ups/fee';
import type { makeVouchers, redeemVoucher, voidVouchers, vouchers } from '@heliograph/contract/top-ups/voucher';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Caller, Context } from '#platform/context';
import { BusinessError, constraintError, fieldError } from '#platform/errors';
import type { Call, Handler } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import { translate } from '#platform/text/i18n';
import { newReference } from './make-top-up.ts';
import { credit, lockTopUp } from './settle.ts';

type Row = ReplyOf<typeof vouchers>['data'][number];

/** Letters of codes (Crockford's base 32): none looks like another. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LETTERS = 16;
/** Wrong codes that a person may try in an hour. */
const WRONG_CODES = 10;
const HOUR_MS = 3_600_000;

/** Tries are only needed for an hour. */
export const voucherTryRetention: Retention = {
  table: 'voucher_try',
  days: 1,
  since: 'tried_at',
  order: ['tried_at'],
  rows: 5_000,
};

const newCode = (): string =>
  [...randomBytes(CODE_LETTERS)]
    .map((byte) => LETTERS[byte % 32])
    .join('')
    .replace(/.{4}(?=.)/g, '$&-');

/** Returns the digest of a code, however its letters were written. */
function digestOf(code: string): Buffer {
  const letters = code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  return createHash('sha256').update(letters).digest();
}

const stored = ({ db }: Pick<Context, 'db'>) => db.selectFrom('voucher_batch_row').selectAll();
type Stored = Awaited<ReturnType<ReturnType<typeof stored>['executeTakeFirstOrThrow']>>;

/** Tells if a caller may void a batch: the administration, and the reseller that made it. */
const owns = (caller: Caller, corporationId: number | null): boolean =>
  isAdministration(caller.scope_level) || corporationId === caller.corporation_id;

const onWire = (caller: Caller, { corporation_id, amount, ...row }: Stored): Row =>
  ({
    ...row,
    amount: fromThousandths(amount!),
    voidable: row.voided_at === null && owns(caller, corporation_id) && caller.permissions.has('vouchers-create'),
  }) as Row;

/** Lists the batches of vouchers of the caller, newest first. */
export const listVouchers: Handler<typeof vouchers> = async (ctx, { query: { cursor, limit } }) => {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  const rows = await stored(ctx)
    .$if(cursor !== undefined, (q) => q.where('id', '<', Number(cursor)))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const data = rows.slice(0, limit).map((row) => onWire(ctx.caller, row));
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
};

async function batchOf(ctx: Context, id: number): Promise<Stored> {
  const row = await stored(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

async function log(ctx: Context, description: string, { id, corporation_id, name, amount, count }: Stored) {
  await audit(ctx, {
    name: 'vouchers',
    description,
    subject_type: 'vouchers',
    subject_id: id,
    corporation_id,
    after: { name, amount: fromThousandths(amount!), count },
  });
}

/** Makes a batch of vouchers of the caller: the platform's, or those of a reseller for its own customers. */
export const createVouchers: Handler<typeof makeVouchers> = async (ctx, { body }) => {
  const { name, currency, count, expires_on } = body;
  const amount = toThousandths(body.amount);
  if (amount === 0) throw fieldError('amount', 'too_small', { count: 0.01 });
  if (!isPayable(amount, currency)) throw fieldError('amount', 'not_payable', { currency });
  const corporation_id = isAdministration(ctx.caller.scope_level) ? null : ctx.caller.corporation_id;
  const batch = { corporation_id, name, amount, currency, count, expires_on, user_id: ctx.caller.user_id };
  const { id } = await ctx.db
    .insertInto('voucher_batch')
    .values({ ...batch, created_at: ctx.clock.now().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw constraintError(error, { voucher_batch_name_key: 'voucher_batch_already_exists' }) ?? error;
    });
  const codes = Array.from({ length: count }, newCode);
  const digests = codes.map((code) => `\\x${digestOf(code).toString('hex')}`);
  await sql`INSERT INTO voucher (voucher_batch_id, code_digest) SELECT ${id}, unnest(${digests}::bytea[])`.execute(
    ctx.db,
  );
  const row = await batchOf(ctx, id);
  await log(ctx, 'created', row);
  return { data: { ...onWire(ctx.caller, row), codes } };
};

/** Makes the codes of a batch invalid that nobody has redeemed. */
export const voidBatch: Handler<typeof voidVouchers> = async (ctx, { params }) => {
  const row = await batchOf(ctx, params.id);
  if (!owns(ctx.caller, row.corporation_id)) throw new BusinessError('forbidden');
  if (row.voided_at === null) {
    const voided = { voided_at: ctx.clock.now().toISOString(), voided_by: ctx.caller.user_id };
    await ctx.db.updateTable('voucher_batch').set(voided).where('id', '=', params.id).execute();
    await log(ctx, 'voided', row);
  }
  return { data: onWire(ctx.caller, await batchOf(ctx, params.id)) };
};

/** Counts a try in a transaction of its own, so that a refusal does not undo it. Throws `too_many_requests`. */
async function countTry(ctx: Context): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - HOUR_MS).toISOString();
  // Tries at the same time wait for one another.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`voucher ${ctx.caller.user_id}`}, 0))`.execute(ctx.db);
  const { tries } = await ctx.db
    .selectFrom('voucher_try')
    .select(({ fn }) => fn.countAll<number>().as('tries'))
    .where('user_id', '=', ctx.caller.user_id)
    .where('tried_at', '>', since)
    .executeTakeFirstOrThrow();
  if (Number(tries) >= WRONG_CODES) throw new BusinessError('too_many_requests', { retryAfter: HOUR_MS / 1_000 });
  const tried = { user_id: ctx.caller.user_id, tried_at: ctx.clock.now().toISOString() };
  await ctx.db.insertInto('voucher_try').values(tried).execute();
}

async function redeem(ctx: Context, { billing_account_id, code }: { billing_account_id: number; code: string }) {
  const digest = digestOf(code);
  const { rows } = await sql<{ amount: number | null }>`
    SELECT voucher_amount(${digest}, ${billing_account_id}) AS amount`.execute(ctx.db);
  const amount = rows[0]?.amount ?? null;
  if (amount === null) return null;
  const account = await ctx.db
    .selectFrom('billing_account as b')
    .innerJoin('corporation as c', 'c.id', 'b.corporation_id')
    .select(['b.corporation_id', 'c.currency'])
    .where('b.id', '=', billing_account_id)
    .executeTakeFirstOrThrow();
  const { id } = await ctx.db
    .insertInto('top_up')
    .values({
      ...account,
      billing_account_id,
      driver: 'voucher',
      method_name: translate('en', 'payment_driver.voucher'),
      amount,
      total: amount,
      reference: newReference(),
      user_id: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const taken = await sql<{
    name: string;
  }>`SELECT * FROM take_voucher(${digest}, ${billing_account_id}, ${id})`.execute(ctx.db);
  // Another person was faster: the transaction ends with the error and leaves no top-up.
  if (!taken.rows[0]) throw new BusinessError('voucher_unknown');
  const topUp = (await lockTopUp(ctx.db, id))!;
  await credit(
    ctx.db,
    { ...topUp, method_name: taken.rows[0].name },
    { method_name: taken.rows[0].name },
    ctx.clock.now(),
  );
  await audit(ctx, {
    name: 'vouchers',
    description: 'redeemed',
    subject_type: 'top-ups',
    subject_id: id,
    corporation_id: account.corporation_id,
    after: { name: taken.rows[0].name, amount: fromThousandths(amount) },
  });
  // Only wrong codes count.
  await sql`DELETE FROM voucher_try WHERE ctid = (SELECT ctid FROM voucher_try WHERE user_id = ${ctx.caller.user_id}
    ORDER BY tried_at DESC LIMIT 1)`.execute(ctx.db);
  return { id, amount: fromThousandths(amount), currency: account.currency };
}

/** Redeems a voucher for an account. */
export async function redeemCode(
  _base: unknown,
  { body }: Call<typeof redeemVoucher>,
  run: <R>(work: (ctx: Context) => Promise<R>) => Promise<R>,
): Promise<ReplyOf<typeof redeemVoucher>> {
  await run((ctx) => requireVisible(ctx, 'billing_account', body.billing_account_id, 'billing_account_id'));
  await run(countTry);
  return run(async (ctx) => {
    const done = await redeem(ctx, body);
    if (!done) throw new BusinessError('voucher_unknown');
    const { id, amount, currency } = done;
    return { data: { top_up_id: id }, message: translate(ctx.locale, 'voucher.redeemed', { amount, currency }) };
  });
}
