import { contents } from '@heliograph/contract/documentation/reader';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { ActionIcon, Burger, Drawer, Group, Skeleton, Text, useMantineColorScheme } from '@mantine/core';
import { IconArrowLeft, IconBook2, IconMoon, IconPrinter, IconSun } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { Link } from '../../ui/link.tsx';
import { Contents } from './contents.tsx';
import classes from './reader.module.css';
import { Search } from './search.tsx';

type All = ReplyOf<typeof contents>;
const ICON = { size: 20, stroke: 1.6 } as const;

/** Reads the contents of the documentation in the current language. */
function useContents() {
  const { i18n } = useTranslation();
  return useQuery({
    queryKey: ['documentation', 'contents', i18n.language],
    queryFn: ({ signal }) => call(contents, { signal }),
  });
}

interface ReaderFrameProps {
  /** Current article, version or reference. */
  current: (all: All) => { article?: number; version?: number; reference?: boolean };
  children: (all: All) => ReactNode;
}

/**
 * Frame around every page of the documentation: the way back, the search, and the contents at the side or in a drawer.
 */
export function ReaderFrame({ current, children }: ReaderFrameProps) {
  const { t } = useTranslation();
  const { colorScheme, toggleColorScheme } = useMantineColorScheme();
  const [open, setOpen] = useState(false);
  const all = useContents();
  const dark = colorScheme === 'dark';
  const tree = all.data && <Contents all={all.data} current={current(all.data)} onChosen={() => setOpen(false)} />;
  return (
    <div className={classes.page}>
      <a href="#content" className="app-skip">
        {t('shell.skip')}
      </a>
      <header className={classes.bar}>
        <Burger
          hiddenFrom="md"
          size="sm"
          opened={open}
          onClick={() => setOpen(true)}
          aria-label={t('documentation.open_contents')}
        />
        <Group gap={8} wrap="nowrap" visibleFrom="xs">
          <IconBook2 {...ICON} color="var(--mantine-primary-color-filled)" aria-hidden />
          <Text fw={600}>{t('menu.documentation')}</Text>
        </Group>
        <Search />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          visibleFrom="xs"
          aria-label={t('documentation.print')}
          title={t('documentation.print')}
          onClick={() => print()}
        >
          <IconPrinter {...ICON} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t(dark ? 'shell.to_light' : 'shell.to_dark')}
          onClick={toggleColorScheme}
        >
          {dark ? <IconSun {...ICON} /> : <IconMoon {...ICON} />}
        </ActionIcon>
        <ActionIcon
          component={Link}
          to="/"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('documentation.back')}
          title={t('documentation.back')}
        >
          <IconArrowLeft {...ICON} />
        </ActionIcon>
      </header>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        position="left"
        size={300}
        title={t('documentation.contents')}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        {tree}
      </Drawer>
      <div className={classes.columns}>
        <nav className={classes.side} aria-label={t('documentation.contents')}>
          {tree ?? <Skeleton h={320} />}
        </nav>
        <main id="content" tabIndex={-1} className={classes.main}>
          {all.error && <LoadError error={all.error} retry={() => void all.refetch()} />}
          {all.isPending && <Skeleton h={320} />}
          {all.data && children(all.data)}
        </main>
      </div>
    </div>
  );
}
