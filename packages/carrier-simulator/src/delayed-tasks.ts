import type { Clock } from '@heliograph/smpp';

/** Tasks that run later, unless all of them are cancelled before. */
export class DelayedTasks {
  readonly #clock: Clock;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(milliseconds: number, task: () => void): void {
    const cancel = this.#clock.schedule(milliseconds, () => {
      this.#cancels.delete(cancel);
      task();
    });
    this.#cancels.add(cancel);
  }

  cancelAll(): void {
    for (const cancel of this.#cancels) cancel();
    this.#cancels.clear();
  }
}
