// Service worker of the console. The build writes the two values above it: VERSION, and FILES that the shell needs.
// It keeps the program, never data: calls, live events and tenants' pictures pass it by.

const CACHE = `console-${VERSION}`;
/** First parts of paths that are no screens. */
const NO_SCREENS = /^\/(api|oauth|broadcasting|app|v1|problems|assets|healthz|readyz|metrics)(\/|$)/;

self.addEventListener('install', (event) => event.waitUntil(keepShell()));

async function keepShell() {
  const cache = await caches.open(CACHE);
  // The page and the files must be of one release, so none may come from the browser's own cache.
  await cache.addAll(['/', ...FILES].map((path) => new Request(path, { cache: 'no-cache' })));
}

self.addEventListener('activate', (event) => event.waitUntil(begin()));

async function begin() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('console-') && name !== CACHE).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
}

self.addEventListener('message', (event) => {
  // A person has asked for the new release: until then, open pages go on with the files of theirs.
  if (event.data === 'activate') void self.skipWaiting();
  // The first page of a browser has loaded its files before this worker.
  if (Array.isArray(event.data?.loaded))
    event.waitUntil(Promise.all(event.data.loaded.map((url) => keptFirst(new Request(url)))));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(keptFirst(request));
  else if (request.mode === 'navigate' ? !NO_SCREENS.test(pathname) : FILES.includes(pathname))
    event.respondWith(fetch(request).catch((error) => kept(request.mode === 'navigate' ? '/' : request, error)));
});

async function kept(request, error) {
  const answer = await caches.match(request, { cacheName: CACHE });
  if (answer) return answer;
  throw error;
}

/** Files whose names change with their contents are fetched once. */
async function keptFirst(request) {
  const present = await caches.match(request, { cacheName: CACHE });
  if (present) return present;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(show(event.data.json()));
});

async function show({ title, text, url, tag }) {
  // A page that is in view shows the notice itself.
  const pages = await self.clients.matchAll({ type: 'window' });
  if (pages.some((page) => page.visibilityState === 'visible')) return;
  await self.registration.showNotification(title, { body: text, tag, data: { url } });
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openScreen(event.notification.data.url));
});

async function openScreen(url) {
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) return self.clients.openWindow(url);
  page.postMessage({ open: url });
  return page.focus();
}
