import { SCREENS } from '@heliograph/contract/kernel/screen-list';
import { useConnection, useRelease } from '../platform/connection.ts';
import { type Menu, useSession } from '../platform/session.ts';
import { COMPONENTS } from './screens.ts';

const LOOK_EVERY_MS = 3_600_000;
const IDLE_MS = 200;

/**
 * Registers the service worker, which keeps the program on this machine, and looks for new releases. `open` shows the screen of
 * a notice that the person clicked. Browsers have no service workers on addresses without TLS.
 */
export async function startServiceWorker(open: (path: string) => void): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open?.startsWith('/')) open(data.open);
  });
  const registration = await serviceWorker.register('/worker.js');
  const offer = () => {
    const { waiting } = registration;
    // The first worker of a browser replaces no release.
    if (!waiting || !serviceWorker.controller) return;
    useRelease.setState({
      load() {
        serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
        waiting.postMessage('activate');
      },
    });
  };
  offer();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
  const { active } = await serviceWorker.ready;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  active?.postMessage({ loaded: loaded.filter((url) => url.startsWith(`${location.origin}/assets/`)) });
  const controlled = () => {
    void preloadWhenIdle(useSession.getState().menus);
    useSession.subscribe(({ menus }, before) => {
      if (menus !== before.menus) void preloadWhenIdle(menus);
    });
  };
  if (serviceWorker.controller) controlled();
  else serviceWorker.addEventListener('controllerchange', controlled, { once: true });
  const look = () => void registration.update().catch(() => undefined);
  setInterval(look, LOOK_EVERY_MS);
  useConnection.subscribe(({ offline }, before) => {
    if (before.offline && !offline) look();
  });
}

/** Resolves when the browser has nothing else to do. */
const idle = () =>
  new Promise<void>((done) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => done());
    else setTimeout(done, IDLE_MS);
  });

/**
 * Loads the screens of a menu one after another while the browser is idle, so that the service
 * worker has them when the network is gone. They are not loaded if the person saves data.
 */
async function preloadWhenIdle(menus: Menu): Promise<void> {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (connection?.saveData) return;
  const offered = new Set(menus.flatMap(({ children }) => children.map(({ url }) => url)));
  for (const { path } of SCREENS) {
    if (!offered.has(path)) continue;
    await idle();
    if (useConnection.getState().offline) return;
    await COMPONENTS[path]().catch(() => undefined);
  }
}
