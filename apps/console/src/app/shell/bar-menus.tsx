import { updateProfile } from '@heliograph/contract/identity/session';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { LOCALE_NAMES, LOCALE_TAGS, LOCALES } from '@heliograph/contract/kernel/scope';
import { screenOf } from '@heliograph/contract/kernel/screen-list';
import { queueDownloadNotify } from '@heliograph/contract/notifications/download';
import { Badge, Group, Menu, ScrollArea, Stack, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconFileDownload,
  IconHourglassHigh,
  IconInbox,
  IconListCheck,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { chooseLocale, currentLocale } from '../../platform/language.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { leave } from '../../platform/sign-in.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { fetchDownload, useTasks } from './open-download.ts';
import { Outstanding } from './outstanding.tsx';
import classes from './shell.module.css';

/** Entry of the bell's menu for work that waits on another screen. */
function Waiting(props: { to: string; icon: ReactNode; text: string; onClick: () => void }) {
  return (
    <Menu.Item component={Link} to={props.to} leftSection={props.icon} onClick={props.onClick}>
      {props.text}
    </Menu.Item>
  );
}

/**
 * Menu of everything that the bell counts: work on other screens, and the files made for the user. Opening a file marks
 * it read.
 */
export function DownloadsMenu(props: { target: ReactNode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const files = useSession((s) => s.queueDownloads);
  const pending = useSession((s) => s.pendingCampaigns);
  const unread = useSession((s) => s.inboxUnread);
  const [opened, setOpened] = useState(true);
  const close = () => setOpened(false);
  return (
    <Menu opened={opened} onChange={setOpened} width={340} onOpen={() => void refresh()}>
      <Menu.Target>{props.target}</Menu.Target>
      <Menu.Dropdown>
        {pending > 0 && (
          <Waiting
            to="/pending-campaigns"
            icon={<IconHourglassHigh size={20} stroke={1.5} />}
            text={t('shell.pending_count', { count: pending, replace: { count: format.integer(pending) } })}
            onClick={close}
          />
        )}
        {unread > 0 && (
          <Waiting
            to="/inbox"
            icon={<IconInbox size={20} stroke={1.5} />}
            text={t('shell.inbox_count', { count: unread, replace: { count: format.integer(unread) } })}
            onClick={close}
          />
        )}
        {(pending > 0 || unread > 0) && <Menu.Divider />}
        <Menu.Label>{t('downloads.title')}</Menu.Label>
        {files.length === 0 && (
          <EmptyState of="downloads" title={t('downloads.empty')} text={t('downloads.empty_hint')} />
        )}
        <ScrollArea.Autosize mah={500}>
          {files.map((file) => (
            <Menu.Item
              key={file.id}
              closeMenuOnClick={false}
              disabled={file.state !== 'done'}
              leftSection={<IconFileDownload size={20} stroke={1.5} />}
              rightSection={
                file.state !== 'done' || !file.downloaded_at ? (
                  <Badge size="sm" variant="light" color={file.state === 'failed' ? 'red' : 'brand'}>
                    {file.state === 'done' ? t('downloads.unread') : t(`downloads.state.${file.state}`)}
                  </Badge>
                ) : null
              }
              onClick={() => void fetchDownload(file.id)}
            >
              <Text size="sm" fw={file.downloaded_at ? 400 : 600} style={{ wordBreak: 'break-all' }}>
                {file.download_file}
              </Text>
              <Text size="xs" c="dimmed">
                {t('downloads.rows', { count: file.rows, replace: { count: format.integer(file.rows) } })} ·{' '}
                {format.instant(file.created_at)}
              </Text>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconListCheck size={20} stroke={1.5} />}
          onClick={() => useTasks.setState({ opened: true })}
        >
          {t('tasks.all')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );

  async function refresh() {
    useSession.setState({ queueDownloads: await call(queueDownloadNotify) });
  }
}

/** Menu of the languages, each by its own name. */
export function LanguageMenu(props: { target: ReactNode }) {
  return (
    <Menu defaultOpened width={180}>
      <Menu.Target>{props.target}</Menu.Target>
      <Menu.Dropdown>
        {LOCALES.map((locale) => (
          <Menu.Item
            key={locale}
            lang={LOCALE_TAGS[locale]}
            rightSection={currentLocale() === locale ? <IconCheck size={16} /> : null}
            onClick={() => void switchTo(locale)}
          >
            {LOCALE_NAMES[locale]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );

  async function switchTo(locale: (typeof LOCALES)[number]) {
    await chooseLocale(locale);
    // The profile stores the choice too, so that emails and other devices use the same language.
    await call(updateProfile, { body: { preferred_language: locale } }).catch(() => undefined);
  }
}

/** Menu with the profile and sign-out. */
export function UserMenu(props: { target: ReactNode }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(true);
  const profile = useSession((s) => s.profile);
  const roles = useSession((s) => s.roles);
  const pending = useSession((s) => s.pendingCampaigns);
  const mayPending = useMay(screenOf('pending-campaigns').permission);
  const { colorScheme, toggleColorScheme } = useMantineColorScheme();
  const dark = colorScheme === 'dark';
  return (
    <Menu opened={opened} onChange={setOpened} width={240}>
      <Menu.Target>{props.target}</Menu.Target>
      <Menu.Dropdown>
        <Stack gap={0} px="sm" py="xs">
          <Text fw={600} size="sm" truncate>
            {profile?.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {profile?.email}
          </Text>
          <Group gap={4} mt={6}>
            {roles.map((role) => (
              <Badge key={role} size="sm" variant="light">
                {t(keyIn('roles', role), { defaultValue: role })}
              </Badge>
            ))}
          </Group>
        </Stack>
        <Outstanding inMenu />
        <Menu.Divider />
        {mayPending && (
          <Menu.Item
            component={Link}
            to="/pending-campaigns"
            className={classes.narrow!}
            leftSection={<IconHourglassHigh size={18} stroke={1.6} />}
          >
            {pending > 0 ? t('shell.with_count', { label: t('shell.pending'), count: pending }) : t('shell.pending')}
          </Menu.Item>
        )}
        <Menu.Item
          className={classes.narrow!}
          leftSection={dark ? <IconSun size={18} stroke={1.6} /> : <IconMoon size={18} stroke={1.6} />}
          onClick={toggleColorScheme}
        >
          {t(dark ? 'shell.to_light' : 'shell.to_dark')}
        </Menu.Item>
        <Menu.Item component={Link} to="/profile" leftSection={<IconUserCircle size={18} stroke={1.6} />}>
          {t('shell.profile')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.6} />} onClick={() => void leave()}>
          {t('shell.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
