import type { HttpMapping } from '@heliograph/contract/links/http-mapping';
import { Backoff, type Outcome } from '@heliograph/smpp';
import type { Logger } from '#platform/log';
import {
  CarrierAgent,
  type CarrierAnswer,
  type CarrierFailure,
  type RunningRequest,
} from '#platform/outbound/carrier-agent';
import type { CarrierConfig } from '#platform/outbound/outbound';
import type { Segment } from '../segment.ts';
import type { CarrierSessions, SessionsHandler } from '../sending/carrier-sessions.ts';
import { tlsOptions } from '../sending/connection-options.ts';
import { type Link, networkOf } from '../sending/link.ts';
import type { LinkReport } from '../sending/link-report.ts';
import { Rewriting } from '../sending/rewriting.ts';
import type { CallbackFeed } from './callback-feed.ts';
import { outcomeOf, outcomesOf } from './outcomes-of.ts';
import { Poller } from './poller.ts';
import { AnswerReader, retryAfterMs } from './read-answer.ts';
import { type CallbackAddresses, RequestForm } from './request-form.ts';

const SECOND = 1_000;
/** Time for which a request without an answer is still listened to: a late answer resolves its messages. */
const LATE_MS = 300_000;
const DRAIN_MS = 3_000;

export interface HttpSessionsParts {
  link: Link & { http: HttpMapping };
  /** Undefined if it cannot be opened with this server's key: nothing is sent then. */
  password: string | undefined;
  addresses: CallbackAddresses;
  feed: CallbackFeed;
  config: CarrierConfig;
  handler: SessionsHandler;
  report: LinkReport;
  log: Logger;
}

/** A request under way. */
interface Running {
  segments: readonly Segment[];
  request: RunningRequest;
  timer: NodeJS.Timeout;
  sentAt: number;
  /** True once its messages were reported as uncertain. */
  late: boolean;
}

/** Parallel requests of one link over HTTP. It counts as up while the carrier takes connections. */
export class HttpSessions implements CarrierSessions {
  readonly #parts: HttpSessionsParts;
  readonly #form: RequestForm;
  readonly #answers: AnswerReader;
  readonly #agent: CarrierAgent;
  readonly #poller: Poller | undefined;
  readonly #backoff = new Backoff({});
  readonly #running = new Set<Running>();
  /** Requests whose answers are overdue, oldest first. */
  readonly #late = new Set<Running>();
  #backlog: Segment[] = [];
  #flushing = false;
  #upSince: number | undefined;
  #stopped = false;
  #probe: NodeJS.Timeout | undefined;
  #told = false;

  constructor(parts: HttpSessionsParts) {
    this.#parts = parts;
    const { link, password, addresses, report, config } = parts;
    this.#form = new RequestForm(link.http, password ?? '', addresses, Rewriting.of(link, networkOf));
    this.#answers = new AnswerReader(link.http);
    const tls = tlsOptions({ ...link, tls: true });
    const { servername: _named, ...trust } = tls ?? {};
    this.#agent = new CarrierAgent(link.http.url, { trust, connectMs: link.bind_seconds * SECOND, config });
    this.#poller =
      link.http.poll_receipts === '' && link.http.poll_replies === ''
        ? undefined
        : new Poller({ ...parts, form: this.#form, trust });
    report.wanted = password === undefined ? 0 : 1;
  }

  start(): void {
    this.look();
    if (this.#parts.password === undefined) return;
    void this.#reach();
    this.#poller?.start(() => this.look());
  }

  look(): void {
    const { handler, feed } = this.#parts;
    void feed.look((requests, bringer, frames) => handler.onRequests(requests, bringer, frames));
  }

  /** Tries to connect, and again at intervals: soon while the carrier is away, rarely while it is there. */
  async #reach(): Promise<void> {
    if (this.#stopped) return;
    clearTimeout(this.#probe);
    try {
      await this.#agent.reach();
      this.#up();
      this.#reachIn(this.#parts.link.enquire_link_seconds * SECOND);
    } catch (error) {
      this.#down(error as Error);
    }
  }

  #reachIn(milliseconds: number): void {
    clearTimeout(this.#probe);
    if (!this.#stopped) this.#probe = setTimeout(() => void this.#reach(), milliseconds);
  }

  #up(): void {
    if (this.#upSince !== undefined || this.#stopped) return;
    const { report, handler, log } = this.#parts;
    this.#upSince = performance.now();
    this.#told = false;
    report.bound(true);
    log.info({}, 'carrier takes connections');
    handler.onRoom();
  }

  #down(error: Error): void {
    const { report, handler, log } = this.#parts;
    const up = this.#upSince;
    this.#upSince = undefined;
    if (up !== undefined) report.unbound(true);
    const retryInMs = this.#backoff.next(up === undefined ? undefined : performance.now() - up);
    const { code } = error as NodeJS.ErrnoException;
    report.closed({ reason: 'connect_failed', error }, retryInMs);
    // A carrier that is away is tried again and again; it is logged only once.
    if (!this.#told) log.warn({ ...(code && { code }), retryInMs }, 'carrier does not take connections; retrying');
    this.#told = true;
    this.#reachIn(retryInMs);
    const backlog = this.#backlog.splice(0);
    if (backlog.length > 0) handler.onUnsent(backlog);
  }

  get isUp(): boolean {
    return this.#upSince !== undefined && !this.#stopped;
  }

  get free(): number {
    if (!this.isUp) return 0;
    const { window_size, http } = this.#parts.link;
    return Math.max(0, (window_size - this.#running.size) * http.recipients - this.#backlog.length);
  }

  get inFlight(): number {
    let open = this.#backlog.length;
    for (const { segments } of this.#running) open += segments.length;
    return open;
  }

  send(segments: readonly Segment[]): void {
    if (!this.isUp || !this.#parts.handler.maySend()) {
      this.#parts.handler.onUnsent(segments);
      return;
    }
    this.#backlog.push(...segments);
    if (this.#flushing) return;
    this.#flushing = true;
    // Messages that leave in the same turn share requests.
    queueMicrotask(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    const { link, handler } = this.#parts;
    while (this.#backlog.length > 0 && this.#running.size < link.window_size) {
      if (!this.isUp || !handler.maySend()) {
        handler.onUnsent(this.#backlog.splice(0));
        return;
      }
      this.#submit(this.#backlog.splice(0, this.#form.fitting(this.#backlog)));
    }
  }

  #submit(segments: readonly Segment[]): void {
    const { handler, report, link } = this.#parts;
    let request: ReturnType<RequestForm['of']>;
    try {
      request = this.#form.of(segments, Date.now());
    } catch (error) {
      if (segments.length === 1) handler.onUnfit(segments[0]!, error as Error);
      else for (const segment of segments) this.#submit([segment]);
      return;
    }
    report.count('submitted', segments.length);
    const running: Running = {
      segments,
      request: this.#agent.send(request, {
        onAnswer: (answer) => this.#answered(running, answer),
        onFailure: (failure) => this.#failed(running, failure),
      }),
      timer: setTimeout(() => this.#overdue(running), link.response_seconds * SECOND),
      sentAt: performance.now(),
      late: false,
    };
    this.#running.add(running);
  }

  #answered(running: Running, { status, body, retry_after }: CarrierAnswer): void {
    this.#end(running);
    const took = performance.now() - running.sentAt;
    const { segments, late } = running;
    const { handler, log, link } = this.#parts;
    const answers = this.#answers.read(
      status,
      body,
      segments.map((segment) => this.#form.numberOf(segment)),
    );
    const outcomes = outcomesOf(answers, segments, { own: link.http.id === '', late, took });
    if (answers.some(({ means }) => means !== 'accepted'))
      log.info(
        { status, means: [...new Set(answers.map(({ means }) => means))] },
        'carrier did not accept all messages',
      );
    this.#up();
    this.#tell(outcomes);
    const pause = answers.some(({ means }) => means === 'throttled' || means === 'temporary')
      ? retryAfterMs(retry_after, Date.now())
      : 0;
    if (pause > 0) handler.onPause(pause);
  }

  #failed(running: Running, { left, error }: CarrierFailure): void {
    this.#end(running);
    if (running.late) return;
    this.#tell(running.segments.map((segment) => outcomeOf(left ? 'uncertain' : 'unsent', segment)));
    if (left) void this.#reach();
    else this.#down(error);
  }

  /** Gives up the answer of a request: its messages stay uncertain unless it still comes. */
  #overdue(running: Running): void {
    this.#running.delete(running);
    running.late = true;
    running.timer = setTimeout(() => this.#drop(running), LATE_MS);
    running.timer.unref();
    this.#late.add(running);
    const [oldest] = this.#late;
    if (oldest && this.#late.size > this.#parts.link.window_size) this.#drop(oldest);
    this.#tell(running.segments.map((segment) => outcomeOf('uncertain', segment)));
  }

  #drop(running: Running): void {
    this.#end(running);
    running.request.drop();
  }

  #end(running: Running): void {
    clearTimeout(running.timer);
    this.#running.delete(running);
    this.#late.delete(running);
  }

  #tell(outcomes: readonly Outcome<Segment>[]): void {
    const { handler, report } = this.#parts;
    if (outcomes.length > 0) {
      report.responses(outcomes);
      handler.onResponses(outcomes);
    }
    this.#flush();
    handler.onRoom();
  }

  async stop(): Promise<void> {
    const until = performance.now() + DRAIN_MS;
    const backlog = this.#backlog.splice(0);
    if (backlog.length > 0) this.#parts.handler.onUnsent(backlog);
    while (this.#running.size > 0 && performance.now() < until) await new Promise((wait) => setTimeout(wait, 20));
    this.#stopped = true;
    clearTimeout(this.#probe);
    await this.#poller?.stop();
    for (const running of [...this.#running]) {
      this.#drop(running);
      this.#tell(running.segments.map((segment) => outcomeOf('uncertain', segment)));
    }
    for (const running of [...this.#late]) this.#drop(running);
    await this.#parts.feed.end();
    await this.#agent.close();
  }
}
