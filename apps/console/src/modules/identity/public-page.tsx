import { LOCALE_NAMES, LOCALES } from '@heliograph/contract/kernel/scope';
import { ActionIcon, Box, Group, Stack, Text, Title, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Brand } from '../../platform/brand.tsx';
import { chooseLocale, currentLocale } from '../../platform/language.ts';
import { loadPage } from '../../platform/page.ts';
import { useSession } from '../../platform/session.ts';
import { useTabTitle } from '../../platform/title.ts';
import classes from './public-page.module.css';

/** Frame of the screens before sign-in: name and logo, one card, the language and the display mode. */
export function PublicPage(props: { title: string; text?: string; children?: ReactNode; aside?: ReactNode }) {
  const { t } = useTranslation();
  const { colorScheme, toggleColorScheme } = useMantineColorScheme();
  const logo = useSession((s) => s.pageConfigurations?.logging_page_logo);
  useTabTitle();
  const dark = colorScheme === 'dark';
  return (
    <Box className={classes.page}>
      <header className={classes.top}>
        <Group gap={2} component="nav" aria-label={t('shell.language')} wrap="nowrap">
          {LOCALES.map((locale) => (
            <UnstyledButton
              key={locale}
              className={classes.locale}
              data-active={currentLocale() === locale || undefined}
              aria-pressed={currentLocale() === locale}
              onClick={() => void chooseLocale(locale).then(loadPage)}
            >
              {LOCALE_NAMES[locale]}
            </UnstyledButton>
          ))}
        </Group>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t(dark ? 'shell.to_light' : 'shell.to_dark')}
          onClick={toggleColorScheme}
        >
          {dark ? <IconSun size={20} stroke={1.6} /> : <IconMoon size={20} stroke={1.6} />}
        </ActionIcon>
      </header>
      <main className={classes.main}>
        <Stack gap="xl" w="100%">
          <Brand large logo={logo ?? null} />
          <Stack gap="md" className={`app-card ${classes.card}`}>
            <div>
              <Title order={1} size="h3">
                {props.title}
              </Title>
              {props.text && (
                <Text c="dimmed" size="sm" mt={4}>
                  {props.text}
                </Text>
              )}
            </div>
            {props.children}
          </Stack>
          {props.aside}
        </Stack>
      </main>
    </Box>
  );
}
