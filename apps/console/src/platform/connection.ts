import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { create } from 'zustand';

/** Interval between retries while the server does not answer, in ms. */
const AGAIN_MS = 5_000;

/** State of the connection to the server, and the time of the next try in ms while it does not answer. */
export const useConnection = create<{ offline: boolean; retryAt: number }>()(() => ({ offline: false, retryAt: 0 }));

/** A new release that waits until the person loads it; null if there is none. */
export const useRelease = create<{ load: (() => void) | null }>()(() => ({ load: null }));

addEventListener('offline', () => void back());
if (!navigator.onLine) void back();

/** Tells whether the server answers, whatever it answers. */
const answers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  );

let returning: Promise<void> | undefined;

/** Reports the connection as lost, and resolves when the server answers again. */
function back(): Promise<void> {
  returning ??= retry().finally(() => {
    returning = undefined;
  });
  return returning;
}

async function retry(): Promise<void> {
  do {
    useConnection.setState({ offline: true, retryAt: Date.now() + AGAIN_MS });
    await later();
  } while (!(await answers()));
  useConnection.setState({ offline: false });
}

/** Resolves when the browser is online again, or after a while. */
function later(): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(end, AGAIN_MS);
    addEventListener('online', end);
    function end() {
      clearTimeout(timer);
      removeEventListener('online', end);
      done();
    }
  });
}

/** Reports that a call got no answer: if the server does not answer at all, the connection counts as lost. */
export async function noAnswer(): Promise<void> {
  if (!returning && !(await answers())) await back();
}

/**
 * Loads a part of the program. While the server cannot be reached, waits and tries again. Rejects if the server answers
 * but no longer has the part, as after an upgrade.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (await answers()) throw error;
  }
  await back();
  return load();
}

/** A component that is loaded when it is first drawn, as soon as the server can be reached. */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await loadPart(load) }));
