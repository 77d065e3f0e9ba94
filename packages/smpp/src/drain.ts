import type { Socket } from 'node:net';
import type { Clock, CloseReason } from './session-options.ts';

/** Callbacks to the session that the drain ends. */
interface DrainSide {
  /** Whether the session is bound or draining. */
  isOpen(): boolean;
  /** Requests of the peer that are not answered yet. */
  owed(): number;
  /** Requests of this side that are not answered yet. */
  inFlight(): number;
  sendUnbind(): void;
  answerUnbind(sequence: number): void;
  /** Called when the peer ends the session: no request can be sent any more. */
  ending(): void;
  /** Gives up the requests of this side, which will get no answer. */
  giveUp(): void;
  /** Closes a session that has lost its connection. */
  lost(): void;
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

  /** Takes the peer's unbind: the session ends once both sides have the answers they are owed. */
  peerUnbinds(sequence: number): void {
    if (!this.#side.isOpen()) {
      this.#side.answerUnbind(sequence);
      this.#side.close('peer_unbound');
      return;
    }
    if (this.#peerUnbind !== undefined) {
      this.#side.answerUnbind(sequence);
      return;
    }
    this.#peerUnbind = sequence;
    if (!this.#begun) this.#within(this.#responseMs, () => this.#finish());
    this.#side.ending();
  }

  /** Notes the peer's answer to unbind. */
  peerAnswers(): void {
    if (!this.#hasSentUnbind) return;
    this.#isAnswered = true;
    this.check();
  }

  /** Takes the peer's end of sending: its requests are still answered, and its missing answers will never come. */
  peerEnds(): void {
    if (!this.#side.isOpen() || (this.#side.owed() === 0 && !this.isPeerDone)) {
      this.#side.lost();
      return;
    }
    this.#side.ending();
    this.#side.giveUp();
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

  /** Closes the socket once its last octets are written, or after drainMs if the peer does not take them. */
  endSocket(socket: Socket): void {
    const cancel = this.#clock.schedule(this.#drainMs, () => socket.destroy());
    socket.once('close', cancel);
    socket.destroySoon();
  }
}
