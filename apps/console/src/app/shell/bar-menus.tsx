import { updateProfile } from '@heliograph/contract/identity/session';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { LOCALE_NAMES, LOCALE_TAGS, LOCALES } from '@heliograph/contract/kernel/scope';
import { screenOf } from '@heliograph/contract/kernel/screen-list';
import { Badge, Group, Menu, Stack, Text, useMantineColorScheme } from '@mantine/core';
import {
  IconCheck,
  IconHourglassHigh,
  IconLogout,
  IconMoon,
  IconRoute,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { chooseLocale, currentLocale } from '../../platform/language.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { leave } from '../../platform/sign-in.ts';
import { Link } from '../../ui/link.tsx';
import { Outstanding } from './outstanding.tsx';
import classes from './shell.module.css';

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
        <Menu.Item component={Link} to="." hash="tour" leftSection={<IconRoute size={18} stroke={1.6} />}>
          {t('tour.open')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={18} stroke={1.6} />} onClick={() => void leave()}>
          {t('shell.sign_out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
