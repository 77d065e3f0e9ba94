import type { Span } from '@opentelemetry/api';
import { failpoint } from '#platform/failpoints';
import { type Repeated, repeat } from '#platform/jobs/repeat';
import { repeatWhileWork } from '#platform/jobs/work-watch';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { failed, SpanKind, traced } from '#platform/operate/tracing';
import { CALL_MS, OutboundAgent, type OutboundAnswer } from '#platform/outbound/agent';
import { type DeliveryKind, type Due, HELD_SECONDS, type Tried } from './kind.ts';
import { Lanes, type Pace } from './lanes.ts';
import { recordTries } from './record-tries.ts';
import { nextTry } from './retry-ladder.ts';
import { dueSoon, giveBack, takeDue } from './take-due.ts';
import { TargetsInUse } from './targets-in-use.ts';

const MAKE_MS = 100;
const RECORD_MS = 20;
const RECORD_AT_ONCE = 1_000;
/** Maximum deliveries that a worker holds. Above it, no more are taken or made. */
const MOST_IN_HAND = 20_000;

type Worker = Pick<WorkerContext, 'database' | 'config' | 'log' | 'watch'>;

/** Work of one kind. */
interface Desk {
  readonly kind: DeliveryKind;
  readonly targets: TargetsInUse<unknown>;
  tried: Tried[];
  /** True while deliveries may wait that are older than those that are made now. */
  waiting: boolean;
  taking?: Repeated;
  recording?: Repeated;
}

/**
 * Sends what leaves over HTTP for customers. It makes deliveries from news, takes those that are due, calls the
 * receivers and records the results, each in batches. Any number of workers may do this side by side.
 */
export class HttpSender {
  readonly #worker: Worker;
  readonly #agent: OutboundAgent;
  readonly #desks: ReadonlyMap<DeliveryKind, Desk>;
  readonly #lanes: Lanes;
  readonly #loops: { stop(): Promise<void> }[] = [];
  #stopped = false;

  /** Calls at most `most` receivers at the same time. */
  constructor(worker: Worker, kinds: readonly DeliveryKind[], most?: number) {
    this.#worker = worker;
    this.#agent = new OutboundAgent(worker.config);
    this.#desks = new Map(
      kinds.map((kind): [DeliveryKind, Desk] => {
        const targets = new TargetsInUse((ids) => kind.readTargets(ids));
        return [kind, { kind, targets, tried: [], waiting: true }];
      }),
    );
    this.#lanes = new Lanes((kind, due) => this.#callTraced(kind, due), HELD_SECONDS * 1_000 - 2 * CALL_MS, most);
  }

  start(): void {
    const { watch, log } = this.#worker;
    for (const desk of this.#desks.values()) {
      const { kind } = desk;
      const failed = (what: string) => (error: unknown) => log.warn({ err: error, kind: kind.name }, what);
      if (kind.make) {
        if (kind.news) watch?.add(kind.news);
        const late = failed('could not create HTTP deliveries; retrying');
        this.#loops.push(repeatWhileWork(watch, MAKE_MS, () => this.#make(desk), late));
      }
      watch?.add({ sql: dueSoon(kind) });
      const unclaimed = failed('could not claim HTTP deliveries; retrying');
      desk.taking = repeatWhileWork(watch, kind.pollMs, () => this.#take(desk), unclaimed);
      desk.recording = repeat(
        () => (this.#lanes.size > 0 || desk.tried.length > 0 ? RECORD_MS : Number.POSITIVE_INFINITY),
        () => this.#record(desk),
        failed('could not record HTTP delivery results; retrying'),
      );
      this.#loops.push(desk.taking, desk.recording);
    }
    const ticking = setInterval(() => {
      this.#lanes.tick();
      for (const { targets } of this.#desks.values()) targets.tidy();
    }, 1_000);
    this.#loops.push({ stop: async () => clearInterval(ticking) });
  }

  get #hasRoom(): boolean {
    return !this.#stopped && this.#lanes.size < MOST_IN_HAND;
  }

  async #make(desk: Desk): Promise<void> {
    while (this.#hasRoom) {
      // Older deliveries that still wait go first.
      const made = await desk.kind.make!((target) => (desk.waiting ? 0 : this.#lanes.room(desk.kind, target)));
      if (!made) return;
      if (made.left) desk.waiting = true;
      this.#add(desk, made.taken);
      if (!made.more) return;
    }
  }

  /** Takes due deliveries of a kind now, without waiting for the next look. */
  wake(name: DeliveryKind['name']): void {
    for (const { kind, taking } of this.#desks.values()) if (kind.name === name) taking?.wake();
  }

  async #take(desk: Desk): Promise<void> {
    while (this.#hasRoom) {
      const due = await takeDue(this.#worker.database, desk.kind, this.#lanes.rooms(desk.kind));
      desk.waiting = due.length > 0;
      this.#add(desk, due);
      if (!desk.waiting) return;
    }
  }

  #add(desk: Desk, due: readonly Due[]): void {
    this.#lanes.add(desk.kind, due);
    if (due.length > 0) desk.recording?.wake();
  }

  #callTraced(kind: DeliveryKind, due: Due): Promise<Pace> {
    const attributes = { [`${kind.name}_id`]: due.id, [kind.target]: due.target, tries: due.tries };
    return traced(kind.name, { kind: SpanKind.CLIENT, attributes }, (span) => this.#call(kind, due, span));
  }

  /** Never rejects. */
  async #call(kind: DeliveryKind, due: Due, span: Span | undefined): Promise<Pace> {
    try {
      const desk = this.#desks.get(kind)!;
      const target = await desk.targets.of(due.target);
      const request = target === undefined ? undefined : kind.requestOf(await kind.open(due), target);
      // The worker that takes the delivery after this hold uses the target as it is then.
      if (!request) return { ms: 0, good: false };
      const at = new Date().toISOString();
      const began = performance.now();
      const answer: Omit<OutboundAnswer, 'fault'> & { fault: string | null } =
        'fault' in request
          ? { status: null, fault: request.fault, type: '', body: '', retry_after: null }
          : await this.#agent.call(request, kind.answer.maxBytes);
      const ms = Math.round(performance.now() - began);
      failpoint('deliveries.answered');
      const { status, fault, type, body } = answer;
      if (status !== null) span?.setAttribute('http.response.status_code', status);
      if (fault !== null && span) failed(span, { code: fault });
      const good = fault === null;
      const again =
        good || due.test || kind.ladder.isFinal(answer)
          ? null
          : nextTry(kind.ladder, due.tries + 1, answer.retry_after, Math.random(), Date.now());
      const kept = body.replaceAll('\0', '').slice(0, kind.answer.characters).toWellFormed();
      desk.tried.push({
        due,
        target,
        answer: { type, body },
        attempt: { at, status, fault, ms, answer: kept },
        state: good ? 'done' : again === null ? 'failed' : 'waiting',
        again,
      });
      return { ms, good };
    } catch (error) {
      this.#worker.log.warn(
        { err: error, kind: kind.name, delivery_id: due.id },
        'could not send HTTP delivery; retrying',
      );
      return { ms: 0, good: false };
    }
  }

  async #record(desk: Desk): Promise<void> {
    while (desk.tried.length > 0) {
      const some = desk.tried.slice(0, RECORD_AT_ONCE);
      await recordTries(this.#worker, desk.kind, some);
      desk.tried = desk.tried.slice(some.length);
    }
  }

  /** Begins no more calls. Records the answers that arrived, and gives back the deliveries that were not begun. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const calls = this.#lanes.stop();
    await Promise.race([calls, new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    for (const desk of this.#desks.values()) {
      await this.#record(desk).catch(() => undefined);
      const unbegun = this.#lanes.unbegun(desk.kind).map(({ id }) => id);
      // If this fails, other workers take them when the hold expires.
      if (unbegun.length > 0) await giveBack(this.#worker.database, desk.kind, unbegun).catch(() => undefined);
    }
    await this.#agent.close();
  }
}
