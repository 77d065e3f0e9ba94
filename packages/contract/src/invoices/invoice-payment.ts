import { z } from 'zod';
import { id, instant, money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { idParams, oneReply } from '../kernel/resource.ts';
import { wholeInvoice } from './invoice.ts';

/** Lists payments of the invoice's account with money that pays no invoice, the newest first. */
export const freeInvoicePayments = operation({
  method: 'GET',
  path: '/api/v1/invoices/:id/free-payments',
  permission: 'invoices-issue',
  params: idParams,
  reply: z.object({
    data: z.array(
      z.object({ id: z.int(), free: money(), amount: money(), note: z.string().nullable(), paid_at: instant }),
    ),
  }),
  errors: ['not_found'],
});

/** Lets a payment of the account pay this invoice: an amount of it, or as much as is free and open. */
export const allocateInvoicePayment = operation({
  method: 'POST',
  path: '/api/v1/invoices/:id/payments',
  permission: 'invoices-issue',
  params: idParams,
  body: z.object({ payment_id: id, amount: money().optional() }),
  reply: oneReply(wholeInvoice),
  errors: ['not_found', 'invoice_not_payable'],
});

/** Takes a payment off an invoice, so that its money can pay another. */
export const releaseInvoicePayment = operation({
  method: 'POST',
  path: '/api/v1/invoices/:id/payments/release',
  permission: 'invoices-issue',
  params: idParams,
  body: z.object({ payment_id: id }),
  reply: oneReply(wholeInvoice),
  errors: ['not_found', 'invoice_not_payable'],
});
