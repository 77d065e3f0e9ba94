import { LINK_COUNTERS, type linkLive } from '@heliograph/contract/links/link';
import { type Closing, type Outcome, STATUS, statusKind, statusName } from '@heliograph/smpp';
import type { z } from 'zod';
import type { Segment } from '../segment.ts';
import { LinkMinutes } from './link-minutes.ts';
import type { Learning } from './receipt-ids.ts';

const SECOND = 1_000;
const SECONDS = 60;
const FAULTS = 10;
/** Time after the last answer "throttled" in which the link counts as throttled. */
const THROTTLED_MS = 10_000;

type Counter = (typeof LINK_COUNTERS)[number];
type Counts = Record<Counter, number>;
/** Figures of a link, stored by the holder of its lanes and shown on screens. */
export type LinkLive = z.output<typeof linkLive>;
type Fault = LinkLive['faults'][number];

/** State of a link, as its holder sees it. */
export type LiveState = 'up' | 'binding' | 'down' | 'throttled' | 'draining';

const none = (): Counts => ({ submitted: 0, accepted: 0, throttled: 0, failed: 0, unanswered: 0, receipts: 0 });

/** Counters and faults of one link while this process holds it. */
export class LinkReport {
  readonly #now: () => number;
  readonly #since: string;
  readonly #total = none();
  /** Counters of each second, in a ring. */
  readonly #seconds = Array.from({ length: SECONDS }, none);
  #second: number;
  #faults: Fault[] = [];
  #refusal: Fault | null = null;
  #bound = 0;
  #transmitters = 0;
  #everFailed = false;
  #throttledAt = Number.NEGATIVE_INFINITY;
  #nextTry: number | null = null;
  /** Counts by minute, until they are stored. */
  readonly minutes: LinkMinutes;
  wanted = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.minutes = new LinkMinutes(now);
    this.#since = new Date(now()).toISOString();
    this.#second = Math.floor(now() / SECOND);
  }

  count(counter: Counter, by = 1): void {
    this.#turn();
    this.#total[counter] += by;
    this.#seconds[this.#second % SECONDS]![counter] += by;
    if (counter !== 'receipts') this.minutes.add(counter, by);
  }

  responses(outcomes: readonly Outcome<Segment>[]): void {
    let accepted = 0;
    let answers = 0;
    let milliseconds = 0;
    for (const { kind, status, took } of outcomes) {
      if (kind === 'answered') {
        answers++;
        milliseconds += took;
      }
      if (kind === 'uncertain') this.count('unanswered');
      else if (kind === 'unsent') this.count('submitted', -1);
      else if (status === STATUS.ROK) accepted++;
      else {
        const throttled = statusKind(status) === 'throttle';
        this.count(throttled ? 'throttled' : 'failed');
        if (throttled) this.#throttledAt = this.#now();
        this.fault(statusName(status));
        this.minutes.error(statusName(status));
      }
    }
    this.minutes.add('answers', answers);
    this.minutes.add('response_ms', milliseconds);
    if (accepted > 0) this.count('accepted', accepted);
  }

  bound(transmits: boolean): void {
    this.#bound++;
    if (transmits) this.#transmitters++;
    this.#refusal = null;
    this.#nextTry = null;
  }

  unbound(transmits: boolean): void {
    this.#bound--;
    if (transmits) this.#transmitters--;
  }

  /** Notes that a session ended, or could not be opened, and in how many milliseconds the next try follows. */
  closed({ reason, status, error }: Closing, retryInMs: number): void {
    this.#everFailed = true;
    this.#nextTry = this.#now() + retryInMs;
    const network = (error as NodeJS.ErrnoException | undefined)?.code;
    const code = status !== undefined ? statusName(status) : reason === 'connect_failed' && network ? network : reason;
    const fault = this.fault(code);
    if (reason === 'bind_refused') this.#refusal = fault;
  }

  /** Notes that the password cannot be opened, so that no session is ever opened. */
  unreadable(): void {
    this.#everFailed = true;
    this.fault('password_unreadable');
  }

  /** Notes a fault; repeated faults are counted. */
  fault(code: string): Fault {
    const present = this.#faults.find((fault) => fault.code === code);
    const fault = { at: new Date(this.#now()).toISOString(), code, count: (present?.count ?? 0) + 1 };
    this.#faults = [fault, ...this.#faults.filter((each) => each !== present)].slice(0, FAULTS);
    return fault;
  }

  /** Whether the carrier has taken a message, or may have, or has sent a receipt. */
  get carried(): boolean {
    return this.#total.accepted > 0 || this.#total.unanswered > 0 || this.#total.receipts > 0;
  }

  get state(): LiveState {
    if (this.#transmitters > 0) return this.#now() - this.#throttledAt < THROTTLED_MS ? 'throttled' : 'up';
    return this.#everFailed ? 'down' : 'binding';
  }

  live(in_flight: number, learning: Learning | undefined): LinkLive {
    this.#turn();
    const minute = none();
    for (const second of this.#seconds) for (const counter of LINK_COUNTERS) minute[counter] += second[counter];
    for (const counter of LINK_COUNTERS) minute[counter] = Math.max(0, minute[counter]);
    return {
      sessions: { bound: this.#bound, wanted: this.wanted },
      in_flight,
      minute,
      total: { ...this.#total },
      counting_since: this.#since,
      faults: this.#faults,
      refusal: this.#refusal,
      next_try_at: this.#nextTry === null ? null : new Date(this.#nextTry).toISOString(),
      learning: learning ?? null,
    };
  }

  #turn(): void {
    const second = Math.floor(this.#now() / SECOND);
    if (second <= this.#second) return;
    for (let stale = Math.max(this.#second + 1, second - SECONDS + 1); stale <= second; stale++) {
      this.#seconds[stale % SECONDS] = none();
    }
    this.#second = second;
  }
}
