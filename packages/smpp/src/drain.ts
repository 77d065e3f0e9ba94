import type { Clock, CloseReason } from './session-options.ts';

/** Callbacks to the session that the drain ends. */
interface DrainSide {
  /** Requests of the peer that are not answered yet. */
  owed(): number;
  /** Requests of this side that are not answered yet. */
  inFlight(): number;
  sendUnbind(): void;
  answerUnbind(sequence: number): void;
  close(reason: CloseReason): void;
}

/**
 * Orderly end of a session (§2.2). Whichever side begins it, owed answers are given first. Every wait is bounded; waits
 * for the peer's own end are bounded by the response timer.
 */
export class Drain {
  readonly #side: DrainSide;
  readonly #clock: Clock;
  readonly #drainMs: number;
  readonly #responseMs: number;
  #begun = false;
  #hasSentUnbind = false;
  #isAnswered = false;
  /** Sequence number of the unbind that the peer sent. */
  #peerUnbind: number | undefined;
  #isHalfClosed = false;
  #cancel: (() => void) | undefined;

  constructor(side: DrainSide, options: { clock: Clock; drainMs: number; responseMs: number }) {
    this.#side = side;
    this.#clock = options.clock;
    this.#drainMs = options.drainMs;
    this.#responseMs = options.responseMs;
  }

  /** Whether the peer has announced that it sends no more requests. */
  get isPeerDone(): boolean {
    return this.#peerUnbind !== undefined || this.#isHalfClosed;
  }

  /** Reason reported if the connection is lost now. */
  get reason(): CloseReason {
    if (this.#hasSentUnbind) return 'unbound';
    return this.#peerUnbind === undefined ? 'peer_closed' : 'peer_unbound';
  }

  /** Begins the unbind by this side: after drainMs at the latest, whatever is still open. */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#within(this.#drainMs, () => (this.isPeerDone ? this.#finish() : this.#unbind()));
    this.check();
  }

  /** Notes the peer's unbind. */
  peerUnbinds(sequence: number): void {
    if (this.#peerUnbind !== undefined) {
      this.#side.answerUnbind(sequence);
      return;
    }
    this.#peerUnbind = sequence;
    if (!this.#begun) this.#within(this.#responseMs, () => this.#finish());
  }

  /** Notes the peer's answer to unbind. */
  peerAnswers(): void {
    if (!this.#hasSentUnbind) return;
    this.#isAnswered = true;
    this.check();
  }

  /** Notes that the peer sends nothing more, though it may still read. */
  halfClosed(): void {
    this.#isHalfClosed = true;
    if (!this.#begun && this.#peerUnbind === undefined) this.#within(this.#responseMs, () => this.#finish());
    this.check();
  }

  /** Continues the end once nothing is open. */
  check(): void {
    if (!(this.#begun || this.isPeerDone) || this.#side.owed() > 0) return;
    if (this.#isAnswered || this.#isHalfClosed) this.#finish();
    else if (this.#side.inFlight() > 0) return;
    else if (this.#peerUnbind !== undefined) this.#finish();
    else this.#unbind();
  }

  #unbind(): void {
    if (this.#hasSentUnbind) return;
    this.#hasSentUnbind = true;
    this.#side.sendUnbind();
    this.#within(Math.min(this.#responseMs, this.#drainMs), () => this.#finish());
  }

  #finish(): void {
    const { reason } = this;
    if (this.#peerUnbind !== undefined) this.#side.answerUnbind(this.#peerUnbind);
    this.#side.close(reason);
  }

  #within(milliseconds: number, then: () => void): void {
    this.stop();
    this.#cancel = this.#clock.schedule(milliseconds, then);
  }

  stop(): void {
    this.#cancel?.();
  }
}
