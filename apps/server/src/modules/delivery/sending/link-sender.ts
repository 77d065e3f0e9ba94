import { createHistogram } from 'node:perf_hooks';
import type { Logger } from '#platform/log';
import type { MessageClass } from '#platform/schema';
import type { CampaignCounters } from '../outcomes/apply-deltas.ts';
import type { Journal } from '../outcomes/journal.ts';
import type { PostgresSession } from '../postgres-session.ts';
import type { Message, Segment } from '../segment.ts';
import { Answers } from './answers.ts';
import { Binds } from './binds.ts';
import { ChunkSource, type Slice } from './chunk-source.ts';
import { Inbound, type OnInbound } from './inbound.ts';
import { commitIntents } from './intents.ts';
import type { Link } from './link.ts';
import { Pace } from './pace.ts';
import { claimRetries, endDeadRetries } from './retries.ts';
import { submitFields, validityPeriod } from './submit-fields.ts';

/** Intents on their way at once: the next is prepared while one commits. */
const INTENTS_AHEAD = 2;
/** While answers are on their way, a window that is less than this share free waits a moment to be freer: fewer, larger commits. */
const WORTHWHILE = 0.25;
const GATHER_MS = 3;
const SLICE_LIMIT = 2_000;
/**
 * Answers not recorded yet, beyond which nothing new leaves, where the window is smaller: a crash makes no more than
 * these and a window uncertain.
 */
const LEAST_UNRECORDED = 500;
const POLL_MS = 500;
const RETRY_POLL_MS = 250;
const DEAD_RETRIES_MS = 1_000;
/** Finer waits for the next token would only make slices of one message. */
const SHORTEST_WAIT_MS = 20;

/** Milliseconds from a message's turn to the moment its bytes were handed to the session, of all links. */
export const handOverTimes = createHistogram({ lowest: 1, highest: 60_000_000, figures: 3 });

export interface LinkSenderParts {
  link: Link;
  password: string;
  /** This process, as lanes name it. */
  holder: string;
  reading: PostgresSession;
  intents: PostgresSession;
  journal: Journal;
  log: Logger;
  onCounters: (counters: readonly CampaignCounters[]) => void;
  onInbound: OnInbound;
}

/** Feeds the sessions of one link with what waits for it, while this process holds the link's lanes. */
export class LinkSender {
  readonly #parts: LinkSenderParts;
  readonly #source: ChunkSource;
  readonly #binds: Binds;
  readonly #pace: Pace;
  readonly #answers: Answers;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #intents = new Set<Promise<unknown>>();
  #fences: ReadonlyMap<MessageClass, number> = new Map();
  #leaseUntil = 0;
  #reserved = 0;
  #gatherUntil = 0;
  #tokenTimer: NodeJS.Timeout | undefined;
  #claiming = false;
  #stopListening: (() => void) | undefined;
  #accepting = true;

  constructor(parts: LinkSenderParts) {
    this.#parts = parts;
    const { link, journal, log } = parts;
    this.#pace = new Pace(link.rate);
    const inbound = new Inbound(link, journal, parts.onInbound);
    this.#answers = new Answers(link.id, journal, inbound, this.#pace, log);
    this.#source = new ChunkSource(
      link.id,
      () => parts.reading.client(),
      () => this.#pump(),
      (error) => log.warn({ err: error }, 'waiting messages could not be read: trying again'),
    );
    const fields = (segment: Segment) =>
      submitFields(segment, link.default_charset, validityPeriod(segment.message.chunk, Date.now()));
    this.#binds = new Binds(
      link,
      parts.password,
      fields,
      {
        onRoom: () => this.#pump(),
        onResponses: (outcomes) => this.#answers.take(outcomes),
        onUnsent: (segments) => {
          const now = Date.now();
          for (const segment of segments) this.#answers.retry(segment, -1, now);
        },
        onUnfit: (segment, error) => this.#answers.unfit(segment, error),
        onRequests: (requests, session) => inbound.receive(requests, session),
      },
      log,
    );
  }

  start(): void {
    this.#stopListening = this.#parts.journal.onRecorded(() => this.#pump());
    this.#binds.start();
    this.wake();
    this.#every(POLL_MS, () => this.wake());
    this.#every(RETRY_POLL_MS, () => void this.#claimRetries());
    this.#every(DEAD_RETRIES_MS, () => void this.#endDeadRetries());
  }

  #every(milliseconds: number, work: () => void): void {
    this.#timers.push(setInterval(work, milliseconds));
  }

  /** The lanes are ours under these fences until `until` (performance.now()). */
  lease(fences: ReadonlyMap<MessageClass, number>, until: number): void {
    this.#fences = fences;
    this.#leaseUntil = until;
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#accepting) void this.#source.refresh();
    this.#pump();
  }

  get #mayClaim(): boolean {
    return this.#accepting && performance.now() < this.#leaseUntil && !this.#parts.journal.full && this.#binds.isUp;
  }

  /** Segments that may be claimed now: what is free of the windows and of the rate. */
  #room(): number {
    const { link, journal } = this.#parts;
    const recordable = Math.max(link.window_size, LEAST_UNRECORDED) - journal.unrecorded;
    return Math.min(this.#binds.free - this.#reserved, this.#pace.available(), recordable, SLICE_LIMIT);
  }

  #pump(): void {
    while (this.#intents.size < INTENTS_AHEAD && this.#mayClaim) {
      const room = this.#room();
      if (room <= 0) {
        this.#waitForTokens();
        return;
      }
      if (this.#binds.inFlight > 0 && room < this.#worthwhile() && !this.#gathered()) return;
      const slices = this.#source.take(room);
      if (slices.length === 0) return;
      const parts = slices.reduce((sum, slice) => sum + slice.parts, 0);
      this.#reserve(parts);
      const intent = this.#handOver(slices, parts).finally(() => {
        this.#intents.delete(intent);
        this.#pump();
      });
      this.#intents.add(intent);
    }
  }

  #worthwhile(): number {
    const most = Math.min(this.#parts.link.window_size * WORTHWHILE, this.#pace.rate * WORTHWHILE, SLICE_LIMIT / 2);
    return Math.max(1, most);
  }

  /** Whether room was gathered long enough; the first call of a series starts the wait and calls the pump after it. */
  #gathered(): boolean {
    const now = performance.now();
    if (this.#gatherUntil === 0) {
      this.#gatherUntil = now + GATHER_MS;
      setTimeout(() => this.#pump(), GATHER_MS);
      return false;
    }
    if (now < this.#gatherUntil) return false;
    this.#gatherUntil = 0;
    return true;
  }

  #waitForTokens(): void {
    if (this.#tokenTimer || this.#binds.free <= this.#reserved) return;
    this.#tokenTimer = setTimeout(
      () => {
        this.#tokenTimer = undefined;
        this.#pump();
      },
      Math.max(SHORTEST_WAIT_MS, this.#pace.waitMs()),
    );
  }

  #reserve(parts: number): void {
    this.#reserved += parts;
    this.#pace.take(parts);
  }

  #unreserve(parts: number, left: number): void {
    this.#reserved -= parts;
    this.#pace.giveBack(parts - left);
  }

  /** Commits the intent of the slices and sends those that may go. Never rejects. */
  async #handOver(slices: readonly Slice[], parts: number): Promise<void> {
    const started = performance.now();
    let sent = 0;
    try {
      const client = await this.#parts.intents.client();
      const { committed, refused, counters } = await commitIntents(client, slices, this.#parts.holder, this.#fences);
      for (const slice of committed) {
        this.#source.committed(slice);
        for (const message of slice.messages) this.#send(message);
        sent += slice.parts;
      }
      for (const slice of refused) this.#source.refused(slice);
      if (counters.length > 0) this.#parts.onCounters(counters);
      handOverTimes.record(Math.max(1, Math.round((performance.now() - started) * 1_000)));
    } catch (error) {
      // Whether they were committed is not known, so they may not leave; read again, the cursor tells.
      this.#parts.log.warn({ err: error }, 'the hand-over could not be committed: trying again');
      for (const slice of slices) this.#source.refused(slice);
    } finally {
      this.#unreserve(parts, sent);
    }
  }

  #send(message: Message): void {
    if (message.parts === 1) {
      this.#binds.send([{ message, part: 1, tries: 0 }]);
      return;
    }
    this.#binds.send(Array.from({ length: message.parts }, (_, index) => ({ message, part: index + 1, tries: 0 })));
  }

  async #claimRetries(): Promise<void> {
    const room = this.#room();
    if (this.#claiming || !this.#mayClaim || room <= 0) return;
    this.#claiming = true;
    this.#reserve(room);
    const claim = this.#sendRetries(room);
    this.#intents.add(claim);
    const sent = await claim;
    this.#unreserve(room, sent);
    this.#claiming = false;
    this.#intents.delete(claim);
    this.#pump();
  }

  /** Answers how many segments left. Never rejects. */
  async #sendRetries(room: number): Promise<number> {
    const { reading, link, holder, log } = this.#parts;
    try {
      const segments = await claimRetries(await reading.client(), link.id, room, holder);
      for (const segment of segments) this.#binds.send([segment]);
      return segments.length;
    } catch (error) {
      log.warn({ err: error }, 'what is due again could not be read: trying later');
      return 0;
    }
  }

  async #endDeadRetries(): Promise<void> {
    if (!this.#accepting || performance.now() >= this.#leaseUntil) return;
    const { reading, link, journal, log } = this.#parts;
    try {
      await endDeadRetries(await reading.client(), link.id, journal);
    } catch (error) {
      log.warn({ err: error }, 'retries without hope could not be read: trying later');
    }
  }

  /** No new claims; waits for the intents on their way and the window's answers, then unbinds. */
  async stop(): Promise<void> {
    this.#accepting = false;
    for (const timer of this.#timers) clearInterval(timer);
    clearTimeout(this.#tokenTimer);
    this.#stopListening?.();
    await Promise.allSettled(this.#intents);
    await this.#binds.stop();
  }
}
