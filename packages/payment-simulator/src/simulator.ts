import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Book, newId, type Payment, type Provider } from './book.ts';
import { type Answer, type Asked, jsonOf, keyOf, ok } from './exchange.ts';
import { maya, mayaPayment } from './maya.ts';
import { DELIVERY_MODES, type DeliveryMode, Notices } from './notices.ts';
import { checkoutPage } from './page.ts';
import { paymongo, paymongoEvent } from './paymongo.ts';
import { stripe, stripeEvent } from './stripe.ts';

const PROVIDERS = { stripe, paymongo, maya } as const;
const MAX_BODY = 65_536;

/** Notice of each provider about what happened to a payment. Maya's refunds bring the payment itself. */
const TYPES = {
  paid: { stripe: 'checkout.session.completed', paymongo: 'checkout_session.payment.paid', maya: 'PAYMENT_SUCCESS' },
  failed: { stripe: 'payment_intent.payment_failed', paymongo: 'payment.failed', maya: 'PAYMENT_FAILED' },
  expired: { stripe: 'checkout.session.expired', paymongo: 'checkout_session.expired', maya: 'PAYMENT_EXPIRED' },
  disputed: { stripe: 'charge.dispute.created', paymongo: 'payment.disputed', maya: 'PAYMENT_DISPUTED' },
  dispute_over: { stripe: 'charge.dispute.closed', paymongo: 'payment.dispute_closed', maya: 'PAYMENT_DISPUTE_CLOSED' },
} as const satisfies Record<string, Record<Provider, string>>;

/** Outcomes that a person or a test chooses for a payment. */
type Outcome = 'pay' | 'challenge' | 'confirm' | 'fail' | 'abandon' | 'expire' | 'charge_back' | 'win' | 'lose';

/** The running simulator of payment providers. */
export interface PaymentSimulator {
  url: string;
  port: number;
  book: Book;
  notices: Notices;
  /** Brings an outcome on a payment, as its page would. */
  act(id: string, outcome: Outcome): Payment;
  stop(): Promise<void>;
}

/**
 * Starts the simulated providers, each below its name: /stripe, /paymongo and /maya. /pay is their hosted page, /api is for
 * tests and curious people. With a file, payments outlive a restart.
 */
export function startPaymentSimulator(options: { port: number; file?: string }): Promise<PaymentSimulator> {
  const book = new Book(options.file);
  const notices = new Notices(book);
  let origin = '';
  const tell = (payment: Payment, type: string) => notices.tell(payment, noticeOf(payment, type, origin));
  const act = (id: string, outcome: Outcome): Payment => {
    const payment = book.payments.get(id);
    if (!payment) throw new Error('no such payment');
    const happened = bring(payment, outcome);
    book.changed();
    if (happened) tell(payment, TYPES[happened][payment.provider]);
    return payment;
  };

  const answer = async (request: IncomingMessage, url: URL): Promise<Answer> => {
    const body = await read(request);
    const [, name = '', rest = ''] = /^\/([a-z]+)(\/.*)?$/.exec(url.pathname) ?? [];
    if (name === 'stripe' || name === 'paymongo' || name === 'maya') {
      const { method = 'GET', headers } = request;
      const asked: Asked = { method, path: rest, query: url.searchParams, headers, body, key: keyOf(headers), origin };
      return PROVIDERS[name](book, asked, tell);
    }
    if (name === 'api') return control(rest, request.method ?? 'GET', body);
    return { status: 404, body: { message: 'There is nothing here.' } };
  };
  const control = (path: string, method: string, body: string): Answer => {
    const [, id, outcome] = /^\/payments\/([\w-]+)\/([a-z_]+)$/.exec(path) ?? [];
    if (method === 'POST' && id !== undefined) return ok(act(id, outcome as Outcome));
    if (method === 'GET' && path === '/payments')
      return ok({ data: [...book.payments.values()].reverse().slice(0, 100) });
    if (path !== '/settings') return { status: 404, body: { message: 'There is nothing here.' } };
    const { delivery } = jsonOf(body) as { delivery?: DeliveryMode };
    if (method === 'PATCH' && DELIVERY_MODES.includes(delivery!)) notices.mode = delivery!;
    return ok({ delivery: notices.mode, counts: notices.counts });
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://simulator');
    const hosted = /^\/pay\/([\w-]+)$/.exec(url.pathname)?.[1];
    const work =
      hosted === undefined
        ? answer(request, url).then((made) => json(response, made))
        : page(request, response, hosted);
    work.catch(() => json(response, { status: 500, body: { message: 'The simulator could not do that.' } }));
  });
  const page = async (request: IncomingMessage, response: ServerResponse, id: string): Promise<void> => {
    const payment = book.payments.get(id);
    response.setHeader('cache-control', 'no-store').setHeader('referrer-policy', 'no-referrer');
    if (!payment) return json(response, { status: 404, body: { message: 'There is no such page.' } });
    if (request.method === 'POST') {
      const outcome = new URLSearchParams(await read(request)).get('outcome') as Outcome;
      act(id, outcome);
      const { success, cancel, failure } = payment.urls;
      const to =
        outcome === 'challenge'
          ? `/pay/${id}`
          : payment.state === 'paid'
            ? success
            : outcome === 'fail'
              ? failure
              : cancel;
      response.writeHead(303, { location: to }).end();
      return;
    }
    response.setHeader('content-type', 'text/html; charset=utf-8').end(checkoutPage(payment));
  };

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', () => {
      server.off('error', reject);
      const { port } = server.address() as { port: number };
      origin = `http://127.0.0.1:${port}`;
      const stop = async () => {
        server.close();
        server.closeAllConnections();
        await notices.stop();
        book.save();
      };
      resolve({ url: origin, port, book, notices, act, stop });
    });
  });
}

const noticeOf = (payment: Payment, type: string, origin: string): object => {
  if (payment.provider === 'stripe') return stripeEvent(payment, type, origin);
  return payment.provider === 'paymongo' ? paymongoEvent(payment, type, origin) : mayaPayment(payment);
};

/** Changes a payment by an outcome, and returns what its merchant is told about; undefined for nothing. */
function bring(payment: Payment, outcome: Outcome): keyof typeof TYPES | undefined {
  const payable = ['open', 'challenge', 'failed'].includes(payment.state);
  if (outcome === 'challenge' && payable) payment.state = 'challenge';
  if ((outcome === 'pay' || outcome === 'confirm') && payable) {
    payment.state = 'paid';
    payment.payment_id = newId({ stripe: 'pi_', paymongo: 'pay_', maya: '' }[payment.provider]);
    if (payment.save) payment.method = newId('pm_');
    return 'paid';
  }
  if (outcome === 'fail' && payable) {
    payment.state = 'failed';
    return 'failed';
  }
  if (outcome === 'expire' && payable) {
    payment.state = 'expired';
    return 'expired';
  }
  if (outcome === 'charge_back' && payment.state === 'paid') {
    payment.dispute ??= { id: newId('dp_'), status: 'needs_response' };
    return 'disputed';
  }
  if ((outcome === 'win' || outcome === 'lose') && payment.dispute) {
    payment.dispute.status = outcome === 'win' ? 'won' : 'lost';
    return 'dispute_over';
  }
  return undefined;
}

function json(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error('too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
