import type { Clock } from './session-options.ts';

/** The orderly end of a session (§2.2): wait for open answers, unbind, wait for its answer; each wait is bounded. */
export class Drain {
  /** unbind has left. */
  unbinding = false;
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #sendUnbind: () => void;
  readonly #giveUp: () => void;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, patienceMs: number, sendUnbind: () => void, giveUp: () => void) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
    this.#sendUnbind = sendUnbind;
    this.#giveUp = giveUp;
  }

  start(drainMs: number): void {
    this.#cancel = this.#clock.schedule(drainMs, () => this.unbind());
  }

  unbind(): void {
    if (this.unbinding) return;
    this.unbinding = true;
    this.stop();
    this.#sendUnbind();
    this.#cancel = this.#clock.schedule(this.#patienceMs, this.#giveUp);
  }

  stop(): void {
    this.#cancel?.();
  }
}
