import { lazyPart } from '../platform/connection.ts';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../ui/app.css';
import '../ui/forced-colors.css';
import type { MantineColorSchemeManager } from '@mantine/core';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import { createRoot } from 'react-dom/client';
import { readCookie, writeCookie } from '../platform/cookies.ts';
import { useProofAsked } from '../platform/fresh-proof.ts';
import { startLanguage } from '../platform/language.ts';
import { loadPage } from '../platform/page.ts';
import { queryClient } from '../platform/queries.ts';
import { useSession } from '../platform/session.ts';
import { loadProfile } from '../platform/sign-in.ts';
import { styleNonce } from '../platform/style-nonce.ts';
import { isLeaving, takeNotice } from '../platform/support-tab.ts';
import { toast, useToasts } from '../platform/toast.ts';
import { useDialog } from '../ui/dialogs.ts';
import { cssVariables, themeOf } from '../ui/theme.ts';
import { router } from './router.tsx';

/** Keeps the display mode (light or dark) in the cookie `mode`. The default is light. */
const displayMode: MantineColorSchemeManager = {
  get: () => (readCookie('mode') === 'dark' ? 'dark' : 'light'),
  set: (value) => writeCookie('mode', value),
  subscribe: () => {},
  unsubscribe: () => {},
  clear: () => writeCookie('mode', 'light'),
};

const DEFAULT_COLOR = '#2f5fde';
/**
 * Maximum time, in ms, that a start waits for the application's name and color. After that it shows the values stored
 * from the last visit.
 */
const PAGE_PATIENCE_MS = 1500;

const DialogOutlet = lazyPart(async () => (await import('../ui/dialog-outlet.tsx')).DialogOutlet);
const SignInRules = lazyPart(async () => (await import('../modules/identity/index.ts')).SignInRules);
const Toaster = lazyPart(async () => (await import('@mantine/notifications')).Notifications);

function Application() {
  const color = useSession((s) => s.pageConfigurations?.color) || DEFAULT_COLOR;
  const toasts = useToasts((s) => s.needed);
  const dialog = useDialog((s) => s.dialog !== null);
  const proof = useProofAsked((s) => s.answer !== null);
  const ruled = useSession((s) => s.profile?.idle_minutes || s.profile?.passkey_needed);
  const theme = useMemo(() => themeOf(color), [color]);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={displayMode}
      getStyleNonce={() => styleNonce ?? ''}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Suspense>
          {dialog && <DialogOutlet />}
          {(proof || ruled) && <SignInRules />}
          {/* Wide pages, drawers and dialogs have no buttons in this corner, so a notice covers none. */}
          {toasts && <Toaster position="bottom-left" />}
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Starts the application. Loads its name, color and language first, then shows the screen and removes the loader. */
export async function start(element: HTMLElement): Promise<void> {
  const page = loadPage();
  const session = useSession.getState();
  await Promise.all([
    startLanguage(),
    session.pageConfigurations ? Promise.race([page, pause(PAGE_PATIENCE_MS)]) : page,
    router.load().catch(() => undefined),
  ]);
  // Permissions may have changed since the last visit. The screen does not wait for them.
  if (session.token && session.isLoggedIn) void loadProfile().catch(() => undefined);
  createRoot(element).render(<Application />);
  // The back button may bring a page of a support session, or one of before it, back from the browser's memory.
  window.addEventListener('pageshow', () => isLeaving() && location.reload());
  const notice = takeNotice();
  if (notice) void toast('info', notice);
  printInLight();
  await documentLoaded();
  removeLoader();
  void import('./service-worker.ts')
    .then(({ startServiceWorker }) => startServiceWorker((to) => void router.navigate({ to })))
    .catch(() => undefined);
}

/** Prints in the colors of the light mode: browsers leave out a dark background, and its light text stays. */
function printInLight(): void {
  const root = document.documentElement;
  const set = (mode: string) => root.setAttribute('data-mantine-color-scheme', mode);
  window.addEventListener('beforeprint', () => set('light'));
  window.addEventListener('afterprint', () => set(displayMode.get('light')));
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const documentLoaded = () =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise<void>((resolve) => window.addEventListener('load', () => resolve(), { once: true }));

function removeLoader(): void {
  const loader = document.getElementById('page-loader');
  if (!loader) return;
  loader.style.opacity = '0';
  setTimeout(() => loader.remove(), 150);
}
