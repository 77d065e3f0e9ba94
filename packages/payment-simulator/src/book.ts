import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export type Provider = 'stripe' | 'paymongo' | 'maya';

export interface Refund {
  id: string;
  amount: number;
  status: 'succeeded' | 'pending' | 'failed';
  metadata: Record<string, string>;
  reason: string;
}

/** Payment at a provider, from the opening of its page. Amounts are in the smallest unit, such as cents. */
export interface Payment {
  /** Id of the checkout; of the payment intent if a saved card is charged. */
  id: string;
  provider: Provider;
  /** API key that opened it: others do not see it. */
  owner: string;
  amount: number;
  currency: string;
  description: string;
  reference: string;
  metadata: Record<string, string>;
  urls: { success: string; cancel: string; failure: string };
  state: 'open' | 'challenge' | 'paid' | 'failed' | 'expired';
  payment_id: string | null;
  save: boolean;
  customer: string | null;
  method: string | null;
  refunds: Refund[];
  dispute: { id: string; status: 'needs_response' | 'won' | 'lost' } | null;
  created: number;
}

/** Address that a merchant registered for notices, with the secret that signs them. */
export interface Hook {
  id: string;
  provider: Provider;
  owner: string;
  url: string;
  secret: string;
}

interface Stored {
  payments: Payment[];
  hooks: Hook[];
  /** Answers to requests with an idempotency key, by owner and key. */
  answers: [string, { request: string; answer: unknown }][];
}

const MOST_PAYMENTS = 20_000;

/** Returns a new id of a provider, such as `cs_test_…`. */
export const newId = (prefix: string): string => `${prefix}${randomBytes(12).toString('hex')}`;

/** Payments, registered addresses and idempotency keys of the simulated providers. */
export class Book {
  readonly payments = new Map<string, Payment>();
  readonly hooks = new Map<string, Hook>();
  readonly #answers = new Map<string, { request: string; answer: unknown }>();
  readonly #file: string | undefined;
  #saving: NodeJS.Timeout | undefined;

  /** With a file, the book is read from it and written to it after changes. */
  constructor(file?: string) {
    this.#file = file;
    if (file === undefined) return;
    try {
      const { payments, hooks, answers } = JSON.parse(readFileSync(file, 'utf8')) as Stored;
      for (const payment of payments) this.payments.set(payment.id, payment);
      for (const hook of hooks) this.hooks.set(hook.id, hook);
      for (const [key, answer] of answers) this.#answers.set(key, answer);
    } catch {
      // The first start, or a file that a full disk cut off: the simulator begins again.
    }
  }

  add(payment: Payment): Payment {
    this.payments.set(payment.id, payment);
    if (this.payments.size > MOST_PAYMENTS) this.payments.delete(this.payments.keys().next().value!);
    this.changed();
    return payment;
  }

  /** Finds a payment of an owner by the id of its checkout or payment. */
  find(owner: string, id: string): Payment | undefined {
    const known = this.payments.get(id) ?? [...this.payments.values()].find(({ payment_id }) => payment_id === id);
    return known?.owner === owner ? known : undefined;
  }

  /**
   * Answers a request once for its idempotency key. Throws if the key was used for another request, as Stripe refuses it.
   */
  once<Answer>(key: string | undefined, request: string, make: () => Answer): Answer {
    if (key === undefined) return make();
    const before = this.#answers.get(key);
    if (before && before.request !== request) throw new Error('idempotency key reused');
    if (before) return before.answer as Answer;
    const answer = make();
    this.#answers.set(key, { request, answer });
    this.changed();
    return answer;
  }

  /** Writes the file soon, several changes together. */
  changed(): void {
    if (this.#file === undefined || this.#saving) return;
    this.#saving = setTimeout(() => this.save(), 200);
    this.#saving.unref();
  }

  /** Writes the file now. */
  save(): void {
    clearTimeout(this.#saving);
    this.#saving = undefined;
    if (this.#file === undefined) return;
    const stored: Stored = {
      payments: [...this.payments.values()],
      hooks: [...this.hooks.values()],
      answers: [...this.#answers].slice(-MOST_PAYMENTS),
    };
    writeFileSync(`${this.#file}.new`, JSON.stringify(stored), { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}
