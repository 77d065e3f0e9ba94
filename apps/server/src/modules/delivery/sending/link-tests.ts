import { normaliseCarrierId, type Outcome } from '@heliograph/smpp';
import type pg from 'pg';
import type { Logger } from '#platform/log';
import type { Message, Segment } from '../segment.ts';
import type { SessionsHandler } from './carrier-sessions.ts';
import type { Link } from './link.ts';

/** Maximum test messages that leave together, so that a burst of traffic is not followed by one of tests. */
const MOST_TOGETHER = 20;
/** Time in ms between two batches of test messages. */
const EVERY_MS = 1_000;

// A loop gets the next message only after its answer, or after an hour.
const ADD = `
  INSERT INTO link_test (link_id, number, kind)
  SELECT $1, number, kind FROM test_number n WHERE enabled AND (kind <> 'loop' OR NOT EXISTS (
    SELECT FROM link_test t WHERE t.number = n.number AND t.kind = 'loop' AND t.answered_at IS NULL
      AND t.sent_at > now() - interval '1 hour'))
  ORDER BY random() LIMIT $2 RETURNING id, number`;
const ACCEPTED = 'UPDATE link_test SET carrier_id = $2 WHERE id = $1';
const REPORTED = 'UPDATE link_test SET state = $2, reported_at = now() WHERE id = $1';
const OPEN = `
  SELECT id, carrier_id FROM link_test
  WHERE link_id = $1 AND carrier_id IS NOT NULL AND state IS NULL AND sent_at > now() - interval '3 days'`;

/** Parts of a link that send its tests. */
interface Way {
  /** Sends a segment as any other. */
  send(segment: Segment): void;
  /** Whether messages may leave now. */
  mayLeave(): boolean;
}

/**
 * Test messages among those of a link: to numbers whose true fate is known, with sender and text of messages that just
 * left, so that a carrier cannot tell them apart. They have no row as a message, no price and no event.
 */
export class LinkTests {
  readonly #link: Pick<Link, 'id' | 'test_rate'>;
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  #way: Way | undefined;
  readonly #rows = new WeakMap<Message, number>();
  readonly #byCarrierId = new Map<string, number>();
  /** Common text and sender of the last messages; a person's own text is never sent to others. */
  #like: Message | undefined;
  #owed = 0;
  #sending: Promise<void> | undefined;
  #nextAt = 0;
  #work: Promise<void> = Promise.resolve();

  private constructor(link: Pick<Link, 'id' | 'test_rate'>, pool: pg.Pool, log: Logger) {
    this.#link = link;
    this.#pool = pool;
    this.#log = log;
    void this.#do(() => this.#recall());
  }

  /** Makes the tests of a link; undefined if it has none. */
  static of(link: Pick<Link, 'id' | 'test_rate'>, pool: pg.Pool, log: Logger): LinkTests | undefined {
    return link.test_rate > 0 ? new LinkTests(link, pool, log) : undefined;
  }

  /** Sets the way on which tests leave. */
  goBy(way: Way): void {
    this.#way = way;
  }

  /** Returns a handler of the link's sessions that sees no tests. */
  apartFrom(handler: SessionsHandler): SessionsHandler {
    return {
      ...handler,
      onResponses: (outcomes) => handler.onResponses(this.#takeAnswers(outcomes)),
      onUnsent: (segments) => handler.onUnsent(segments.filter((segment) => !this.#owns(segment))),
      onUnfit: (segment, error) => {
        if (!this.#owns(segment)) handler.onUnfit(segment, error);
      },
    };
  }

  /** Counts messages that left, the first of which tests may be like. */
  left(messages: readonly Message[]): void {
    const [first] = messages;
    if (first && first.text === null && first.parts === 1 && first.chunk.class !== 'otp') this.#like = first;
    this.#owed = Math.min(MOST_TOGETHER, this.#owed + (messages.length * this.#link.test_rate) / 1_000);
    if (this.#owed < 1 || !this.#like || this.#sending || Date.now() < this.#nextAt) return;
    const count = Math.floor(this.#owed);
    this.#owed -= count;
    this.#nextAt = Date.now() + EVERY_MS;
    const like = this.#like;
    this.#sending = this.#do(() => this.#send(count, like)).finally(() => {
      this.#sending = undefined;
    });
  }

  async #send(count: number, like: Message): Promise<void> {
    const { rows } = await this.#pool.query<{ id: number; number: string }>(ADD, [this.#link.id, count]);
    for (const { id, number } of rows) {
      if (!this.#way?.mayLeave()) return;
      const message: Message = { ...like, id, msisdn: number, unit_price: 0, reference: 0, answered_at: 0 };
      this.#rows.set(message, id);
      this.#way.send({ message, part: 1, tries: 0 });
    }
  }

  async #recall(): Promise<void> {
    const { rows } = await this.#pool.query<{ id: number; carrier_id: string }>(OPEN, [this.#link.id]);
    for (const { id, carrier_id } of rows) this.#byCarrierId.set(carrier_id, id);
  }

  #owns({ message }: Segment): boolean {
    return this.#rows.has(message);
  }

  /** Takes the answers to tests and returns the others. */
  #takeAnswers(outcomes: readonly Outcome<Segment>[]): readonly Outcome<Segment>[] {
    if (!outcomes.some(({ context }) => this.#owns(context))) return outcomes;
    return outcomes.filter((outcome) => {
      const id = this.#rows.get(outcome.context.message);
      if (id === undefined) return true;
      if (outcome.kind === 'answered' && outcome.status === 0 && outcome.message_id !== '') {
        const carrierId = normaliseCarrierId(outcome.message_id, 'opaque');
        this.#byCarrierId.set(carrierId, id);
        void this.#do(() => this.#pool.query(ACCEPTED, [id, carrierId]));
      }
      return false;
    });
  }

  /** Takes a receipt if it is a test's; resolves when it is stored. Undefined if it is for a message. */
  takeReceipt(carrierId: string, state: string | undefined): Promise<unknown> | undefined {
    const id = this.#byCarrierId.get(carrierId);
    if (id === undefined) return undefined;
    if (state === undefined) return Promise.resolve();
    this.#byCarrierId.delete(carrierId);
    return this.#do(() => this.#pool.query(REPORTED, [id, state]));
  }

  /** Runs statements one after another. A test that could not be stored is missed, and nothing else. */
  #do(work: () => Promise<unknown>): Promise<void> {
    const done = this.#work
      .then(async () => void (await work()))
      .catch((error) => this.#log.warn({ err: error }, 'could not record test message'));
    this.#work = done;
    return done;
  }

  /** Waits for what is being stored. */
  async end(): Promise<void> {
    await this.#work;
  }
}
