import {
  type ApplicationRequest,
  type Bind,
  type Clock,
  type DataSm,
  type MessageFields,
  type Outcome as RequestOutcome,
  type Session,
  type SessionHandler,
  STATUS,
  type SubmitMulti,
  type SubmitSm,
  statusKind,
} from '@heliograph/smpp';
import type { Account, CarrierSession, InFlight } from './account.ts';
import { Accounts } from './accounts.ts';
import { type SimulatorCounts, ZERO } from './counts.ts';
import { DelayedTasks } from './delayed-tasks.ts';
import type { LogFile } from './log-file.ts';
import { AT_FAULT, sendMalformed } from './malformed.ts';
import { Fate, type Outcome, receiptState, ThrottledTries } from './outcome.ts';
import { ReceiptDesk, type Submission } from './receipt-desk.ts';
import { ReceiptQueue } from './receipt-queue.ts';
import { type ReceiptProgress, SegmentLog } from './segment-log.ts';
import type { SimulatorSettings } from './settings.ts';

const EMPTY = new Uint8Array(0);
const EARLY_RECEIPT_MS = 200;
const REDELIVER_MS = 1_000;

/** Values shared by the requests that arrived together. */
interface Turn {
  session: CarrierSession;
  account: Account;
  now: number;
}

/** The simulated carrier: it decides the outcome of every segment and sends the receipts. */
export class Carrier implements SessionHandler<InFlight> {
  readonly counts: SimulatorCounts = { ...ZERO };
  readonly log: SegmentLog;
  readonly accounts = new Accounts();
  settings: SimulatorSettings;
  /** Called after every batch of segments or receipts. */
  onChange: () => void = () => {};
  readonly #quiet: boolean;
  readonly #file: LogFile | undefined;
  readonly #fate: Fate;
  readonly #clock: Clock;
  readonly #queue: ReceiptQueue<Account>;
  readonly #receipts: ReceiptDesk;
  readonly #tries = new ThrottledTries();
  readonly #later: DelayedTasks;
  readonly #random = (): number => this.#fate.random();
  /** True if segments are answered immediately: no delay, no queue limit, no malformed PDUs. */
  #plain = true;

  constructor(
    settings: SimulatorSettings,
    options: { keep: number; quiet: boolean; seed: number; file: LogFile | undefined; clock: Clock },
  ) {
    this.settings = settings;
    this.#quiet = options.quiet;
    this.#file = options.file;
    this.#clock = options.clock;
    this.#later = new DelayedTasks(options.clock);
    this.#queue = new ReceiptQueue<Account>(options.clock, (account, batch) => {
      account.backlog.push(batch);
      this.#pump(account);
    });
    this.#fate = new Fate(settings, options.seed);
    // Ids start at the clock's time, so that a restarted carrier does not give an old id to a new message.
    this.log = new SegmentLog(options.quiet ? 1 : options.keep, options.clock.now() * 1_000);
    this.#receipts = new ReceiptDesk(this.#queue, this.#fate, settings, (seq) => this.log.idOf(seq));
    this.configure(settings);
  }

  configure(settings: SimulatorSettings): void {
    this.settings = settings;
    this.#fate.configure(settings);
    this.#receipts.settings = settings;
    const { response_delay_ms, response_jitter_ms, queue_limit, faults } = settings;
    this.#plain = response_delay_ms + response_jitter_ms + queue_limit + faults.malformed === 0;
    if (!settings.silent) return;
    for (const { sessions } of this.accounts) for (const session of sessions) session.destroy();
  }

  reset(): void {
    Object.assign(this.counts, ZERO);
    this.log.clear();
    this.#queue.clear();
    this.#tries.clear();
    for (const account of this.accounts) {
      account.backlog.length = 0;
      account.open = 0;
    }
  }

  stop(): void {
    this.#queue.stop();
    this.#later.cancelAll();
  }

  /** Sends the given deliver_sm PDUs to a customer without delay. */
  deliverNow(account: Account, pdus: MessageFields[]): void {
    const batch = this.#queue.at(this.#clock.now(), account);
    for (const pdu of pdus) batch.add(pdu, 0);
  }

  onBind(bind: Bind, session: Session<InFlight>): void {
    if (this.settings.silent) return;
    const refusal = this.accounts.refusalOf(bind, this.settings);
    if (refusal === undefined) session.acceptBind('simulator');
    else session.refuseBind(refusal);
  }

  onBound(session: CarrierSession): void {
    this.counts.binds++;
    this.#pump(this.accounts.enter(session));
    this.onChange();
  }

  onClose(_closing: unknown, session: CarrierSession): void {
    this.accounts.of(session)?.sessions.delete(session);
    this.onChange();
  }

  onReady(session: CarrierSession): void {
    const account = this.accounts.of(session);
    if (account !== undefined) this.#pump(account);
  }

  #pump(account: Account): void {
    account.pump((seq) => {
      if (seq === 0) return;
      this.counts.receipts_sent++;
      if (!this.#quiet) this.log.setReceipt(seq, 'sent');
    });
  }

  onRequests(requests: ApplicationRequest[], session: CarrierSession): void {
    const turn: Turn = { session, account: this.accounts.of(session)!, now: this.#clock.now() };
    for (const request of requests) {
      switch (request.command) {
        case 'submit_sm':
        case 'data_sm':
          this.#submit(request, request.destination_addr, turn);
          break;
        case 'submit_multi':
          this.#submitMulti(request, turn);
          break;
        case 'cancel_sm':
          session.respond(request, STATUS.RCANCELFAIL);
          break;
        case 'replace_sm':
          session.respond(request, STATUS.RREPLACEFAIL);
          break;
        default:
          session.respond(request, STATUS.RQUERYFAIL);
      }
    }
    this.#file?.flush();
    this.onChange();
  }

  #submitMulti(request: SubmitMulti, turn: Turn): void {
    let last = 0;
    for (const destination of request.destinations) {
      if (!('destination_addr' in destination)) continue;
      this.counts.submits++;
      last = this.#accept(request, destination.destination_addr, 'delivered', STATUS.ROK, turn);
    }
    if (last > 0) turn.session.respond(request, STATUS.ROK, this.#receipts.responseId(last));
    else turn.session.respond(request, STATUS.RINVDLNAME, '');
  }

  #submit(request: SubmitSm | DataSm, to: string, turn: Turn): void {
    const { session, account, now } = turn;
    this.counts.submits++;
    if (!account.admits(this.settings.rate, now)) {
      this.#refuse(request, to, 'throttled', STATUS.RTHROTTLED, turn);
      return;
    }
    if (this.settings.queue_limit > 0 && account.open >= this.settings.queue_limit) {
      this.#refuse(request, to, 'throttled', STATUS.RMSGQFUL, turn);
      return;
    }
    const outcome = this.#fate.of(to);
    switch (outcome) {
      case 'delivered': {
        const seq = this.#accept(request, to, outcome, STATUS.ROK, turn);
        if (this.#plain) session.respond(request, STATUS.ROK, this.#receipts.responseId(seq));
        else this.#answer(request, seq, session);
        return;
      }
      case 'rejected_at_submit':
        this.#refuse(request, to, outcome, STATUS.RINVDSTADR, turn);
        return;
      case 'throttled':
        if (!this.#tries.refuses(to)) break;
        this.#refuse(request, to, outcome, STATUS.RTHROTTLED, turn);
        return;
      case 'no_response':
        this.counts.unanswered++;
        this.#accept(request, to, outcome, null, turn);
        session.leaveUnanswered();
        return;
      case 'session_dropped':
        this.#accept(request, to, outcome, null, turn);
        // The session ends before waiting writes, so that all answers of this turn are lost.
        queueMicrotask(() => session.destroy());
        return;
    }
    const seq = this.#accept(request, to, outcome === 'throttled' ? 'delivered' : outcome, STATUS.ROK, turn);
    if (outcome === 'late_response') this.#answer(request, seq, session, this.settings.late_response_ms);
    else if (outcome === 'receipt_before_response') this.#answer(request, seq, session, EARLY_RECEIPT_MS);
    else this.#answer(request, seq, session);
  }

  /** Answers after the delay of the settings plus `lateMs` milliseconds. */
  #answer(request: SubmitSm | DataSm, seq: number, session: CarrierSession, lateMs = 0): void {
    const { response_delay_ms, response_jitter_ms, faults } = this.settings;
    const answer = (): void => {
      session.respond(request, STATUS.ROK, this.#receipts.responseId(seq));
      if (faults.malformed > 0 && this.#random() < faults.malformed) sendMalformed(session, this.#random);
    };
    const jitter = response_jitter_ms > 0 ? this.#random() * response_jitter_ms : 0;
    const waitMs = lateMs + response_delay_ms + jitter;
    if (waitMs === 0) answer();
    else this.#later.add(waitMs, answer);
  }

  #refuse(request: SubmitSm | DataSm, to: string, outcome: Outcome, status: number, turn: Turn): void {
    this.counts.refused++;
    if (status === STATUS.RTHROTTLED) this.counts.throttled++;
    this.#record(request, to, outcome, status, 'none', turn);
    turn.session.respond(request, status);
  }

  #accept(request: Submission, to: string, outcome: Outcome, status: 0 | null, turn: Turn): number {
    this.counts.accepted++;
    const wanted = request.registered_delivery & 0x03;
    const state = receiptState(outcome);
    const due = outcome !== 'no_receipt' && (wanted === 1 || (wanted === 2 && state !== 'delivered'));
    const seq = this.#record(request, to, outcome, status, due ? 'waiting' : 'none', turn);
    if (due) {
      turn.account.open++;
      this.#receipts.promise(request, to, outcome, seq, turn.account, turn.now);
    }
    return seq;
  }

  #record(
    request: Submission,
    to: string,
    outcome: Outcome,
    status: number | null,
    receipt: ReceiptProgress,
    { account, now }: Turn,
  ): number {
    if (this.#quiet) return ++this.log.total;
    const short = 'short_message' in request ? request.short_message : EMPTY;
    const content = short.length > 0 ? short : (request.tlvs?.message_payload ?? EMPTY);
    const { source_addr: from, data_coding, esm_class, registered_delivery } = request;
    const { systemId: system_id } = account;
    const seq = this.log.add(
      { system_id, from, to, content, data_coding, esm_class, registered_delivery, outcome, status, receipt },
      now,
    );
    this.#file?.segment(this.log.read(seq)!);
    return seq;
  }

  /** Handles the answers to receipts and replies. Those that were not taken are sent again a second later. */
  onResponses(outcomes: RequestOutcome<InFlight>[], session: CarrierSession): void {
    const account = this.accounts.of(session)!;
    const redeliverAt = this.#clock.now() + REDELIVER_MS;
    for (const { kind, status, context } of outcomes) {
      const seq = context.batch.seqs[context.index]!;
      if (seq === AT_FAULT) continue;
      const kindOfAnswer = kind === 'uncertain' || kind === 'unsent' ? 'retry' : statusKind(status);
      if (kindOfAnswer === 'retry' || kindOfAnswer === 'throttle') {
        this.#queue.at(redeliverAt, account).addFrom(context.batch, context.index);
        continue;
      }
      if (seq === 0) continue;
      // A receipt that is sent twice is also answered twice, so the number of open ones may be 0 already.
      if (account.open > 0) account.open--;
      if (kindOfAnswer !== 'accepted') continue;
      this.counts.receipts_acknowledged++;
      if (!this.#quiet) this.log.setReceipt(seq, 'acknowledged');
      this.#file?.acknowledged(seq, this.log.idOf(seq));
    }
    this.#file?.flush();
    this.#pump(account);
    this.onChange();
  }
}
