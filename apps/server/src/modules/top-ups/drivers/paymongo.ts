import { fromUnits, toUnits } from '@heliograph/contract/top-ups/fee';
import type { Driver, Known, Merchant, Notice, NoticeFault, NoticeInput, Seen, SeenReturn } from './driver.ts';
import { checkSignature, fieldsOf, headerOf, parseObject, textOf } from './signature.ts';

// PayMongo's API v1: Checkout Sessions in PayMongo's own page, Payments and Refunds. It has no idempotency keys: a page that
// was opened twice is shown once, and a refund is looked for before it is sent again.

const EVENTS = [
  'checkout_session.payment.paid',
  'payment.paid',
  'payment.failed',
  'payment.refunded',
  'payment.refund.updated',
];
/** Ways to pay in PayMongo's page. An account has those that PayMongo approved for it. */
const METHODS = ['card', 'gcash', 'paymaya', 'grab_pay', 'qrph'];

interface Resource<Attributes> {
  data: { id: string; attributes: Attributes };
}
interface Refund {
  id: string;
  attributes: { amount: number; status: string; metadata: Record<string, string> | null };
}
interface Payment {
  amount: number;
  currency: string;
  status: string;
  disputed?: boolean;
  refunds?: Refund[];
  source?: { type?: string; brand?: string; last4?: string };
}
interface Session {
  checkout_url: string;
  line_items: { amount: number; currency: string; quantity: number }[];
  payments: { id: string; attributes: Payment }[];
  reference_number: string | null;
  status: string;
}

const headers = ({ secret_key }: Merchant) => ({
  authorization: `Basic ${Buffer.from(`${secret_key}:`).toString('base64')}`,
  'content-type': 'application/json',
});
const bodyOf = (attributes: object) => JSON.stringify({ data: { attributes } });

function returnsOf(id: string, { refunds = [], disputed, amount, currency }: Payment): SeenReturn[] {
  return [
    ...refunds.map(
      ({ id: refund, attributes }): SeenReturn => ({
        kind: 'refund',
        provider_id: refund,
        amount: fromUnits(attributes.amount, currency),
        state: attributes.status === 'succeeded' ? 'done' : attributes.status === 'failed' ? 'failed' : 'pending',
        key: attributes.metadata?.['key'] ?? null,
      }),
    ),
    // PayMongo says that a payment is disputed, and no longer says so if the merchant wins.
    ...(disputed === undefined
      ? []
      : [
          {
            kind: 'chargeback',
            provider_id: `dispute ${id}`,
            amount: fromUnits(amount, currency),
            state: disputed ? 'open' : 'won',
            key: null,
          } satisfies SeenReturn,
        ]),
  ];
}

async function look(merchant: Merchant, { checkout_id }: Known): Promise<Seen | undefined> {
  const get = <Attributes>(path: string) =>
    merchant.call<Resource<Attributes>>({ method: 'GET', path, headers: headers(merchant) });
  const found = await get<Session>(`/v1/checkout_sessions/${checkout_id}`);
  if (!found) return undefined;
  const { line_items, payments, reference_number, status } = found.data.attributes;
  const currency = line_items[0]?.currency ?? '';
  const paid = payments.find(({ attributes }) => attributes.status === 'paid');
  // The session shows a payment as it was made; its refunds and disputes are in the payment itself.
  const payment = paid && (await get<Payment>(`/v1/payments/${paid.id}`))?.data.attributes;
  const source = payment?.source;
  return {
    state: paid ? 'paid' : status === 'expired' ? 'expired' : 'open',
    reference: reference_number ?? '',
    total: payment
      ? fromUnits(payment.amount, payment.currency)
      : fromUnits(
          line_items.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0),
          currency,
        ),
    currency: payment?.currency ?? currency,
    payment_id: paid?.id ?? null,
    method_label: source ? [source.brand ?? source.type, source.last4].filter(Boolean).join(' ') : null,
    returns: paid && payment ? returnsOf(paid.id, payment) : [],
    saved: null,
  };
}

function notice({ headers: given, body, secret, mode, now }: NoticeInput): Notice | NoticeFault {
  const fields = fieldsOf(headerOf(given, 'paymongo-signature'));
  if (secret === null) return 'signature';
  const signatures = (fields.get(mode === 'live' ? 'li' : 'te') ?? []).filter((each) => each !== '');
  const fault = checkSignature({ time: fields.get('t')?.[0], given: signatures, body, secret, now });
  if (fault) return fault;
  const event = parseObject(body)?.['data'] as { id?: unknown; attributes?: Record<string, unknown> } | undefined;
  const object = event?.attributes?.['data'] as { id?: unknown; attributes?: Record<string, unknown> } | undefined;
  const id = textOf(event?.id);
  if (id === null || !object?.attributes) return 'unreadable';
  const { attributes } = object;
  const payment = textOf(object.id)?.startsWith('pay_') ? object.id : attributes['payment_id'];
  return {
    event_id: id,
    type: textOf(event?.attributes?.['type']) ?? '',
    reference: textOf(attributes['reference_number']) ?? textOf(attributes['external_reference_number']),
    payment_id: textOf(payment),
  };
}

/** Driver of PayMongo, whose payments are in pesos. */
export const paymongo: Driver = {
  look,
  notice,
  async open(merchant, { reference, total, currency, description, return_url }) {
    const made = await merchant.call<Resource<Session>>({
      method: 'POST',
      path: '/v1/checkout_sessions',
      headers: headers(merchant),
      body: bodyOf({
        description,
        reference_number: reference,
        line_items: [{ name: description, amount: toUnits(total, currency), currency, quantity: 1 }],
        payment_method_types: METHODS,
        success_url: return_url,
        cancel_url: return_url,
        metadata: { reference },
        send_email_receipt: false,
      }),
    });
    if (!made) throw new Error('no page in the answer');
    return { checkout_id: made.data.id, url: made.data.attributes.checkout_url, expires_at: null };
  },
  async refund(merchant, { payment_id, amount, currency, key, reason }) {
    const present = await merchant.call<Resource<Payment>>({
      method: 'GET',
      path: `/v1/payments/${payment_id}`,
      headers: headers(merchant),
    });
    if (present?.data.attributes.refunds?.some(({ attributes }) => attributes.metadata?.['key'] === key)) return;
    await merchant.call({
      method: 'POST',
      path: '/v1/refunds',
      headers: headers(merchant),
      body: bodyOf({
        amount: toUnits(amount, currency),
        payment_id,
        reason: 'requested_by_customer',
        notes: reason,
        metadata: { key },
      }),
    });
  },
  async register(merchant, url) {
    const made = await merchant.call<Resource<{ secret_key: string }>>({
      method: 'POST',
      path: '/v1/webhooks',
      headers: headers(merchant),
      body: bodyOf({ url, events: EVENTS }),
    });
    return made?.data.attributes.secret_key ?? null;
  },
};
