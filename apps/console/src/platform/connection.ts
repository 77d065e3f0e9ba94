import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { create } from 'zustand';

/** Interval between retries while the server does not answer, in ms. */
const AGAIN_MS = 2_000;

/** State of the connection to the server: offline if the browser reports it or a load has failed. */
export const useConnection = create<{ offline: boolean }>()(() => ({ offline: !navigator.onLine }));

addEventListener('offline', () => useConnection.setState({ offline: true }));
addEventListener('online', () => void reachable());

async function reachable(): Promise<boolean> {
  const offline = await fetch('/healthz', { cache: 'no-store' }).then(
    () => false,
    () => true,
  );
  useConnection.setState({ offline });
  return !offline;
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

/**
 * Loads a part of the program. While the server cannot be reached, waits and tries again. Rejects if the server answers
 * but no longer has the part, as after an upgrade.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (await reachable()) throw error;
  }
  do await later();
  while (!(await reachable()));
  return load();
}

/** A component that is loaded when it is first drawn, as soon as the server can be reached. */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: await loadPart(load) }));
