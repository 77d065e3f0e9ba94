import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import { type Repeated, repeat } from '#platform/jobs/repeat';
import type { Logger } from '#platform/log';
import { CarrierAgent, type CarrierAnswer, type CarrierTls } from '#platform/outbound/carrier-agent';
import type { CarrierConfig } from '#platform/outbound/outbound';
import type { Link } from '../sending/link.ts';
import type { CallbackFeed } from './callback-feed.ts';
import { CALLBACK_KINDS, type CallbackKind, documentOf, readCallback } from './read-callback.ts';
import type { RequestForm } from './request-form.ts';
import { textAt } from './selectors.ts';

const SECOND = 1_000;
/** Maximum pages of one round; the next round continues. */
const MOST_PAGES = 100;

export interface PollerParts {
  link: Link & { http: HttpMapping };
  form: RequestForm;
  trust: CarrierTls;
  config: CarrierConfig;
  feed: CallbackFeed;
  log: Logger;
}

/**
 * Asks a carrier for receipts and replies, page by page. A page is stored together with the cursor of the next one, so
 * that a page is neither skipped nor, at a carrier with cursors, recorded twice.
 */
export class Poller {
  readonly #parts: PollerParts;
  readonly #agents = new Map<string, CarrierAgent>();
  readonly #loops: Repeated[] = [];
  #stopped = false;

  constructor(parts: PollerParts) {
    this.#parts = parts;
  }

  /** Starts asking; `onKept` is called when something new is stored. */
  start(onKept: () => void): void {
    const { http } = this.#parts.link;
    for (const kind of CALLBACK_KINDS) {
      const address = kind === 'receipts' ? http.poll_receipts : http.poll_replies;
      if (address === '') continue;
      const failed = (error: unknown) => this.#parts.log.warn({ err: error, kind }, 'poll of carrier failed; retrying');
      this.#loops.push(repeat(http.poll_seconds * SECOND, () => this.#round(kind, address, onKept), failed));
    }
    for (const loop of this.#loops) loop.wake();
  }

  async #round(kind: CallbackKind, address: string, onKept: () => void): Promise<void> {
    const { form, feed, link, log } = this.#parts;
    const { http } = link;
    for (let page = 0; page < MOST_PAGES && !this.#stopped; page++) {
      const cursor = http.poll_cursor === '' ? '' : await feed.cursorOf(kind);
      const request = form.poll(address, cursor);
      const answer = await this.#ask(request);
      if (answer.status < 200 || answer.status > 299) {
        log.warn({ status: answer.status, kind }, 'carrier refused a poll; retrying later');
        return;
      }
      const document = documentOf('', 'application/json', answer.body);
      const brought = readCallback(http, kind, document, Date.now());
      const next = textAt(document, http.poll_cursor);
      const moves = next !== undefined && next !== '' && next !== cursor;
      if (brought.length > 0 || moves) {
        if ((await feed.keep(kind, brought, moves ? next : undefined)) > 0) onKept();
      }
      // Without a cursor a carrier answers what is new; another question would only repeat it if it does not.
      if (!moves || brought.length === 0) return;
    }
  }

  #ask(request: ReturnType<RequestForm['poll']>): Promise<CarrierAnswer> {
    const { link, trust, config } = this.#parts;
    const { origin } = new URL(request.url);
    const agent =
      this.#agents.get(origin) ??
      new CarrierAgent(request.url, { trust, connectMs: link.bind_seconds * SECOND, config });
    this.#agents.set(origin, agent);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        asked.drop();
        reject(new Error('the carrier did not answer a poll in time'));
      }, link.response_seconds * SECOND);
      const asked = agent.send(request, {
        onAnswer: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        onFailure: ({ error }) => {
          clearTimeout(timer);
          reject(error);
        },
      });
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const stopping = this.#loops.map((loop) => loop.stop());
    for (const agent of this.#agents.values()) await agent.close();
    await Promise.all(stopping);
  }
}
