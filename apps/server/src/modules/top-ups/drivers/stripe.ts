import { createHash } from 'node:crypto';
import { fromUnits, toUnits } from '@heliograph/contract/top-ups/fee';
import type {
  CardDriver,
  Driver,
  Known,
  Merchant,
  Notice,
  NoticeFault,
  NoticeInput,
  Seen,
  SeenReturn,
} from './driver.ts';
import { checkSignature, fieldsOf, headerOf, parseObject, textOf } from './signature.ts';

// Stripe's API: Checkout Sessions in Stripe's own page, Refunds, Disputes, and PaymentIntents for kept cards.

/** Version of the API that this driver speaks; answers to our calls have its form, whatever the account's own version. */
const VERSION = '2025-09-30.clover';
/** Notices that say that a payment may have changed. */
const EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
];

interface Intent {
  id: string;
  amount: number;
  currency: string;
  customer: string | null;
  payment_method: string | null;
  status: string;
  metadata: Record<string, string>;
  latest_charge: { payment_method_details?: { type: string; card?: { brand: string; last4: string } } } | null;
}
interface Session {
  id: string;
  url: string | null;
  expires_at: number;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  amount_total: number;
  currency: string;
  client_reference_id: string | null;
  payment_intent: Intent | null;
}
interface List<Item> {
  data: Item[];
}

const headers = ({ secret_key }: Merchant, key?: string) => ({
  authorization: `Bearer ${secret_key}`,
  'stripe-version': VERSION,
  'content-type': 'application/x-www-form-urlencoded',
  ...(key !== undefined && { 'idempotency-key': key }),
});
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const moment = (seconds: number) => new Date(seconds * 1_000).toISOString();

const get = <Answer>(merchant: Merchant, path: string) =>
  merchant.call<Answer>({ method: 'GET', path, headers: headers(merchant) });

/** Reads refunds and disputes of a payment. */
async function returnsOf(merchant: Merchant, intent: string, currency: string): Promise<SeenReturn[]> {
  const query = `payment_intent=${encodeURIComponent(intent)}&limit=100`;
  const refunds = await get<List<{ id: string; amount: number; status: string; metadata: Record<string, string> }>>(
    merchant,
    `/v1/refunds?${query}`,
  );
  const disputes = await get<List<{ id: string; amount: number; status: string }>>(merchant, `/v1/disputes?${query}`);
  return [
    ...(refunds?.data ?? []).map(
      ({ id, amount, status, metadata }): SeenReturn => ({
        kind: 'refund',
        provider_id: id,
        amount: fromUnits(amount, currency),
        state: status === 'succeeded' ? 'done' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
        key: metadata['key'] ?? null,
      }),
    ),
    // Inquiries (warning_…) take no money.
    ...(disputes?.data ?? [])
      .filter(({ status }) => !status.startsWith('warning_'))
      .map(
        ({ id, amount, status }): SeenReturn => ({
          kind: 'chargeback',
          provider_id: id,
          amount: fromUnits(amount, currency),
          state: status === 'won' ? 'won' : status === 'lost' ? 'lost' : 'open',
          key: null,
        }),
      ),
  ];
}

function labelOf(intent: Intent | null): string | null {
  const details = intent?.latest_charge?.payment_method_details;
  if (!details) return null;
  return details.card ? `${details.card.brand} ${details.card.last4}` : details.type;
}

async function lookAtIntent(merchant: Merchant, { checkout_id }: Known): Promise<Seen | undefined> {
  const intent = await get<Intent>(merchant, `/v1/payment_intents/${checkout_id}?expand[]=latest_charge`);
  if (!intent) return undefined;
  const currency = intent.currency.toUpperCase();
  const isPaid = intent.status === 'succeeded';
  const isOver = intent.status === 'canceled' || intent.status.startsWith('requires_');
  return {
    state: isPaid ? 'paid' : isOver ? 'failed' : 'open',
    reference: intent.metadata['reference'] ?? '',
    total: fromUnits(intent.amount, currency),
    currency,
    payment_id: intent.id,
    method_label: labelOf(intent),
    returns: isPaid ? await returnsOf(merchant, intent.id, currency) : [],
    saved: null,
  };
}

async function look(merchant: Merchant, known: Known): Promise<Seen | undefined> {
  if (known.checkout_id.startsWith('pi_')) return lookAtIntent(merchant, known);
  const path = `/v1/checkout/sessions/${known.checkout_id}?expand[]=payment_intent.latest_charge`;
  const session = await get<Session>(merchant, path);
  if (!session) return undefined;
  const intent = session.payment_intent;
  const currency = session.currency.toUpperCase();
  const isPaid = session.payment_status === 'paid';
  return {
    state: isPaid ? 'paid' : session.status === 'expired' ? 'expired' : 'open',
    reference: session.client_reference_id ?? '',
    total: fromUnits(session.amount_total, currency),
    currency,
    payment_id: intent?.id ?? null,
    method_label: labelOf(intent),
    returns: isPaid && intent ? await returnsOf(merchant, intent.id, currency) : [],
    saved:
      intent?.customer && intent.payment_method ? { customer: intent.customer, method: intent.payment_method } : null,
  };
}

function notice({ headers: given, body, secret, now }: NoticeInput): Notice | NoticeFault {
  const fields = fieldsOf(headerOf(given, 'stripe-signature'));
  if (secret === null) return 'signature';
  const fault = checkSignature({ time: fields.get('t')?.[0], given: fields.get('v1') ?? [], body, secret, now });
  if (fault) return fault;
  const event = parseObject(body);
  const object = (event?.['data'] as { object?: Record<string, unknown> } | undefined)?.object;
  const id = textOf(event?.['id']);
  if (!object || id === null) return 'unreadable';
  const metadata = object['metadata'] as Record<string, unknown> | undefined;
  const of = object['object'] === 'payment_intent' ? object['id'] : object['payment_intent'];
  return {
    event_id: id,
    type: textOf(event?.['type']) ?? '',
    reference: textOf(object['client_reference_id']) ?? textOf(metadata?.['reference']),
    payment_id: textOf(of),
  };
}

const card: CardDriver = {
  async charge(merchant, { reference, total, currency, customer, method }) {
    const intent = await merchant.call<Intent>({
      method: 'POST',
      path: '/v1/payment_intents',
      headers: headers(merchant, `charge ${reference}`),
      body: form({
        amount: String(toUnits(total, currency)),
        currency: currency.toLowerCase(),
        customer,
        payment_method: method,
        off_session: 'true',
        confirm: 'true',
        'metadata[reference]': reference,
      }),
    });
    if (!intent) throw new Error('no payment in the answer');
    return intent.id;
  },
  async find(merchant, { reference, customer }) {
    const path = `/v1/payment_intents?customer=${encodeURIComponent(customer)}&limit=100`;
    const made = await get<List<Intent>>(merchant, path);
    return made?.data.find(({ metadata }) => metadata['reference'] === reference)?.id ?? null;
  },
  async forget(merchant, method) {
    const path = `/v1/payment_methods/${encodeURIComponent(method)}/detach`;
    await merchant.call({ method: 'POST', path, headers: headers(merchant) });
  },
};

/** Driver of Stripe. Amounts are in the currency's smallest unit, requests are repeated safely by idempotency keys. */
export const stripe: Driver = {
  look,
  notice,
  async open(merchant, { reference, total, currency, description, return_url, save_method }) {
    const body = form({
      mode: 'payment',
      client_reference_id: reference,
      success_url: return_url,
      cancel_url: return_url,
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': currency.toLowerCase(),
      'line_items[0][price_data][unit_amount]': String(toUnits(total, currency)),
      'line_items[0][price_data][product_data][name]': description,
      'payment_intent_data[metadata][reference]': reference,
      ...(save_method && {
        customer_creation: 'always',
        'payment_intent_data[setup_future_usage]': 'off_session',
      }),
    });
    // A page with other fields, such as a changed address, is another page: its key differs, or Stripe would refuse it.
    const key = `open ${reference} ${createHash('sha256').update(body).digest('hex').slice(0, 16)}`;
    const session = await merchant.call<Session>({
      method: 'POST',
      path: '/v1/checkout/sessions',
      headers: headers(merchant, key),
      body,
    });
    if (!session?.url) throw new Error('no page in the answer');
    return { checkout_id: session.id, url: session.url, expires_at: moment(session.expires_at) };
  },
  async refund(merchant, { payment_id, amount, currency, key }) {
    await merchant.call({
      method: 'POST',
      path: '/v1/refunds',
      headers: headers(merchant, `refund ${key}`),
      body: form({
        payment_intent: payment_id,
        amount: String(toUnits(amount, currency)),
        reason: 'requested_by_customer',
        'metadata[key]': key,
      }),
    });
  },
  async register(merchant, url) {
    const events = Object.fromEntries(EVENTS.map((event, place) => [`enabled_events[${place}]`, event]));
    const made = await merchant.call<{ secret: string }>({
      method: 'POST',
      path: '/v1/webhook_endpoints',
      headers: headers(merchant),
      body: form({ url, api_version: VERSION, ...events }),
    });
    return made?.secret ?? null;
  },
  card,
};
