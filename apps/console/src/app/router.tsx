import { SCREENS, type Screen, screenOf } from '@heliograph/contract/kernel/screen-list';
import { Button, Center } from '@mantine/core';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Navigate,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { loadPart } from '../platform/connection.ts';
import { onExit } from '../platform/navigation.ts';
import { sentenceOf } from '../platform/problem.ts';
import { clearSession, useSession } from '../platform/session.ts';
import { landingPath } from '../platform/sign-in.ts';
import { IS_SUPPORT } from '../platform/support-tab.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { keepFocus } from './focus-place.ts';
import type { FORM_PAGES } from './form-pages.ts';
import { guard, mayVerify } from './guard.ts';
import { COMPONENTS, WITH_EDIT_PAGE, WITH_FORM_PAGE } from './screens.ts';

/** Screen shown instead of a screen that threw an error. */
function Crashed({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  return (
    <Center mih="60vh" role="alert">
      <EmptyState
        title={t('pages.crashed')}
        text={sentenceOf(error)}
        action={<Button onClick={() => location.reload()}>{t('actions.reload')}</Button>}
      />
    </Center>
  );
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The email address whose password has expired. */
    username?: string;
    /** Record of the list from which its form was opened. */
    row?: Record<string, unknown>;
    /** Time of the request to open the form for a new record, if there is one. */
    create?: number;
  }
  interface StaticDataRouteOption {
    /** The screen's title is `menu.<title>`. */
    title?: string;
    /** Menu entry that the screen belongs to. */
    under?: string;
  }
}

const lazy = (load: () => Promise<ComponentType>) =>
  lazyRouteComponent(async () => ({ default: await loadPart(load) }));

const root: AnyRoute = createRootRoute({
  component: Outlet,
  errorComponent: Crashed,
  notFoundComponent: () => <Navigate to="/not-found" replace />,
});

const start: AnyRoute = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: useSession.getState().isLoggedIn ? landingPath() : '/login', replace: true });
  },
});

// The routes of the screens are built from data, so each has the type of any route. Inferring the types of the whole
// tree would cost the compiler minutes.
const publicScreen = (path: string, load: () => Promise<ComponentType>, beforeLoad?: () => void): AnyRoute =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazy(load),
    staticData: { title: path.split('/')[1] ?? '' },
    ...(beforeLoad ? { beforeLoad } : {}),
  });

const publicScreens = [
  publicScreen(
    '/login',
    async () => (await import('../modules/identity/login.tsx')).Login,
    () => {
      if (useSession.getState().isLoggedIn) throw redirect({ to: landingPath(), replace: true });
    },
  ),
  publicScreen(
    '/verify-otp',
    async () => (await import('../modules/identity/verify-otp.tsx')).VerifyOtp,
    () => {
      if (!mayVerify(useSession.getState())) throw redirect({ to: '/login', replace: true });
    },
  ),
  publicScreen('/forgot-password', async () => (await import('../modules/identity/passwords.tsx')).ForgotPassword),
  publicScreen('/reset-password', async () => (await import('../modules/identity/passwords.tsx')).ResetPassword),
  publicScreen(
    '/reset-expired-password',
    async () => (await import('../modules/identity/passwords.tsx')).ResetExpiredPassword,
  ),
  publicScreen('/sso/$key', async () => (await import('../modules/identity/sign-on.tsx')).SignOn),
  publicScreen('/unauthorized', async () => (await import('../modules/identity/notices.tsx')).Unauthorized),
  publicScreen('/forbidden', async () => (await import('../modules/identity/notices.tsx')).Forbidden),
  publicScreen('/not-found', async () => (await import('../modules/identity/notices.tsx')).NotFound),
];

const protectedRoot: AnyRoute = createRoute({
  getParentRoute: () => root,
  id: 'protected',
  component: lazy(async () => (await import('./shell/shell.tsx')).Shell),
});

/** Screens that hide top bar and menu. */
const bareRoot: AnyRoute = createRoute({
  getParentRoute: () => root,
  id: 'bare',
  component: lazy(async () => (await import('./shell/bare.tsx')).Bare),
});

interface Protected {
  path: string;
  permission: string | null;
  load: () => Promise<ComponentType>;
}
const protectedScreen = (screen: Screen, { path, permission, load }: Protected): AnyRoute =>
  createRoute({
    getParentRoute: () => (screen.bare ? bareRoot : protectedRoot),
    path,
    component: lazy(load),
    staticData: { title: screen.title, under: screen.under },
    errorComponent: Crashed,
    beforeLoad: ({ location }) => {
      const verdict = guard(useSession.getState(), permission);
      if (verdict === 'enter') return;
      // The console of another person may lack a screen that the person of support was on.
      if (IS_SUPPORT && verdict === 'clear-and-login') throw redirect({ to: landingPath(), replace: true });
      if (verdict === 'clear-and-login') clearSession();
      throw redirect({ to: '/login', search: verdict === 'login' ? { from: location.href } : {}, replace: true });
    },
  });

const protectedScreens = (bare: boolean) =>
  SCREENS.filter((screen) => screen.bare === bare).map((screen) =>
    protectedScreen(screen, { ...screen, path: `/${screen.path}`, load: COMPONENTS[screen.path] }),
  );

/** Forms that are pages: `/users/new` and `/users/7/edit`. */
const formPage = (path: keyof typeof FORM_PAGES, address: string, action: 'create' | 'edit') => {
  const screen = screenOf(path);
  return protectedScreen(screen, {
    path: `/${path}/${address}`,
    permission: `${screen.area}-${action}`,
    load: async () => (await import('./form-pages.ts')).FORM_PAGES[path](),
  });
};
const formPages = [
  ...WITH_FORM_PAGE.map((path) => formPage(path, 'new', 'create')),
  ...[...WITH_FORM_PAGE, ...WITH_EDIT_PAGE].map((path) => formPage(path, '$id/edit', 'edit')),
];

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    ...publicScreens,
    protectedRoot.addChildren([...protectedScreens(false), ...formPages]),
    bareRoot.addChildren(protectedScreens(true)),
  ]),
  defaultPreload: 'intent',
  // Addresses stay readable: every value is written as plain text.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultPendingMinMs: 0,
  scrollRestoration: true,
});

keepFocus(router);
onExit((to) => router.navigate({ to, replace: true }));
