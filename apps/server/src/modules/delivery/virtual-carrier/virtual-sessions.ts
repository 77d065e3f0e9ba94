import { endingOf } from '@heliograph/contract/sandbox/endings';
import { type Outcome, STATUS } from '@heliograph/smpp';
import { failpoint } from '#platform/failpoints';
import type { Logger } from '#platform/log';
import type { CallbackFeed } from '../http-links/callback-feed.ts';
import { outcomeOf } from '../http-links/outcomes-of.ts';
import type { Segment } from '../segment.ts';
import type { CarrierSessions, SessionsHandler } from '../sending/carrier-sessions.ts';
import type { LinkReport } from '../sending/link-report.ts';
import { type VirtualCarrier, virtualId } from './virtual-carrier.ts';

/** Segments that the virtual carrier takes in one statement, and that may wait. */
const PAGE = 200;
const MOST_WAITING = 400;
/** Time by which an answer is later than its receipt, where the receipt comes first. */
const LATE_ANSWER_MS = 500;
const DRAIN_MS = 3_000;

export interface VirtualSessionsParts {
  carrier: VirtualCarrier;
  feed: CallbackFeed;
  handler: SessionsHandler;
  report: LinkReport;
  log: Logger;
}

/**
 * Sessions with the virtual carrier. It is in the database and takes a part once, however often it is handed over: what
 * failed, or was under way when a sender died, is handed over again.
 */
export class VirtualSessions implements CarrierSessions {
  readonly #parts: VirtualSessionsParts;
  #backlog: Segment[] = [];
  #taking = 0;
  readonly #late = new Map<NodeJS.Timeout, Outcome<Segment>[]>();
  #working: Promise<void> | undefined;
  #releasing: Promise<void> | undefined;
  #up = false;

  constructor(parts: VirtualSessionsParts) {
    this.#parts = parts;
    parts.report.wanted = 1;
  }

  start(): void {
    this.#up = true;
    this.#parts.report.bound(true);
    this.#parts.handler.onRoom();
    this.look();
  }

  look(): void {
    void this.#look();
  }

  /** Passes on what is due, and lets it be recorded. Never rejects. */
  async #look(): Promise<void> {
    this.#releasing ??= this.#release().finally(() => {
      this.#releasing = undefined;
    });
    await this.#releasing;
  }

  async #release(): Promise<void> {
    const { carrier, feed, handler, log } = this.#parts;
    try {
      for (let more = this.#up; more; ) more = await carrier.release();
    } catch (error) {
      log.warn({ err: error }, 'could not pass on receipts of the virtual carrier; retrying');
    }
    await feed.look((requests, bringer, frames) => handler.onRequests(requests, bringer, frames));
  }

  get isUp(): boolean {
    return this.#up;
  }

  get free(): number {
    return this.#up ? Math.max(0, MOST_WAITING - this.inFlight) : 0;
  }

  get inFlight(): number {
    return this.#backlog.length + this.#taking + this.#late.size;
  }

  send(segments: readonly Segment[]): void {
    if (!this.#up || !this.#parts.handler.maySend()) {
      this.#parts.handler.onUnsent(segments);
      return;
    }
    this.#backlog.push(...segments);
    this.#working ??= Promise.resolve()
      .then(() => this.#work())
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #work(): Promise<void> {
    const { handler } = this.#parts;
    while (this.#backlog.length > 0) {
      if (!this.#up || !handler.maySend()) {
        handler.onUnsent(this.#backlog.splice(0));
        return;
      }
      await this.#submit(this.#backlog.splice(0, PAGE));
      handler.onRoom();
    }
  }

  async #submit(segments: readonly Segment[]): Promise<void> {
    const { carrier, report, log } = this.#parts;
    report.count('submitted', segments.length);
    const taken = segments.filter((segment) => takes(segment));
    const begun = performance.now();
    this.#taking = segments.length;
    try {
      failpoint('sandbox.before-take');
      if (taken.length > 0) await carrier.take(taken, Date.now());
      failpoint('sandbox.taken');
    } catch (error) {
      log.warn({ err: error }, 'virtual carrier could not take messages; handing over again');
      this.#taking = 0;
      this.#tell(segments.map((segment) => outcomeOf('unsent', segment)));
      return;
    }
    const took = performance.now() - begun;
    const early = taken.filter(({ message }) => endingOf(message.msisdn).early);
    if (early.length > 0) this.#tellLater(early.map((segment) => answerTo(segment, took + LATE_ANSWER_MS)));
    this.#taking = 0;
    this.#tell(segments.filter((segment) => !early.includes(segment)).map((segment) => answerTo(segment, took)));
    if (early.length > 0) this.look();
  }

  #tellLater(outcomes: Outcome<Segment>[]): void {
    const timer = setTimeout(() => {
      this.#late.delete(timer);
      this.#tell(outcomes);
    }, LATE_ANSWER_MS);
    this.#late.set(timer, outcomes);
  }

  #tell(outcomes: readonly Outcome<Segment>[]): void {
    if (outcomes.length === 0) return;
    const { handler, report } = this.#parts;
    report.responses(outcomes);
    handler.onResponses(outcomes);
  }

  async stop(): Promise<void> {
    const until = performance.now() + DRAIN_MS;
    const backlog = this.#backlog.splice(0);
    if (backlog.length > 0) this.#parts.handler.onUnsent(backlog);
    while (this.inFlight > 0 && performance.now() < until) await new Promise((wait) => setTimeout(wait, 20));
    this.#up = false;
    for (const [timer, outcomes] of this.#late) {
      clearTimeout(timer);
      this.#tell(outcomes);
    }
    this.#late.clear();
    await this.#releasing;
    this.#parts.report.unbound(true);
    await this.#parts.feed.end();
  }
}

/** Returns whether the virtual carrier takes a segment now: not if it refuses it, or answers "not now" at the first try. */
function takes({ message, tries }: Segment): boolean {
  const { answer } = endingOf(message.msisdn);
  return answer !== 'refused' && !(answer === 'throttled' && tries === 0);
}

function answerTo(segment: Segment, took: number): Outcome<Segment> {
  const { answer } = endingOf(segment.message.msisdn);
  if (answer === 'lost' && !segment.second_try) return { ...outcomeOf('uncertain', segment), took };
  const outcome = { ...outcomeOf('answered', segment), took };
  if (answer === 'refused') return { ...outcome, status: STATUS.RINVDSTADR };
  if (!takes(segment)) return { ...outcome, status: STATUS.RTHROTTLED };
  return { ...outcome, status: STATUS.ROK, message_id: virtualId(segment) };
}
