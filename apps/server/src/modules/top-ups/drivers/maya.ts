import { createHash } from 'node:crypto';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { Driver, Known, Merchant, Notice, NoticeFault, NoticeInput, Seen } from './driver.ts';
import { parseObject, textOf } from './signature.ts';

// Maya's Checkout v1 and Payments v1. Pages are opened with the public key, everything else is read and done with the
// secret one. Notices have no signature: they only say where to look, as all others do here.

const EVENTS = ['PAYMENT_SUCCESS', 'PAYMENT_FAILED', 'PAYMENT_EXPIRED', 'PAYMENT_CANCELLED'];

interface Payment {
  id: string;
  isPaid: boolean;
  status: string;
  amount: string | number;
  currency: string;
  requestReferenceNumber: string;
  fundSource?: { type?: string; details?: { scheme?: string; last4?: string } };
}
interface Refund {
  id: string;
  amount: string | number;
  status: string;
  requestReferenceNumber: string | null;
}

const headers = (key: string | null) => ({
  authorization: `Basic ${Buffer.from(`${key ?? ''}:`).toString('base64')}`,
  'content-type': 'application/json',
});
/** Pesos with two decimals: amounts of top-ups have no part of a centavo. */
const decimal = (thousandths: number) => fromThousandths(thousandths).slice(0, -1);
const PAID = ['PAYMENT_SUCCESS', 'REFUNDED', 'VOIDED'];

const refundsOf = async (merchant: Merchant, id: string) =>
  (await merchant.call<Refund[]>({
    method: 'GET',
    path: `/payments/v1/payments/${id}/refunds`,
    headers: headers(merchant.secret_key),
  })) ?? [];

async function look(merchant: Merchant, { reference }: Known): Promise<Seen | undefined> {
  const payments = await merchant.call<Payment[]>({
    method: 'GET',
    path: `/payments/v1/payment-rrns/${reference}`,
    headers: headers(merchant.secret_key),
  });
  // A customer who was declined tries again under the same reference: the payment that succeeded counts.
  const payment = payments?.find(({ isPaid, status }) => isPaid || PAID.includes(status)) ?? payments?.at(-1);
  if (!payment) return undefined;
  const isPaid = payment.isPaid || PAID.includes(payment.status);
  const over = payment.status === 'PAYMENT_EXPIRED' || payment.status === 'PAYMENT_CANCELLED';
  const source = payment.fundSource;
  return {
    state: isPaid ? 'paid' : payment.status === 'PAYMENT_FAILED' ? 'failed' : over ? 'expired' : 'open',
    reference: payment.requestReferenceNumber,
    total: toThousandths(String(payment.amount)),
    currency: payment.currency,
    payment_id: isPaid ? payment.id : null,
    method_label: source
      ? [source.details?.scheme ?? source.type, source.details?.last4].filter(Boolean).join(' ')
      : null,
    returns: isPaid
      ? (await refundsOf(merchant, payment.id)).map(({ id, amount, status, requestReferenceNumber }) => ({
          kind: 'refund',
          provider_id: id,
          amount: toThousandths(String(amount)),
          state: status === 'SUCCESS' ? 'done' : status === 'FAILED' ? 'failed' : 'pending',
          key: requestReferenceNumber,
        }))
      : [],
    saved: null,
  };
}

function notice({ body }: NoticeInput): Notice | NoticeFault {
  const payment = parseObject(body);
  const id = textOf(payment?.['id']);
  if (!payment || id === null) return 'unreadable';
  return {
    // Maya gives notices no ids: the same body is the same notice.
    event_id: `${id} ${createHash('sha256').update(body).digest('hex').slice(0, 32)}`.slice(-200),
    type: textOf(payment['status']) ?? '',
    reference: textOf(payment['requestReferenceNumber']),
    payment_id: id,
  };
}

/** Driver of Maya, whose payments are in pesos. */
export const maya: Driver = {
  look,
  notice,
  async open(merchant, { reference, total, currency, return_url }) {
    const made = await merchant.call<{ checkoutId: string; redirectUrl: string }>({
      method: 'POST',
      path: '/checkout/v1/checkouts',
      headers: headers(merchant.public_key),
      body: JSON.stringify({
        totalAmount: { value: decimal(total), currency },
        requestReferenceNumber: reference,
        redirectUrl: { success: return_url, failure: return_url, cancel: return_url },
      }),
    });
    if (!made) throw new Error('no page in the answer');
    return { checkout_id: made.checkoutId, url: made.redirectUrl, expires_at: null };
  },
  async refund(merchant, { payment_id, amount, currency, key, reason }) {
    if ((await refundsOf(merchant, payment_id)).some((each) => each.requestReferenceNumber === key)) return;
    await merchant.call({
      method: 'POST',
      path: `/payments/v1/payments/${payment_id}/refunds`,
      headers: headers(merchant.secret_key),
      body: JSON.stringify({
        totalAmount: { amount: decimal(amount), currency },
        reason,
        requestReferenceNumber: key,
      }),
    });
  },
  async register(merchant, url) {
    for (const name of EVENTS)
      await merchant.call({
        method: 'POST',
        path: '/payments/v1/webhooks',
        headers: headers(merchant.secret_key),
        body: JSON.stringify({ name, callbackUrl: url }),
      });
    return null;
  },
};
