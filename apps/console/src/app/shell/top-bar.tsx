import { type ScreenPath, screenOf } from '@heliograph/contract/kernel/screen-list';
import { ActionIcon, Avatar, Burger, Indicator, Kbd, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import {
  IconBell,
  IconBook2,
  IconHourglassHigh,
  IconInbox,
  IconLanguage,
  IconMoon,
  IconSearch,
  IconSun,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Brand } from '../../platform/brand.tsx';
import { useMay, useSession } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';
import { LazyMenu } from './lazy-menu.tsx';
import { Outstanding } from './outstanding.tsx';
import classes from './shell.module.css';

const ICON = { size: 20, stroke: 1.6 } as const;

/** Controls of the top bar, in the order of the specification. */
export function TopBar(props: { menuOpen: boolean; onMenu: () => void; onFind: () => void }) {
  const { t } = useTranslation();
  const { colorScheme, toggleColorScheme } = useMantineColorScheme();
  const logo = useSession((s) => s.pageConfigurations?.logo_path ?? null);
  const profile = useSession((s) => s.profile);
  const pending = useSession((s) => s.pendingCampaigns);
  const inbox = useSession((s) => s.inboxUnread);
  const unread = useSession((s) => s.queueDownloads.filter((file) => !file.downloaded_at).length);
  const asked = useSession((s) => s.asked.length);
  const dark = colorScheme === 'dark';
  // A counter is left out of the sum if the user may not open its screen.
  const total = pending + unread + inbox + asked;
  const bell =
    total > 0 ? t('shell.with_count', { label: t('shell.notifications'), count: total }) : t('shell.notifications');

  return (
    <div className={classes.bar}>
      <Burger
        hiddenFrom="md"
        data-tour="menu"
        size="sm"
        opened={props.menuOpen}
        onClick={props.onMenu}
        aria-label={t('shell.open_menu')}
        mr={8}
      />
      <Link
        to="/dashboard"
        className={classes.logo}
        aria-label={t('shell.home')}
        style={{ color: 'inherit', textDecoration: 'none' }}
      >
        <Brand logo={logo} />
      </Link>
      <UnstyledButton className={classes.find} data-tour="search" onClick={props.onFind} aria-label={t('shell.find')}>
        <IconSearch size={17} stroke={1.7} />
        <span>{t('shell.find')}</span>
        <Kbd size="xs">{/Mac|iPhone/.test(navigator.userAgent) ? '⌘' : 'Ctrl'} K</Kbd>
      </UnstyledButton>
      <div className={classes.roomy}>
        <BarLink screen="documentation" label={t('shell.documentation')}>
          <IconBook2 {...ICON} />
        </BarLink>
      </div>
      {/* On a phone, the user menu has this control and the display mode. */}
      <div className={classes.roomy}>
        <BarLink screen="pending-campaigns" label={t('shell.pending')} count={pending}>
          <IconHourglassHigh {...ICON} />
        </BarLink>
      </div>
      <BarLink screen="inbox" label={t('shell.inbox')} count={inbox}>
        <IconInbox {...ICON} />
      </BarLink>
      <Outstanding />
      <LazyMenu
        label={bell}
        popup="dialog"
        load={async () => (await import('./notification-center.tsx')).NotificationCenter}
      >
        <Counted count={total}>
          <IconBell {...ICON} data-tour="bell" />
        </Counted>
      </LazyMenu>
      <div className={classes.roomy}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t(dark ? 'shell.to_light' : 'shell.to_dark')}
          onClick={toggleColorScheme}
        >
          {dark ? <IconSun {...ICON} /> : <IconMoon {...ICON} />}
        </ActionIcon>
        {/* On a phone, the language is in the profile. */}
        <LazyMenu label={t('shell.language')} load={async () => (await import('./bar-menus.tsx')).LanguageMenu}>
          <IconLanguage {...ICON} />
        </LazyMenu>
      </div>
      <LazyMenu label={t('shell.account')} load={async () => (await import('./bar-menus.tsx')).UserMenu}>
        <Avatar
          data-tour="account"
          size={30}
          src={profile?.image_path ?? null}
          name={initialsOf(profile?.name ?? '')}
          color="brand"
          alt=""
        />
      </LazyMenu>
    </div>
  );
}

const initialsOf = (name: string) => name.replace(/[^\p{L}\s]/gu, '');

function BarLink(props: { screen: ScreenPath; label: string; count?: number; children: ReactNode }) {
  const { t } = useTranslation();
  const allowed = useMay(screenOf(props.screen).permission);
  if (!allowed) return null;
  const label = props.count ? t('shell.with_count', { label: props.label, count: props.count }) : props.label;
  return (
    <ActionIcon
      component={Link}
      to={`/${props.screen}`}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
    >
      <Counted count={props.count ?? 0}>{props.children}</Counted>
    </ActionIcon>
  );
}

function Counted(props: { count: number; children: ReactNode }) {
  return (
    <Indicator
      disabled={props.count === 0}
      label={props.count > 99 ? '99+' : props.count}
      size={16}
      offset={2}
      color="red.8"
      aria-hidden
      styles={{ indicator: { fontSize: 10, fontWeight: 700, padding: '0 4px' } }}
    >
      {props.children}
    </Indicator>
  );
}
