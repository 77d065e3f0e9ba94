import {
  type ApplicationRequest,
  type Bind,
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
import { Account, type InFlight } from './account.ts';
import { type SimulatorCounts, ZERO } from './counts.ts';
import type { LogFile } from './log-file.ts';
import { Fate, type Outcome, receiptState } from './outcome.ts';
import { ReceiptDesk, type Submission } from './receipt-desk.ts';
import { ReceiptQueue } from './receipt-queue.ts';
import { type ReceiptProgress, SegmentLog } from './segment-log.ts';
import type { SimulatorSettings } from './settings.ts';
import { ThrottledTries } from './throttled-tries.ts';

const EMPTY = new Uint8Array(0);
const EARLY_RECEIPT_MS = 200;
const REDELIVER_MS = 1_000;

/** The simulated carrier: what happens to every segment, and the receipts that come back. */
export class Carrier implements SessionHandler<InFlight> {
  readonly counts: SimulatorCounts = { ...ZERO };
  readonly log: SegmentLog;
  settings: SimulatorSettings;
  /** Called after every batch of segments or receipts. */
  onChange: () => void = () => {};
  readonly #quiet: boolean;
  readonly #file: LogFile | undefined;
  readonly #fate: Fate;
  readonly #accounts = new Map<string, Account>();
  readonly #of = new WeakMap<Session<InFlight>, Account>();
  readonly #queue = new ReceiptQueue<Account>((account, batch) => {
    account.backlog.push(batch);
    this.#pump(account);
  });
  readonly #receipts: ReceiptDesk;
  readonly #tries = new ThrottledTries();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    settings: SimulatorSettings,
    options: { keep: number; quiet: boolean; seed: number; file: LogFile | undefined },
  ) {
    this.settings = settings;
    this.#quiet = options.quiet;
    this.#file = options.file;
    this.#fate = new Fate(settings, options.seed);
    // Ids start where the clock is, so that a restarted carrier does not give an old id to a new message.
    this.log = new SegmentLog(options.quiet ? 1 : options.keep, Date.now() * 1_000);
    this.#receipts = new ReceiptDesk(this.#queue, this.#fate, settings, (seq) => this.log.idOf(seq));
  }

  configure(settings: SimulatorSettings): void {
    this.settings = settings;
    this.#fate.configure(settings);
    this.#receipts.settings = settings;
  }

  reset(): void {
    Object.assign(this.counts, ZERO);
    this.log.clear();
    this.#queue.clear();
    this.#tries.clear();
    for (const account of this.#accounts.values()) account.backlog.length = 0;
  }

  stop(): void {
    this.#queue.stop();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** The customer to whom a reply goes: the named one, or any with a bound receiver. */
  receiver(systemId: string | undefined): Account | undefined {
    if (systemId !== undefined) {
      const account = this.#accounts.get(systemId);
      return account?.hasReceiver ? account : undefined;
    }
    for (const account of this.#accounts.values()) if (account.hasReceiver) return account;
    return undefined;
  }

  /** Sends deliver_sm PDUs of one's own to a customer, at once. */
  deliverNow(account: Account, pdus: MessageFields[]): void {
    const batch = this.#queue.at(Date.now(), account);
    for (const pdu of pdus) batch.add(pdu, 0);
  }

  onBind(bind: Bind, session: Session<InFlight>): void {
    const { accounts } = this.settings;
    const open = Object.keys(accounts).length === 0;
    if (!open && !Object.hasOwn(accounts, bind.system_id)) session.refuseBind(STATUS.RINVSYSID);
    else if (!open && accounts[bind.system_id] !== bind.password) session.refuseBind(STATUS.RINVPASWD);
    else session.acceptBind('simulator');
  }

  onBound(session: Session<InFlight>): void {
    this.counts.binds++;
    let account = this.#accounts.get(session.systemId);
    if (account === undefined) {
      account = new Account(session.systemId);
      this.#accounts.set(session.systemId, account);
    }
    account.sessions.add(session);
    this.#of.set(session, account);
    this.#pump(account);
    this.onChange();
  }

  onClose(_closing: unknown, session: Session<InFlight>): void {
    this.#of.get(session)?.sessions.delete(session);
    this.onChange();
  }

  onReady(session: Session<InFlight>): void {
    const account = this.#of.get(session);
    if (account !== undefined) this.#pump(account);
  }

  #pump(account: Account): void {
    account.pump((seq) => {
      if (seq === 0) return;
      this.counts.receipts_sent++;
      if (!this.#quiet) this.log.setReceipt(seq, 'sent');
    });
  }

  onRequests(requests: ApplicationRequest[], session: Session<InFlight>): void {
    const account = this.#of.get(session)!;
    const now = Date.now();
    for (const request of requests) {
      switch (request.command) {
        case 'submit_sm':
        case 'data_sm':
          this.#submit(request, request.destination_addr, session, account, now);
          break;
        case 'submit_multi':
          this.#submitMulti(request, session, account, now);
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
    this.onChange();
  }

  #submitMulti(request: SubmitMulti, session: Session<InFlight>, account: Account, now: number): void {
    let last = 0;
    for (const destination of request.destinations) {
      if (!('destination_addr' in destination)) continue;
      this.counts.submits++;
      last = this.#accept(request, destination.destination_addr, 'delivered', STATUS.ROK, account, now);
    }
    session.respond(
      request,
      last > 0 ? STATUS.ROK : STATUS.RINVDLNAME,
      last > 0 ? this.#receipts.responseId(last) : '',
    );
  }

  #submit(request: SubmitSm | DataSm, to: string, session: Session<InFlight>, account: Account, now: number): void {
    this.counts.submits++;
    if (!account.admits(this.settings.rate, now)) {
      this.#refuse(request, to, 'throttled', STATUS.RTHROTTLED, session, account, now);
      return;
    }
    const outcome = this.#fate.of(to);
    switch (outcome) {
      case 'delivered': {
        const seq = this.#accept(request, to, outcome, STATUS.ROK, account, now);
        session.respond(request, STATUS.ROK, this.#receipts.responseId(seq));
        return;
      }
      case 'rejected_at_submit':
        this.#refuse(request, to, outcome, STATUS.RINVDSTADR, session, account, now);
        return;
      case 'throttled':
        if (!this.#tries.refuses(to)) break;
        this.#refuse(request, to, outcome, STATUS.RTHROTTLED, session, account, now);
        return;
      case 'no_response':
        this.counts.unanswered++;
        this.#accept(request, to, outcome, null, account, now);
        session.leaveUnanswered();
        return;
    }
    const seq = this.#accept(request, to, outcome === 'throttled' ? 'delivered' : outcome, STATUS.ROK, account, now);
    const answer = (): boolean => session.respond(request, STATUS.ROK, this.#receipts.responseId(seq));
    if (outcome === 'late_response') this.#later(this.settings.late_response_ms, answer);
    else if (outcome === 'receipt_before_response') this.#later(EARLY_RECEIPT_MS, answer);
    else answer();
  }

  #later(milliseconds: number, task: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      task();
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
  }

  #refuse(
    request: SubmitSm | DataSm,
    to: string,
    outcome: Outcome,
    status: number,
    session: Session<InFlight>,
    account: Account,
    now: number,
  ): void {
    this.counts.refused++;
    if (status === STATUS.RTHROTTLED) this.counts.throttled++;
    this.#record(request, to, outcome, status, 'none', account, now);
    session.respond(request, status);
  }

  #accept(request: Submission, to: string, outcome: Outcome, status: 0 | null, account: Account, now: number): number {
    this.counts.accepted++;
    const wanted = request.registered_delivery & 0x03;
    const state = receiptState(outcome);
    const due = outcome !== 'no_receipt' && (wanted === 1 || (wanted === 2 && state !== 'delivered'));
    const seq = this.#record(request, to, outcome, status, due ? 'waiting' : 'none', account, now);
    if (due) this.#receipts.promise(request, to, outcome, seq, account, now);
    return seq;
  }

  #record(
    request: Submission,
    to: string,
    outcome: Outcome,
    status: number | null,
    receipt: ReceiptProgress,
    account: Account,
    now: number,
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

  /** Answers to receipts and replies: what was not taken is sent again a second later. */
  onResponses(outcomes: RequestOutcome<InFlight>[], session: Session<InFlight>): void {
    const account = this.#of.get(session)!;
    const redeliverAt = Date.now() + REDELIVER_MS;
    for (const { kind, status, context } of outcomes) {
      const seq = context.batch.seqs[context.index]!;
      const kindOfAnswer = kind === 'uncertain' || kind === 'unsent' ? 'retry' : statusKind(status);
      if (kindOfAnswer === 'retry' || kindOfAnswer === 'throttle') {
        this.#queue.at(redeliverAt, account).addFrom(context.batch, context.index);
        continue;
      }
      if (kindOfAnswer !== 'accepted' || seq === 0) continue;
      this.counts.receipts_acknowledged++;
      if (!this.#quiet) this.log.setReceipt(seq, 'acknowledged');
      this.#file?.acknowledged(seq, this.log.idOf(seq));
    }
    this.#pump(account);
    this.onChange();
  }
}
