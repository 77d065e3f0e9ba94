import { createHmac, randomBytes } from 'node:crypto';
import type { Book, Payment } from './book.ts';

/**
 * Ways in which notices arrive: as they should, twice, newest first, with an old signature, with a false one, or never.
 */
export const DELIVERY_MODES = ['usual', 'repeat', 'reorder', 'late', 'forge', 'none'] as const;
export type DeliveryMode = (typeof DELIVERY_MODES)[number];

interface Notice {
  url: string;
  headers: Record<string, string>;
  body: string;
}

const TRIES = 4;
const FIRST_WAIT_MS = 250;
const TOGETHER_MS = 50;
/** Age of a late signature in s: more than the five minutes that providers advise. */
const LATE_S = 3_600;

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

/** Sends notices to the addresses that merchants registered. */
export class Notices {
  readonly #book: Book;
  #mode: DeliveryMode = 'usual';
  #waiting: Notice[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #running = new Set<Promise<void>>();
  #stopped = false;
  /** Notices sent, and those that were answered with a status of success. */
  readonly counts = { sent: 0, accepted: 0 };

  constructor(book: Book) {
    this.#book = book;
  }

  get mode(): DeliveryMode {
    return this.#mode;
  }
  set mode(mode: DeliveryMode) {
    this.#mode = mode;
  }

  /** Sends a body to the addresses of a payment's merchant. */
  tell(payment: Payment, body: object): void {
    if (this.#mode === 'none') return;
    const text = JSON.stringify(body);
    for (const { provider, owner, url, secret } of this.#book.hooks.values()) {
      if (provider !== payment.provider || owner !== payment.owner) continue;
      this.#waiting.push({ url, headers: this.#headers(payment, secret, text), body: text });
    }
    this.#timer ??= setTimeout(() => this.#flush(), TOGETHER_MS);
  }

  #headers({ provider }: Payment, right: string, body: string): Record<string, string> {
    const t = Math.floor(Date.now() / 1_000) - (this.#mode === 'late' ? LATE_S : 0);
    const secret = this.#mode === 'forge' ? randomBytes(16).toString('hex') : right;
    const signature = hmac(secret, `${t}.${body}`);
    const type = { 'content-type': 'application/json' };
    if (provider === 'stripe') return { ...type, 'stripe-signature': `t=${t},v1=${signature}` };
    return provider === 'paymongo' ? { ...type, 'paymongo-signature': `t=${t},te=${signature},li=` } : type;
  }

  #flush(): void {
    this.#timer = undefined;
    const notices = this.#mode === 'reorder' ? this.#waiting.reverse() : this.#waiting;
    this.#waiting = [];
    const sending = (async () => {
      for (const notice of notices)
        for (let times = this.#mode === 'repeat' ? 3 : 1; times > 0; times--) await this.#send(notice);
    })();
    this.#running.add(sending);
    void sending.finally(() => this.#running.delete(sending));
  }

  async #send({ url, headers, body }: Notice): Promise<void> {
    for (let tried = 0; tried < TRIES && !this.#stopped; tried++) {
      this.counts.sent++;
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(5_000),
      }).catch(() => undefined);
      if (answer?.ok) {
        this.counts.accepted++;
        return;
      }
      if (answer && answer.status < 500) return;
      await new Promise((done) => setTimeout(done, FIRST_WAIT_MS * 2 ** tried).unref());
    }
  }

  /** Resolves when everything that waits was sent. */
  async idle(): Promise<void> {
    while (this.#timer !== undefined || this.#running.size > 0) {
      if (this.#timer !== undefined) await new Promise((done) => setTimeout(done, TOGETHER_MS));
      await Promise.all(this.#running);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await Promise.all(this.#running);
  }
}
