import { ALARM_CHANNEL, ALARM_EVENT } from '@heliograph/contract/alarms/alarm';
import { ActionIcon, AppShell } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { Outlet, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AlarmStrip } from '../../modules/alarms/index.ts';
import { lazyPart, loadPart } from '../../platform/connection.ts';
import { isOperator, loadAlarms, loadCounters, loadMenu, loadTotalOutstanding } from '../../platform/counters.ts';
import { followEditedTexts } from '../../platform/language.ts';
import { connectLive, disconnectLive, useChannel, userChannel } from '../../platform/live.ts';
import { menuLabel } from '../../platform/menu-label.ts';
import { readAgain } from '../../platform/queries.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { loadProfile } from '../../platform/sign-in.ts';
import { IS_SUPPORT } from '../../platform/support-tab.ts';
import { useMenuEntry, useTabTitle } from '../../platform/title.ts';
import { ArticleContext } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { CrumbsContext, HelpContext } from '../../ui/page-header.tsx';
import { Interrupted } from './interrupted.tsx';
import { MainMenu } from './main-menu.tsx';
import { PinScreen } from './pins.tsx';
import { ScreenSkeleton } from './screen-skeleton.tsx';
import classes from './shell.module.css';
import { useTasks } from './tasks-opened.ts';
import { TopBar } from './top-bar.tsx';

/** Link to the documentation of a screen. */
function HelpLink({ screen }: { screen: string | undefined }) {
  const { t } = useTranslation();
  const mayRead = useMay('documentation-view');
  if (!mayRead || screen === undefined) return null;
  return (
    <ActionIcon
      component={Link}
      to="/document/0"
      search={{ article: screen }}
      variant="subtle"
      color="gray"
      aria-label={t('documentation.help')}
      title={t('documentation.help')}
    >
      <IconHelpCircle size={18} stroke={1.6} />
    </ActionIcon>
  );
}

/** Downloads the file named in the address, once. Emails about reports contain such addresses. */
function useAskedDownload(isLoggedIn: boolean): void {
  const navigate = useNavigate();
  const { download } = useSearch({ strict: false }) as { download?: string | number };
  useEffect(() => {
    if (!isLoggedIn || !/^\d{1,15}$/.test(String(download ?? ''))) return;
    void navigate({ to: '.', search: {}, replace: true });
    void loadPart(() => import('./open-download.ts'))
      .then(({ fetchDownload }) => fetchDownload(Number(download)))
      .catch(() => undefined);
  }, [isLoggedIn, download, navigate]);
}

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);
const TaskDrawer = lazyPart(async () => (await import('./task-drawer.tsx')).TaskDrawer);
const Tour = lazyPart(async () => (await import('./tour.tsx')).Tour);
const SupportBanner = lazyPart(async () => (await import('./support-banner.tsx')).SupportBanner);
const KeysHelp = lazyPart(async () => (await import('./keys-help.tsx')).KeysHelp);

/** Heights of the top bar in px; a support session has its banner above it. */
const HEADER = IS_SUPPORT ? { base: 132, sm: 96 } : 56;
const COUNT_EVERY_MS = 60_000;

/** Frame of every protected screen: top bar, main menu, live connection, keys. */
export function Shell() {
  const { t } = useTranslation();
  const entry = useMenuEntry();
  useTabTitle();
  const menus = useSession((s) => s.menus);
  const path = useLocation({ select: (location) => location.pathname });
  const [menuOpen, setMenuOpen] = useState(false);
  const [menuHidden, setMenuHidden] = useState(false);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const tour = useTourWanted();
  const tasks = useTasks((s) => s.opened);
  const mayRead = useMay('documentation-view');

  useLive();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen was chosen, so the drawer closes
  useEffect(() => setMenuOpen(false), [path]);

  useKeys({
    'mod+k': () => setPalette(true),
    '?': () => setHelp(true),
    m: () => setMenuHidden((hidden) => !hidden),
    '/': () => document.querySelector<HTMLInputElement>('main input[type=search]')?.focus(),
    n: () => document.querySelector<HTMLButtonElement>('main [data-create]')?.click(),
    escape: () => setMenuOpen(false),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: labels follow the language
  const crumbs = useMemo(() => {
    const group = menus.find(({ children }) => children.some((child) => child.url === entry));
    return group ? [{ label: menuLabel(group) }] : [];
  }, [menus, entry, t]);

  return (
    <AppShell
      header={{ height: HEADER }}
      navbar={{ width: 256, breakpoint: 'md', collapsed: { mobile: !menuOpen, desktop: menuHidden } }}
      padding={{ base: 'md', sm: 'xl' }}
      classNames={{ header: classes.header!, navbar: classes.navbar!, main: classes.main! }}
    >
      <a href="#content" className="app-skip">
        {t('shell.skip')}
      </a>
      <AppShell.Header>
        <Suspense>{IS_SUPPORT && <SupportBanner />}</Suspense>
        <TopBar menuOpen={menuOpen} onMenu={() => setMenuOpen((open) => !open)} onFind={() => setPalette(true)} />
      </AppShell.Header>
      <AppShell.Navbar aria-label={t('shell.menu')} data-tour="menu">
        <MainMenu current={entry} onKeys={() => setHelp(true)} />
      </AppShell.Navbar>
      {menuOpen && <div className={classes.shade} onClick={() => setMenuOpen(false)} aria-hidden="true" />}
      <AppShell.Main id="content" tabIndex={-1}>
        <div className={classes.content}>
          <Interrupted />
          {path !== '/dashboard' && <AlarmStrip apart />}
          <CrumbsContext value={crumbs}>
            <HelpContext
              value={
                <>
                  <HelpLink screen={entry} />
                  <PinScreen screen={entry} />
                </>
              }
            >
              <ArticleContext value={mayRead ? entry : undefined}>
                <Suspense fallback={<ScreenSkeleton />}>
                  <Outlet />
                </Suspense>
              </ArticleContext>
            </HelpContext>
          </CrumbsContext>
        </div>
      </AppShell.Main>
      <Suspense>
        {palette && <Palette onClose={() => setPalette(false)} />}
        {help && <KeysHelp onClose={() => setHelp(false)} />}
        {tour && <Tour />}
        {tasks && <TaskDrawer onClose={() => useTasks.setState({ opened: false })} />}
      </Suspense>
    </AppShell>
  );
}

/** Loads the menu and the counters, follows their changes, and leaves when the user signs out. */
function useLive(): void {
  const navigate = useNavigate();
  const isLoggedIn = useSession((s) => s.isLoggedIn);
  const userId = useSession((s) => s.profile?.id);
  const corporationId = useSession((s) => s.profile?.corporation_id ?? null);

  useEffect(() => {
    if (!isLoggedIn || userId === undefined) return;
    void loadMenu().catch(() => undefined);
    void loadCounters();
    void connectLive(
      (notification) =>
        void loadPart(() => import('./notifications.ts'))
          .then(({ receive }) => receive(notification, (to) => void navigate({ to })))
          .catch(() => undefined),
    );
  }, [isLoggedIn, userId, navigate]);
  useCountersAnew(isLoggedIn);
  useAskedDownload(isLoggedIn);

  useChannel(corporationId === null ? null : `corporation.${corporationId}`, '.billing.balance', () => {
    void loadTotalOutstanding().catch(() => undefined);
    void readAgain(['billing-accounts']);
  });

  useChannel(userId !== undefined && isOperator() ? ALARM_CHANNEL : null, `.${ALARM_EVENT}`, () => {
    void loadAlarms().catch(() => undefined);
  });

  // Sent when a campaign starts or stops waiting for an approval, regardless of who decided.
  useChannel<{ state?: string }>(
    corporationId === null ? null : `corporation.${corporationId}`,
    '.campaign.progress',
    ({ state }) => {
      if (state !== undefined) void loadCounters();
    },
  );

  // Changes by an operator to the menu, and changes of the user's own permissions, apply immediately.
  useChannel<{ role?: string }>(userId === undefined ? null : 'application.1', '.menu.changed', ({ role }) => {
    if (role === undefined) return void loadMenu().catch(() => undefined);
    if (useSession.getState().roles.includes(role)) followRights();
  });
  useChannel(userId === undefined ? null : 'application.1', '.languages.changed', () => void followEditedTexts());
  useChannel(userId === undefined ? null : userChannel(), '.rights.changed', followRights);

  // The user has signed out, here or in another tab. There are no data to show and no events to receive.
  useEffect(() => {
    if (isLoggedIn) return;
    disconnectLive();
    if (location.pathname !== '/unauthorized') void navigate({ to: '/login', replace: true });
  }, [isLoggedIn, navigate]);
}

/**
 * Reads the counters again at intervals, and when the user returns to the tab. Some changes are sent on no channel,
 * such as those of corporations that the user only supports.
 */
function useCountersAnew(isLoggedIn: boolean): void {
  useEffect(() => {
    if (!isLoggedIn) return;
    const count = () => {
      if (document.visibilityState === 'visible') void loadCounters();
    };
    const timer = setInterval(count, COUNT_EVERY_MS);
    document.addEventListener('visibilitychange', count);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', count);
    };
  }, [isLoggedIn]);
}

/** Returns whether to show the guided tour: to new people on their dashboard, and where the address ends in #tour. */
function useTourWanted(): boolean {
  const isNew = useSession((s) => s.profile?.preferences.tour_seen === false);
  const hasMenu = useSession((s) => s.menus.length > 0);
  const { pathname, hash } = useLocation();
  return !IS_SUPPORT && hasMenu && (hash === 'tour' || (isNew && pathname === '/dashboard'));
}

/** Reads the user's permissions again, and then the menu that they allow. */
function followRights(): void {
  void loadProfile()
    .then(loadMenu)
    .catch(() => undefined);
}

/**
 * Listens to keys while the component is shown. `mod+k` means Ctrl or Command with k; any other name is the key as
 * typed. Inside text fields, only keys with `mod` count.
 */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      const typing = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
      const mod = event.ctrlKey || event.metaKey;
      if (event.altKey || event.defaultPrevented || (typing && !mod)) return;
      const handler = latest.current[`${mod ? 'mod+' : ''}${event.key.toLowerCase()}`];
      if (!handler) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
