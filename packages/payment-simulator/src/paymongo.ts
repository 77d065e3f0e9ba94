import { type Book, newId, type Payment } from './book.ts';
import { type Answer, type Asked, jsonOf, ok } from './exchange.ts';

// The calls of PayMongo's API that a top-up needs.

const refused = (status: number, detail: string): Answer => ({
  status,
  body: { errors: [{ code: 'invalid', detail }] },
});

const refundsOf = ({ refunds, payment_id, currency }: Payment) =>
  refunds.map(({ id, amount, status, metadata, reason }) => ({
    id,
    type: 'refund',
    attributes: { amount, currency, status, metadata, reason, payment_id },
  }));

const paymentOf = (payment: Payment) => ({
  id: payment.payment_id,
  type: 'payment',
  attributes: {
    amount: payment.amount,
    currency: payment.currency,
    status: payment.state === 'paid' ? 'paid' : 'failed',
    disputed: payment.dispute !== null && payment.dispute.status !== 'won',
    external_reference_number: payment.reference,
    metadata: payment.metadata,
    refunds: refundsOf(payment),
    source: { type: 'gcash' },
  },
});

const sessionOf = (payment: Payment, origin: string) => ({
  id: payment.id,
  type: 'checkout_session',
  attributes: {
    checkout_url: `${origin}/pay/${payment.id}`,
    description: payment.description,
    line_items: [{ amount: payment.amount, currency: payment.currency, name: payment.description, quantity: 1 }],
    metadata: payment.metadata,
    payments: payment.payment_id === null ? [] : [paymentOf(payment)],
    reference_number: payment.reference,
    status: payment.state === 'expired' ? 'expired' : 'active',
  },
});

/** Returns the notice about a change of a payment. */
export function paymongoEvent(payment: Payment, type: string, origin: string): object {
  const data = type.startsWith('checkout_session.') ? sessionOf(payment, origin) : paymentOf(payment);
  return {
    data: {
      id: newId('evt_'),
      type: 'event',
      attributes: { type, livemode: false, data, created_at: Math.floor(Date.now() / 1_000) },
    },
  };
}

interface SessionBody {
  description?: string;
  reference_number?: string;
  success_url?: string;
  cancel_url?: string;
  metadata?: Record<string, string>;
  line_items?: { amount: number; currency: string; name: string; quantity: number }[];
  payment_method_types?: string[];
}

/** Answers a call of PayMongo's API. */
export function paymongo(book: Book, asked: Asked, tell: (payment: Payment, type: string) => void): Answer {
  if (!asked.key.startsWith('sk_')) return refused(401, 'The API key is invalid.');
  const body = jsonOf(asked.body) as { data?: { attributes?: Record<string, unknown> } };
  const attributes = body.data?.attributes ?? {};
  const [, resource = '', id] = /^\/v1\/([a-z_]+)(?:\/([\w-]+))?$/.exec(asked.path) ?? [];
  switch (`${asked.method} ${resource}${id === undefined ? '' : '/:id'}`) {
    case 'POST checkout_sessions':
      return open(book, asked, attributes as SessionBody);
    case 'GET checkout_sessions/:id': {
      const found = book.find(asked.key, id!);
      return found ? ok({ data: sessionOf(found, asked.origin) }) : refused(404, `No such checkout session ${id}.`);
    }
    case 'GET payments/:id': {
      const found = book.find(asked.key, id!);
      return found ? ok({ data: paymentOf(found) }) : refused(404, `No such payment ${id}.`);
    }
    case 'POST refunds':
      return refund(book, asked, attributes, tell);
    case 'POST webhooks': {
      const hook = {
        id: newId('hook_'),
        provider: 'paymongo' as const,
        owner: asked.key,
        url: String(attributes['url']),
        secret: newId('whsk_'),
      };
      book.hooks.set(hook.id, hook);
      book.changed();
      return ok({ data: { id: hook.id, type: 'webhook', attributes: { url: hook.url, secret_key: hook.secret } } });
    }
    default:
      return refused(404, 'There is nothing here.');
  }
}

function open(book: Book, asked: Asked, wanted: SessionBody): Answer {
  const [item] = wanted.line_items ?? [];
  if (!item || !Number.isSafeInteger(item.amount) || item.amount < 2_000)
    return refused(400, 'The value for line_items.amount cannot be less than 2000.');
  if (item.currency !== 'PHP') return refused(400, 'The value for currency must be PHP.');
  if (!wanted.payment_method_types?.length) return refused(400, 'payment_method_types is required.');
  const payment = book.add({
    id: newId('cs_'),
    provider: 'paymongo',
    owner: asked.key,
    amount: item.amount * item.quantity,
    currency: item.currency,
    description: wanted.description ?? item.name,
    reference: wanted.reference_number ?? '',
    metadata: wanted.metadata ?? {},
    urls: { success: wanted.success_url ?? '', cancel: wanted.cancel_url ?? '', failure: wanted.cancel_url ?? '' },
    state: 'open',
    payment_id: null,
    save: false,
    customer: null,
    method: null,
    refunds: [],
    dispute: null,
    created: Date.now(),
  });
  return ok({ data: sessionOf(payment, asked.origin) });
}

function refund(
  book: Book,
  asked: Asked,
  attributes: Record<string, unknown>,
  tell: (payment: Payment, type: string) => void,
): Answer {
  const found = book.find(asked.key, String(attributes['payment_id']));
  if (found?.state !== 'paid') return refused(404, 'No such payment.');
  const amount = Number(attributes['amount']);
  const left = found.amount - found.refunds.reduce((sum, each) => sum + each.amount, 0);
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > left || (found.dispute && found.dispute.status !== 'won'))
    return refused(400, 'The amount is more than what can be refunded.');
  found.refunds.push({
    id: newId('ref_'),
    amount,
    status: 'succeeded',
    metadata: (attributes['metadata'] ?? {}) as Record<string, string>,
    reason: String(attributes['reason']),
  });
  book.changed();
  tell(found, 'payment.refunded');
  return ok({ data: refundsOf(found).at(-1) });
}
