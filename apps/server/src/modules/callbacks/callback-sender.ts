import type { Span } from '@opentelemetry/api';
import { failpoint } from '#platform/failpoints';
import { repeat } from '#platform/jobs/repeat';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { failed, SpanKind, traced } from '#platform/operate/tracing';
import { OutboundAgent } from '#platform/outbound/agent';
import { secretKey } from '#platform/process/seal';
import { EndpointsInUse } from './endpoints-in-use.ts';
import { type Due, Lanes, type Pace } from './lanes.ts';
import { HELD_SECONDS, makeCallbacks } from './make-callbacks.ts';
import { type Answered, recordAnswers } from './record-answers.ts';
import { nextTry } from './retry-plan.ts';
import { signedHeaders, webhookId } from './signing.ts';
import { giveBackCallbacks, takeCallbacks } from './take-callbacks.ts';

/** Maximum duration of a call, and maximum bytes of its answer that are read. */
const CALL_MS = 10_000;
const ANSWER_BYTES = 16_384;
/** Maximum characters of an answer that are stored. */
const KEPT_CHARACTERS = 500;
const LOOK_MS = 100;
const TAKE_MS = 250;
const RECORD_MS = 20;
const RECORD_AT_ONCE = 1_000;
/** Maximum callbacks that a worker holds. Above it, no events are read. */
const MOST_IN_HAND = 20_000;

type Worker = Pick<WorkerContext, 'database' | 'config' | 'log'>;

/**
 * Reports events to customers' programs. It makes callbacks from events, takes those that are due, calls the receivers
 * and records the results, each in batches. Any number of workers may do this side by side.
 */
export class CallbackSender {
  readonly #worker: Worker;
  readonly #agent: OutboundAgent;
  readonly #endpoints: EndpointsInUse;
  readonly #lanes: Lanes;
  readonly #loops: { stop(): Promise<void> }[] = [];
  #answers: Answered[] = [];
  #left = true;
  #stopped = false;

  constructor(worker: Worker, resolve?: ConstructorParameters<typeof OutboundAgent>[2]) {
    this.#worker = worker;
    this.#agent = new OutboundAgent(worker.config, { withinMs: CALL_MS, maxBytes: ANSWER_BYTES }, resolve);
    this.#endpoints = new EndpointsInUse(worker.database, secretKey(worker.config));
    this.#lanes = new Lanes((due) => this.#callTraced(due), HELD_SECONDS * 1_000 - 2 * CALL_MS);
  }

  start(): void {
    const loop = (everyMs: number, work: () => Promise<void>, what: string) =>
      this.#loops.push(repeat(everyMs, work, (error) => this.#worker.log.warn({ err: error }, what)));
    loop(LOOK_MS, () => this.#make(), 'could not create callbacks; retrying');
    loop(TAKE_MS, () => this.#take(), 'could not claim callbacks; retrying');
    loop(RECORD_MS, () => this.#record(), 'could not record callback results; retrying');
    const ticking = setInterval(() => {
      this.#lanes.tick();
      this.#endpoints.tidy();
    }, 1_000);
    this.#loops.push({ stop: async () => clearInterval(ticking) });
  }

  async #make(): Promise<void> {
    while (!this.#stopped && this.#lanes.size < MOST_IN_HAND) {
      const made = await makeCallbacks(this.#worker.database, this.#worker.log, (id) =>
        // Older callbacks that still wait go first.
        this.#left ? 0 : this.#lanes.room(id),
      );
      if (!made) return;
      if (made.left) this.#left = true;
      this.#lanes.add(made.taken);
      if (!made.more) return;
    }
  }

  async #take(): Promise<void> {
    while (!this.#stopped && this.#lanes.size < MOST_IN_HAND) {
      const due = await takeCallbacks(this.#worker.database, this.#lanes.rooms());
      this.#left = due.length > 0;
      this.#lanes.add(due);
      if (due.length === 0) return;
    }
  }

  #callTraced(due: Due): Promise<Pace> {
    const attributes = { callback_id: due.id, callback_endpoint_id: due.callback_endpoint_id, tries: due.tries };
    return traced('callback', { kind: SpanKind.CLIENT, attributes }, (span) => this.#call(due, span));
  }

  /** Never rejects. */
  async #call(due: Due, span: Span | undefined): Promise<Pace> {
    try {
      const endpoint = await this.#endpoints.of(due.callback_endpoint_id);
      const url = due.url ?? endpoint?.url;
      // The worker that takes the callback after this hold uses the endpoint as it is then.
      if (!endpoint || !url || (endpoint.resting && !due.test)) return { ms: 0, good: false };
      const at = new Date();
      const began = performance.now();
      const answer = this.#mayBeCalled(url)
        ? await this.#agent.call({
            method: 'POST',
            url,
            headers: {
              'user-agent': 'Heliograph',
              'content-type': 'application/json',
              ...signedHeaders(endpoint.keys, webhookId(due.event_id), Math.floor(at.getTime() / 1_000), due.body),
            },
            body: due.body,
          })
        : ({ status: null, fault: 'not_https', body: '', retry_after: null } as const);
      const ms = Math.round(performance.now() - began);
      failpoint('callbacks.answered');
      if (answer.status !== null) span?.setAttribute('http.response.status_code', answer.status);
      if (answer.fault !== null && span) failed(span, { code: answer.fault });
      const good = answer.fault === null;
      const gone = answer.status === 410;
      const again =
        good || gone || due.test ? null : nextTry(due.tries + 1, answer.retry_after, Math.random(), Date.now());
      this.#answers.push({
        due,
        attempt: {
          at: at.toISOString(),
          status: answer.status,
          fault: answer.fault,
          ms,
          answer: answer.body.replaceAll('\0', '').slice(0, KEPT_CHARACTERS).toWellFormed(),
        },
        state: good ? 'done' : again === null ? 'failed' : 'waiting',
        again,
        gone,
      });
      return { ms, good };
    } catch (error) {
      this.#worker.log.warn({ err: error, callback_id: due.id }, 'could not send callback; retrying');
      return { ms: 0, good: false };
    }
  }

  #mayBeCalled(url: string): boolean {
    return this.#worker.config.HTTP_CALLBACKS || !url.startsWith('http:');
  }

  async #record(): Promise<void> {
    while (this.#answers.length > 0) {
      const some = this.#answers.slice(0, RECORD_AT_ONCE);
      await recordAnswers(this.#worker.database, some);
      this.#answers = this.#answers.slice(some.length);
    }
  }

  /** Begins no more calls. Records the answers that arrived, and gives back the callbacks that were not begun. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const calls = this.#lanes.stop();
    await Promise.race([calls, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#record().catch(() => undefined);
    const unbegun = this.#lanes.unbegun().map(({ id }) => id);
    // If this fails, other workers take them when the hold expires.
    if (unbegun.length > 0) await giveBackCallbacks(this.#worker.database, unbegun).catch(() => undefined);
    await this.#agent.close();
  }
}
