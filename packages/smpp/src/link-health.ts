import type { CloseReason, SessionOptions } from './session-options.ts';

/** Octets that the peer may leave unread before it counts as dead. */
const MAX_UNREAD = 16 * 1_048_576;

/** Number of response timers for which a peer may take nothing of the waiting octets. */
const PATIENCE = 2;

/** Maximum late ticks in a row that are skipped; a machine that is always late must still judge. */
const MOST_LATE = 3;

interface Link {
  /** Whether connect and bind are not finished. */
  connecting(): boolean;
  /** Whether this side has paused reading, so that silence proves nothing. */
  paused(): boolean;
  /** Octets that the peer has not taken. */
  unread(): number;
  /** Number of writes that the peer has taken. */
  taken(): number;
  enquire(): void;
  /** Gives up requests sent before the deadline; answers their number. */
  expire(deadline: number): number;
  close(reason: CloseReason): void;
}

/** All timers of one session (§7.2), driven by one coarse tick. Only received octets count as a sign of life. */
export class LinkHealth {
  readonly #options: Required<SessionOptions>;
  readonly #link: Link;
  readonly #tickMs: number;
  readonly #openedAt: number;
  #lastHeard: number;
  #lastRequest: number;
  #enquiredAt = 0;
  #tickedAt: number;
  #lateInRow = 0;
  #partialSince = 0;
  #taken = 0;
  #takenAt: number;
  #lostInRow = 0;
  #cancel: () => void;

  constructor(options: Required<SessionOptions>, link: Link) {
    this.#options = options;
    this.#link = link;
    const timers = [options.responseMs, options.enquireLinkMs, options.bindMs, options.inactivityMs].filter(
      (ms) => ms > 0,
    );
    this.#tickMs = Math.min(1_000, Math.max(10, Math.min(...timers) / 8));
    this.#openedAt = options.clock.now();
    this.#lastHeard = this.#openedAt;
    this.#lastRequest = this.#openedAt;
    this.#takenAt = this.#openedAt;
    this.#tickedAt = this.#openedAt;
    this.#cancel = options.clock.schedule(this.#tickMs, this.#tick);
  }

  /** Notes received octets: they completed `finished` PDUs, and `pending` octets of another wait for the rest. */
  heard(finished: number, pending: number): void {
    const now = this.#options.clock.now();
    this.#lastHeard = now;
    if (pending === 0) this.#partialSince = 0;
    else if (finished > 0 || this.#partialSince === 0) this.#partialSince = now;
  }

  /** Notes a request received for the application. */
  worked(): void {
    this.#lastRequest = this.#lastHeard;
  }

  /** Notes that a request of this side was answered. */
  answered(): void {
    this.#lostInRow = 0;
    this.#lastRequest = this.#lastHeard;
  }

  stop(): void {
    this.#cancel();
  }

  readonly #tick = (): void => {
    this.#cancel = this.#options.clock.schedule(this.#tickMs, this.#tick);
    const now = this.#options.clock.now();
    // After this process stood still, its timers run before the octets that came meanwhile are read. That is not the
    // peer's silence.
    this.#lateInRow = now - this.#tickedAt > 2 * this.#tickMs ? this.#lateInRow + 1 : 0;
    this.#tickedAt = now;
    if (this.#lateInRow > 0 && this.#lateInRow <= MOST_LATE) return;
    const reason = this.#verdict(now);
    if (reason !== undefined) this.#link.close(reason);
  };

  #verdict(now: number): CloseReason | undefined {
    const { bindMs, responseMs, enquireLinkMs, inactivityMs, maxConsecutiveTimeouts } = this.#options;
    if (this.#isNotReading(now)) return 'peer_not_reading';
    if (this.#link.connecting()) return now - this.#openedAt >= bindMs ? 'bind_timeout' : undefined;
    if (this.#link.paused()) {
      this.#lastHeard = now;
      return undefined;
    }
    this.#lostInRow += this.#link.expire(now - responseMs);
    if (maxConsecutiveTimeouts > 0 && this.#lostInRow >= maxConsecutiveTimeouts) return 'responses_lost';
    if (this.#partialSince > 0 && now - this.#partialSince >= responseMs) return 'framing_error';
    if (inactivityMs > 0 && now - this.#lastRequest >= inactivityMs) return 'inactive';
    if (this.#enquiredAt > 0 && this.#lastHeard >= this.#enquiredAt) this.#enquiredAt = 0;
    if (this.#enquiredAt > 0) return now - this.#enquiredAt >= responseMs ? 'half_open' : undefined;
    if (enquireLinkMs > 0 && now - this.#lastHeard >= enquireLinkMs) {
      this.#enquiredAt = now;
      this.#link.enquire();
    }
    return undefined;
  }

  #isNotReading(now: number): boolean {
    const taken = this.#link.taken();
    const unread = this.#link.unread();
    if (unread === 0 || taken !== this.#taken) this.#takenAt = now;
    this.#taken = taken;
    return unread > MAX_UNREAD || now - this.#takenAt >= PATIENCE * this.#options.responseMs;
  }
}
