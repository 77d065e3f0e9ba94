/** Does `work` again and again, `everyMs` after it was last done; `failed` is told of what it throws, and it goes on. */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  failed: (error: unknown) => void,
): { stop(): Promise<void> } {
  let stopped = false;
  let timer: NodeJS.Timeout;
  let running = Promise.resolve();
  const wait = () => {
    timer = setTimeout(() => {
      running = work()
        .catch(failed)
        .finally(() => {
          if (!stopped) wait();
        });
    }, everyMs);
  };
  wait();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
