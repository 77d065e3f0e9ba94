/** Work that is repeated until it is stopped. It is never under way twice. */
export interface Repeated {
  /** Does the work now. If it is under way, it is done once more right afterwards. */
  wake(): void;
  /** Ends the repetition, and resolves when the work that is under way has ended. */
  stop(): Promise<void>;
}

/**
 * Does `work` again and again, `everyMs` after it last ended, or earlier if it is woken. With `Infinity` it is done
 * only when it is woken. `failed` is called with each error; the next try waits `everyMs`, however often it was woken.
 */
export function repeat(
  everyMs: number | (() => number),
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): Repeated {
  let stopped = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const run = () => {
    clearTimeout(timer);
    again = false;
    running = work()
      .catch((error) => {
        again = false;
        failed(error);
      })
      .finally(() => {
        running = undefined;
        if (stopped) return;
        if (again) run();
        else wait();
      });
  };
  const wait = () => {
    const ms = typeof everyMs === 'number' ? everyMs : everyMs();
    if (ms !== Number.POSITIVE_INFINITY) timer = setTimeout(run, ms);
  };
  wait();
  return {
    wake() {
      if (stopped) return;
      if (running) again = true;
      else run();
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
