import type { MessageClass } from '#platform/database/schema';
import type { Repeated } from '#platform/jobs/repeat';
import { repeatWhileWork, type WorkWatch } from '#platform/jobs/work-watch';
import type { Logger } from '#platform/log';
import { traced } from '#platform/operate/tracing';
import type { CarrierConfig } from '#platform/outbound/outbound';
import type { KeyConfig } from '#platform/text/text-keys';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';
import type { PostgresSession } from '../postgres-session.ts';
import type { AccountIds } from './account-ids.ts';
import { Answers } from './answers.ts';
import type { CarrierSessions } from './carrier-sessions.ts';
import { ChunkSource, type Slice } from './chunk-source.ts';
import { Inbound, type TakeInbound } from './inbound.ts';
import { type IdRule, type Link, networkOf } from './link.ts';
import { type HeldState, LinkHealth } from './link-health.ts';
import type { LinkMinutes } from './link-minutes.ts';
import { LinkRates, STEADY } from './link-rates.ts';
import { type LinkLive, LinkReport, type LiveState } from './link-report.ts';
import type { LinkTests } from './link-tests.ts';
import { URGENCY, type Urgency } from './message-class.ts';
import { type HttpParts, openSessions, windowOf } from './open-sessions.ts';
import type { OptOuts } from './opt-outs.ts';
import { rekeyReceipts } from './rekey-receipts.ts';
import { Resends } from './resends.ts';
import { RetrySender } from './retry-sender.ts';
import { partsIn, SliceSender } from './slice-sender.ts';
import { SubmitFields } from './submit-fields.ts';
import type { Throughput } from './throughput.ts';
import { WindowBudget } from './window-budget.ts';

/** Maximum simultaneous intents: the next is prepared while one commits. One more is for urgent messages. */
const INTENTS_AHEAD = 2;
const POLL_MS = 500;
const RETRY_POLL_MS = 250;
const DEAD_RETRIES_MS = 1_000;

export interface LinkSenderParts {
  link: Link;
  /** Undefined if it cannot be opened with this server's key. */
  password: string | undefined;
  config: CarrierConfig & KeyConfig;
  /** Name of this process in the lanes. */
  holder: string;
  /** Session that finds chunks, and that urgent messages have for themselves. */
  reading: PostgresSession;
  /** Session in which bulk is read and its intents are committed. */
  intents: PostgresSession;
  writer: OutcomeWriter;
  /** Limits of corporations and sender IDs, over all links of this process. */
  throughput: Throughput;
  optOuts: OptOuts;
  /** Lets looks for messages rest while none waits; without it they never do. */
  watch?: WorkWatch;
  http: HttpParts;
  log: Logger;
  /** Called with the ids of campaigns with changed figures. */
  onProgress: (campaigns: readonly number[]) => void;
  tests: LinkTests | undefined;
  /** Awaited receipts of the link's account. */
  ids: AccountIds;
  takeInbound: TakeInbound;
  /** Called when `receipts` receipts have shown the link's id rule. */
  onIdRule: (rule: IdRule, receipts: number) => void;
}

/** Feeds the sessions of one link with waiting messages, while this process holds the link's lanes. */
export class LinkSender {
  readonly #parts: LinkSenderParts;
  readonly #source: ChunkSource;
  readonly #sessions: CarrierSessions;
  readonly #rates: LinkRates;
  readonly #budget: WindowBudget;
  readonly #health = new LinkHealth();
  readonly #answers: Answers;
  readonly #resends: Resends;
  readonly #slices: SliceSender;
  readonly #retries: RetrySender;
  readonly #loops: Repeated[] = [];
  readonly #intents = new Set<Promise<unknown>>();
  /** Time from which nothing may leave any more, not even committed messages (performance.now()). */
  #leaseUntil = 0;
  #stopListening: (() => void) | undefined;
  #accepting = true;
  #recovered = false;
  readonly #fields: SubmitFields;
  readonly #inbound: Inbound;
  /** Counters and faults of the link. */
  readonly report = new LinkReport();

  constructor(parts: LinkSenderParts) {
    this.#parts = parts;
    const { link, writer, log } = parts;
    this.#rates = new LinkRates(link.rate);
    this.#inbound = new Inbound(link, parts.ids, writer, parts.takeInbound, this.report, (rule, receipts) => {
      parts.onIdRule(rule, receipts);
      void this.#rekey(rule);
    });
    this.#inbound.tests = parts.tests;
    this.#resends = new Resends(link, parts.reading, log, (segment, status) => this.#answers.refused(segment, status));
    const rates = link.virtual ? STEADY : this.#rates;
    this.#answers = new Answers(link.id, writer, this.#inbound, rates, this.#resends, log);
    this.#source = new ChunkSource(
      link.id,
      parts.throughput,
      () => parts.reading.client(),
      () => parts.intents.client(),
      parts.config,
      () => this.#pump(),
      (error) => log.warn({ err: error }, 'could not read waiting messages; retrying'),
    );
    this.#fields = new SubmitFields(link, networkOf);
    this.#sessions = openSessions(
      parts,
      this.#fields,
      {
        maySend: () => performance.now() < this.#leaseUntil,
        onRoom: () => this.#pump(),
        onResponses: (outcomes) => {
          if (!link.virtual) this.#health.take(outcomes);
          this.#budget.answered(outcomes);
          this.#answers.take(outcomes);
        },
        onUnsent: (segments) => this.#answers.unsent(segments),
        onUnfit: (segment, error) => this.#answers.unfit(segment, error),
        onRequests: (requests, bringer, frames) => this.#inbound.receive(requests, bringer, frames),
        onPause: (milliseconds) => this.#rates.pause(milliseconds),
      },
      this.report,
    );
    this.#budget = new WindowBudget(windowOf(link), this.#sessions, this.#rates, writer, () => this.#pump());
    this.#slices = new SliceSender({
      ...parts,
      source: this.#source,
      budget: this.#budget,
      fields: this.#fields,
      sessions: this.#sessions,
      answers: this.#answers,
    });
    this.#retries = new RetrySender({
      ...parts,
      dueAt: this.#answers.dueAgainAt,
      budget: this.#budget,
      fields: this.#fields,
      sessions: this.#sessions,
      answers: this.#answers,
    });
  }

  start(): void {
    this.#stopListening = this.#parts.writer.onRecorded(() => this.#pump());
    // Messages of earlier senders must be noted before this one hands over any.
    void this.#resends.recover().then(() => {
      this.#recovered = true;
      this.#pump();
    });
    this.#sessions.start();
    this.wake();
    this.#every(POLL_MS, () => this.wake());
    this.#every(RETRY_POLL_MS, () => {
      this.#retries.lookAgain();
      this.#pump();
    });
    this.#every(DEAD_RETRIES_MS, () => {
      if (this.#accepting && performance.now() < this.#leaseUntil) return this.#retries.endDead();
    });
  }

  #every(milliseconds: number, work: () => Promise<void> | void): void {
    const { watch, log } = this.#parts;
    const failed = (error: unknown) => log.error({ err: error }, 'could not look for messages; retrying');
    this.#loops.push(repeatWhileWork(watch, milliseconds, async () => work(), failed));
  }

  /** Sets the fences under which the lanes are ours until `until` (performance.now()). */
  lease(fences: ReadonlyMap<MessageClass, number>, until: number): void {
    this.#slices.fences = fences;
    this.#leaseUntil = until;
  }

  /** Looks for messages to send, and for what callbacks brought. */
  wake(): void {
    this.#sessions.look();
    if (this.#accepting) void this.#source.refresh();
    this.#pump();
  }

  /** Answers the state of the link for routing. */
  observe(): HeldState {
    return this.#health.observe(this.#accepting && this.#sessions.isUp, this.#rates.rate, this.#parts.link.rate);
  }

  get #mayClaim(): boolean {
    return (
      this.#accepting &&
      this.#recovered &&
      performance.now() < this.#leaseUntil &&
      !this.#parts.writer.full &&
      this.#sessions.isUp
    );
  }

  #pump(): void {
    while (this.#intents.size <= INTENTS_AHEAD && this.#mayClaim) {
      const free = this.#budget.free;
      if (free <= 0) {
        this.#budget.waitForTokens();
        return;
      }
      // Bulk retries go before new bulk, or a busy link would never send them; urgent messages pass both.
      const claim = this.#retries.begin(() => this.#source.hasUrgent);
      if (claim) {
        this.#track(claim);
        continue;
      }
      const bulk = this.#intents.size < INTENTS_AHEAD && !this.#retries.isBulkDue ? this.#budget.freeForBulk : 0;
      const worthwhile = bulk > 0 && this.#budget.isWorthwhile(bulk);
      if (!worthwhile && !this.#source.hasUrgent) {
        if (bulk === 0) this.#budget.waitForTokens();
        return;
      }
      const slices = this.#source.take(free, worthwhile ? bulk : 0);
      if (slices.length === 0) return;
      this.#retries.passedBy(slices);
      // Urgent messages have an intent of their own, which waits for no bulk.
      const parted = Object.groupBy(slices, ({ chunk }) => URGENCY[chunk.class]);
      if (parted.urgent) this.#handOver(parted.urgent, 'urgent');
      if (parted.bulk) this.#handOver(parted.bulk, 'bulk');
    }
  }

  #handOver(slices: readonly Slice[], urgency: Urgency): void {
    const parts = partsIn(slices);
    const reservation = this.#budget.reserve(parts, urgency === 'urgent' ? parts : 0);
    const span = { attributes: { link: this.#parts.link.name, segments: parts } };
    this.#track(traced('hand over', span, () => this.#slices.handOver(slices, urgency, reservation)));
  }

  /** Tracks running work, and looks for more when it ends. */
  #track(work: Promise<void>): void {
    const intent = work.finally(() => {
      this.#intents.delete(intent);
      this.#pump();
    });
    this.#intents.add(intent);
  }

  async #rekey(rule: IdRule): Promise<void> {
    const { reading, link, log } = this.#parts;
    log.info({ rule }, 'ID rule learned from receipts');
    try {
      await rekeyReceipts(await reading.client(), link.id, rule);
    } catch (error) {
      log.warn({ err: error }, 'could not match earlier receipts with learned ID rule');
    }
  }

  /** Counts of the link by minute. */
  get minutes(): LinkMinutes {
    return this.report.minutes;
  }

  /** State and figures of the link for screens. */
  get told(): { state: LiveState; live: LinkLive; carried: boolean } {
    const { report } = this;
    const live = report.live(this.#sessions.inFlight, this.#inbound.receiptIds.learning);
    return { state: this.#accepting ? report.state : 'draining', live, carried: report.carried };
  }

  /** Stops new messages from now on; `isDrained` becomes true when every answer in the window has come. */
  drain(): void {
    this.#accepting = false;
  }

  /** Number of segments without an answer that were or will soon be handed over. */
  get inFlight(): number {
    return this.#sessions.inFlight;
  }

  get isDrained(): boolean {
    return !this.#accepting && this.#intents.size === 0 && this.#sessions.inFlight === 0;
  }

  /** Ends new claims, waits for running intents and the window's answers, then unbinds. */
  async stop(): Promise<void> {
    this.#accepting = false;
    for (const loop of this.#loops) void loop.stop();
    this.#budget.stop();
    this.#stopListening?.();
    await Promise.allSettled(this.#intents);
    await this.#sessions.stop();
    await this.#resends.stop();
    this.#parts.ids.end();
  }
}
