import { type Book, newId, type Payment } from './book.ts';
import { type Answer, type Asked, jsonOf, ok } from './exchange.ts';

// The calls of Maya's Checkout and Payments API that a top-up needs. Amounts are decimals, and notices have no signature.

const refused = (status: number, message: string): Answer => ({ status, body: { code: 'PY0009', message } });
const decimal = (amount: number) => (amount / 100).toFixed(2);

const STATUSES = {
  open: 'PENDING_TOKEN',
  challenge: 'FOR_AUTHENTICATION',
  paid: 'PAYMENT_SUCCESS',
  failed: 'PAYMENT_FAILED',
  expired: 'PAYMENT_EXPIRED',
} as const;

/** Returns a payment as the API and the notices name it. */
export function mayaPayment(payment: Payment): Record<string, unknown> {
  const refunded = payment.refunds.reduce((sum, { amount }) => sum + amount, 0);
  return {
    id: payment.payment_id ?? payment.id,
    isPaid: payment.state === 'paid',
    status: refunded > 0 && refunded === payment.amount ? 'REFUNDED' : STATUSES[payment.state],
    amount: decimal(payment.amount),
    currency: payment.currency,
    canRefund: payment.state === 'paid' && refunded < payment.amount,
    requestReferenceNumber: payment.reference,
    description: payment.description,
    fundSource: { type: 'card', details: { scheme: 'visa', last4: '4242' } },
    metadata: payment.metadata,
    updatedAt: new Date().toISOString(),
  };
}

const refundsOf = ({ refunds, currency }: Payment) =>
  refunds.map(({ id, amount, status, reason, metadata }) => ({
    id,
    reason,
    amount: decimal(amount),
    currency,
    status: status === 'succeeded' ? 'SUCCESS' : status.toUpperCase(),
    requestReferenceNumber: metadata['requestReferenceNumber'] ?? null,
  }));

interface CheckoutBody {
  totalAmount?: { value?: number | string; currency?: string };
  requestReferenceNumber?: string;
  redirectUrl?: { success?: string; failure?: string; cancel?: string };
  metadata?: Record<string, string>;
}

/** Answers a call of Maya's API. A merchant's public and secret key differ in their beginning only here: `pk-` and `sk-`. */
export function maya(book: Book, asked: Asked, tell: (payment: Payment, type: string) => void): Answer {
  const owner = asked.key.replace(/^[ps]k-/, '');
  const route = `${asked.method} ${asked.path}`;
  if (route === 'POST /checkout/v1/checkouts') {
    if (!asked.key.startsWith('pk-')) return refused(401, 'Invalid credentials.');
    return open(book, owner, asked);
  }
  if (!asked.key.startsWith('sk-')) return refused(401, 'Invalid credentials.');
  const [, resource = '', id, part] =
    /^\/payments\/v1\/([a-z-]+)(?:\/([\w-]+))?(?:\/([a-z]+))?$/.exec(asked.path) ?? [];
  switch (`${asked.method} ${resource}${id === undefined ? '' : '/:id'}${part === undefined ? '' : `/${part}`}`) {
    case 'GET payment-rrns/:id': {
      const all = [...book.payments.values()].filter((each) => each.owner === owner && each.reference === id);
      return all.length > 0 ? ok(all.map(mayaPayment)) : refused(404, 'Payment does not exist.');
    }
    case 'GET payments/:id/refunds': {
      const found = book.find(owner, id!);
      return found ? ok(refundsOf(found)) : refused(404, 'Payment does not exist.');
    }
    case 'POST payments/:id/refunds':
      return refund(book, owner, id!, asked, tell);
    case 'POST webhooks': {
      const { callbackUrl = '' } = jsonOf(asked.body) as { callbackUrl?: string };
      const known = [...book.hooks.values()].find((each) => each.owner === owner && each.url === callbackUrl);
      const hook = known ?? { id: newId(''), provider: 'maya' as const, owner, url: callbackUrl, secret: '' };
      book.hooks.set(hook.id, hook);
      book.changed();
      return ok({ id: hook.id, callbackUrl });
    }
    default:
      return refused(404, 'There is nothing here.');
  }
}

function open(book: Book, owner: string, asked: Asked): Answer {
  const { totalAmount, requestReferenceNumber, redirectUrl, metadata } = jsonOf(asked.body) as CheckoutBody;
  const amount = Math.round(Number(totalAmount?.value) * 100);
  if (!(amount > 0) || totalAmount?.currency !== 'PHP') return refused(400, 'Missing/invalid parameters.');
  const payment = book.add({
    id: newId(''),
    provider: 'maya',
    owner,
    amount,
    currency: 'PHP',
    description: 'Maya Checkout',
    reference: requestReferenceNumber ?? '',
    metadata: metadata ?? {},
    urls: {
      success: redirectUrl?.success ?? '',
      cancel: redirectUrl?.cancel ?? '',
      failure: redirectUrl?.failure ?? '',
    },
    state: 'open',
    payment_id: null,
    save: false,
    customer: null,
    method: null,
    refunds: [],
    dispute: null,
    created: Date.now(),
  });
  return ok({ checkoutId: payment.id, redirectUrl: `${asked.origin}/pay/${payment.id}` });
}

function refund(
  book: Book,
  owner: string,
  id: string,
  asked: Asked,
  tell: (payment: Payment, type: string) => void,
): Answer {
  const found = book.find(owner, id);
  if (found?.state !== 'paid') return refused(404, 'Payment does not exist.');
  const body = jsonOf(asked.body) as {
    totalAmount?: { amount?: number | string };
    reason?: string;
    requestReferenceNumber?: string;
  };
  const amount = Math.round(Number(body.totalAmount?.amount) * 100);
  const left = found.amount - found.refunds.reduce((sum, each) => sum + each.amount, 0);
  if (!(amount > 0) || amount > left) return refused(400, 'Amount is more than the refundable amount.');
  const metadata: Record<string, string> =
    body.requestReferenceNumber === undefined ? {} : { requestReferenceNumber: body.requestReferenceNumber };
  found.refunds.push({ id: newId(''), amount, status: 'succeeded', metadata, reason: body.reason ?? '' });
  book.changed();
  tell(found, 'REFUNDED');
  return ok(refundsOf(found).at(-1));
}
