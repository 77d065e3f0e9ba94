import { type Book, newId, type Payment } from './book.ts';
import { type Answer, type Asked, ok } from './exchange.ts';

// The calls of Stripe's API that a top-up needs, with forms as bodies and Stripe's names.

const refused = (status: number, message: string, type = 'invalid_request_error'): Answer => ({
  status,
  body: { error: { type, message } },
});
const seconds = (ms: number) => Math.floor(ms / 1_000);

const chargeOf = (payment: Payment) => ({
  id: `ch_${payment.payment_id?.slice(3)}`,
  object: 'charge',
  payment_intent: payment.payment_id,
  payment_method_details: { type: 'card', card: { brand: 'visa', last4: '4242' } },
});

const intentOf = (payment: Payment) => ({
  id: payment.payment_id,
  object: 'payment_intent',
  amount: payment.amount,
  amount_received: payment.state === 'paid' ? payment.amount : 0,
  currency: payment.currency.toLowerCase(),
  customer: payment.customer,
  payment_method: payment.method,
  status:
    payment.state === 'paid' ? 'succeeded' : payment.state === 'failed' ? 'requires_payment_method' : 'processing',
  metadata: payment.metadata,
  latest_charge: payment.payment_id === null ? null : chargeOf(payment),
});

const sessionOf = (payment: Payment, origin: string) => ({
  id: payment.id,
  object: 'checkout.session',
  mode: 'payment',
  amount_total: payment.amount,
  currency: payment.currency.toLowerCase(),
  client_reference_id: payment.reference,
  metadata: payment.metadata,
  status: payment.state === 'paid' ? 'complete' : payment.state === 'expired' ? 'expired' : 'open',
  payment_status: payment.state === 'paid' ? 'paid' : 'unpaid',
  payment_intent: payment.payment_id === null ? null : intentOf(payment),
  customer: payment.customer,
  expires_at: seconds(payment.created) + 86_400,
  url: payment.state === 'open' ? `${origin}/pay/${payment.id}` : null,
});

const refundsOf = ({ refunds, payment_id }: Payment) =>
  refunds.map(({ id, amount, status, metadata }) => ({
    id,
    object: 'refund',
    amount,
    status,
    metadata,
    payment_intent: payment_id,
  }));

const disputesOf = ({ dispute, payment_id, amount }: Payment) =>
  dispute ? [{ id: dispute.id, object: 'dispute', amount, status: dispute.status, payment_intent: payment_id }] : [];

/** Returns the notice about a change of a payment. */
export function stripeEvent(payment: Payment, type: string, origin: string): object {
  const object = type.startsWith('checkout.')
    ? { ...sessionOf(payment, origin), payment_intent: payment.payment_id }
    : type.startsWith('charge.dispute')
      ? disputesOf(payment)[0]
      : type.startsWith('refund.')
        ? refundsOf(payment).at(-1)
        : { ...intentOf(payment), latest_charge: chargeOf(payment).id };
  return { id: newId('evt_'), object: 'event', type, created: seconds(Date.now()), data: { object } };
}

/** Answers a call of Stripe's API. */
export function stripe(book: Book, asked: Asked, tell: (payment: Payment, type: string) => void): Answer {
  if (!asked.key.startsWith('sk_')) return refused(401, 'Invalid API Key provided');
  const form = new URLSearchParams(asked.body);
  const key = asked.headers['idempotency-key'];
  const once = (make: () => Answer): Answer => {
    try {
      return book.once(key && `${asked.key} ${String(key)}`, `${asked.path}?${asked.body}`, make);
    } catch {
      return refused(
        400,
        'Keys for idempotent requests can only be used with the same parameters.',
        'idempotency_error',
      );
    }
  };
  const [, resource = '', id] = /^\/v1\/([a-z_]+(?:\/sessions)?)(?:\/([\w-]+))?(?:\/detach)?$/.exec(asked.path) ?? [];
  switch (`${asked.method} ${resource}${id === undefined ? '' : '/:id'}`) {
    case 'POST checkout/sessions':
      return once(() => open(book, asked, form));
    case 'GET checkout/sessions/:id': {
      const found = book.find(asked.key, id!);
      return found ? ok(sessionOf(found, asked.origin)) : refused(404, `No such checkout.session: ${id}`);
    }
    case 'POST payment_intents':
      return once(() => charge(book, asked, form, tell));
    case 'GET payment_intents': {
      const customer = asked.query.get('customer');
      const made = [...book.payments.values()].filter(
        (each) => each.owner === asked.key && each.payment_id !== null && each.customer === customer,
      );
      return ok({ object: 'list', data: made.map(intentOf), has_more: false });
    }
    case 'POST payment_methods/:id':
      return forget(book, asked, id!);
    case 'GET payment_intents/:id': {
      const found = book.find(asked.key, id!);
      return found?.payment_id ? ok(intentOf(found)) : refused(404, `No such payment_intent: ${id}`);
    }
    case 'GET refunds':
    case 'GET disputes': {
      const found = book.find(asked.key, asked.query.get('payment_intent') ?? '');
      const data = found ? (resource === 'refunds' ? refundsOf(found) : disputesOf(found)) : [];
      return ok({ object: 'list', data, has_more: false });
    }
    case 'POST refunds':
      return once(() => refund(book, asked, form, tell));
    case 'POST webhook_endpoints': {
      const hook = {
        id: newId('we_'),
        provider: 'stripe' as const,
        owner: asked.key,
        url: form.get('url') ?? '',
        secret: newId('whsec_'),
      };
      book.hooks.set(hook.id, hook);
      book.changed();
      return ok({ id: hook.id, object: 'webhook_endpoint', url: hook.url, secret: hook.secret });
    }
    default:
      return refused(404, 'Unrecognized request URL');
  }
}

function metadataOf(form: URLSearchParams, prefix: string): Record<string, string> {
  const fields = [...form].filter(([name]) => name.startsWith(`${prefix}[`));
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]));
}

function open(book: Book, asked: Asked, form: URLSearchParams): Answer {
  const amount = Number(form.get('line_items[0][price_data][unit_amount]'));
  if (!Number.isSafeInteger(amount) || amount < 1) return refused(400, 'Invalid integer: unit_amount');
  const save = form.get('payment_intent_data[setup_future_usage]') === 'off_session';
  const payment = book.add({
    id: newId('cs_test_'),
    provider: 'stripe',
    owner: asked.key,
    amount,
    currency: (form.get('line_items[0][price_data][currency]') ?? '').toUpperCase(),
    description: form.get('line_items[0][price_data][product_data][name]') ?? '',
    reference: form.get('client_reference_id') ?? '',
    metadata: metadataOf(form, 'payment_intent_data[metadata]'),
    urls: {
      success: form.get('success_url') ?? '',
      cancel: form.get('cancel_url') ?? '',
      failure: form.get('cancel_url') ?? '',
    },
    state: 'open',
    payment_id: null,
    save,
    customer: save ? newId('cus_') : null,
    method: null,
    refunds: [],
    dispute: null,
    created: Date.now(),
  });
  return ok(sessionOf(payment, asked.origin));
}

/** Charges a saved card. A card whose first payment was refunded is declined, so that a failure can be tried. */
function charge(
  book: Book,
  asked: Asked,
  form: URLSearchParams,
  tell: (payment: Payment, type: string) => void,
): Answer {
  const card = [...book.payments.values()].find(
    ({ owner, method }) => owner === asked.key && method !== null && method === form.get('payment_method'),
  );
  if (!card || card.customer !== form.get('customer')) return refused(400, 'No such PaymentMethod');
  const declined = card.refunds.length > 0;
  const id = newId('pi_');
  const payment = book.add({
    ...card,
    id,
    payment_id: id,
    amount: Number(form.get('amount')),
    currency: (form.get('currency') ?? '').toUpperCase(),
    reference: form.get('metadata[reference]') ?? '',
    metadata: metadataOf(form, 'metadata'),
    state: declined ? 'failed' : 'paid',
    refunds: [],
    dispute: null,
    created: Date.now(),
  });
  tell(payment, declined ? 'payment_intent.payment_failed' : 'payment_intent.succeeded');
  if (declined) return refused(402, 'Your card was declined.', 'card_error');
  return ok(intentOf(payment));
}

/** Removes a saved card from all its payments. */
function forget(book: Book, asked: Asked, id: string): Answer {
  const with_card = [...book.payments.values()].filter(({ owner, method }) => owner === asked.key && method === id);
  if (with_card.length === 0) return refused(400, 'The payment method you provided is not attached to a customer.');
  for (const payment of with_card) payment.method = null;
  book.changed();
  return ok({ id, object: 'payment_method', customer: null });
}

function refund(
  book: Book,
  asked: Asked,
  form: URLSearchParams,
  tell: (payment: Payment, type: string) => void,
): Answer {
  const found = book.find(asked.key, form.get('payment_intent') ?? '');
  if (found?.state !== 'paid') return refused(404, 'No such payment_intent');
  const amount = Number(form.get('amount'));
  const left = found.amount - found.refunds.reduce((sum, each) => sum + each.amount, 0);
  if (found.dispute && found.dispute.status !== 'won') return refused(400, 'Charge has been charged back.');
  if (!Number.isSafeInteger(amount) || amount < 1 || amount > left)
    return refused(400, `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`);
  found.refunds.push({
    id: newId('re_'),
    amount,
    status: 'succeeded',
    metadata: metadataOf(form, 'metadata'),
    reason: form.get('reason') ?? '',
  });
  book.changed();
  tell(found, 'refund.created');
  return ok(refundsOf(found).at(-1));
}
