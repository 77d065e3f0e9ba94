import type {
  allocateInvoicePayment,
  freeInvoicePayments,
  releaseInvoicePayment,
} from '@heliograph/contract/invoices/invoice-payment';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { logged } from './draft.ts';
import { soldInvoice, wholeInvoice } from './invoice-rows.ts';
import { record } from './issue.ts';
import { allocate, type FreePayment, freePayments, lockInvoices } from './spread.ts';

/** Loads an issued invoice that the caller sells and that names an account, with the account's invoices locked. */
async function payable(ctx: Context, id: number) {
  const row = await soldInvoice(ctx, id);
  const { billing_account_id } = row;
  if (row.kind !== 'invoice' || row.state !== 'issued' || billing_account_id === null)
    throw new BusinessError('invoice_not_payable');
  await lockInvoices(ctx.db, billing_account_id);
  const { paid, credited, payable: total, corporation_id, number, currency } = await soldInvoice(ctx, id);
  return {
    billing_account_id,
    corporation_id: corporation_id!,
    number,
    currency,
    open: Math.max(0, total! - paid! - credited!),
  };
}

const onWire = ({ id, free, amount, note, created_at }: FreePayment) => ({
  id,
  free: fromThousandths(free),
  amount: fromThousandths(amount),
  note,
  paid_at: created_at,
});

/** Lists payments of the invoice's account with money that pays no invoice. */
export const listFreePayments: Handler<typeof freeInvoicePayments> = async (ctx, { params }) => {
  const { billing_account_id } = await soldInvoice(ctx, params.id);
  return { data: billing_account_id === null ? [] : (await freePayments(ctx.db, billing_account_id)).map(onWire) };
};

/** Lets a chosen payment pay a chosen invoice of its account. */
export const allocateOne: Handler<typeof allocateInvoicePayment> = async (ctx, { params, body }) => {
  const invoice = await payable(ctx, params.id);
  const payment = (await freePayments(ctx.db, invoice.billing_account_id)).find(({ id }) => id === body.payment_id);
  if (!payment) throw fieldError('payment_id', 'not_visible');
  const most = Math.min(payment.free, invoice.open);
  const amount = body.amount === undefined ? most : toThousandths(body.amount);
  if (amount <= 0) throw fieldError('amount', 'too_small', { count: 0.001 });
  if (amount > most) throw fieldError('amount', 'allocation_too_large', { amount: fromThousandths(most) });
  await allocate(ctx.db, params.id, payment.id, amount);
  await record(ctx, 'allocated', params.id, invoice.corporation_id, {
    ...logged(invoice),
    payment_id: payment.id,
    amount: fromThousandths(amount),
  });
  return { data: await wholeInvoice(ctx, params.id), message: translate(ctx.locale, 'invoicing.allocated') };
};

/** Takes a payment off an invoice. The money is free for other invoices. */
export const releaseOne: Handler<typeof releaseInvoicePayment> = async (ctx, { params, body }) => {
  const invoice = await payable(ctx, params.id);
  const released = await ctx.db
    .deleteFrom('invoice_payment')
    .where('invoice_id', '=', params.id)
    .where('payment_id', '=', body.payment_id)
    .returning('amount')
    .executeTakeFirst();
  if (!released) throw fieldError('payment_id', 'not_visible');
  await record(ctx, 'released', params.id, invoice.corporation_id, {
    ...logged(invoice),
    payment_id: body.payment_id,
    amount: fromThousandths(released.amount),
  });
  return { data: await wholeInvoice(ctx, params.id), message: translate(ctx.locale, 'invoicing.released') };
};
