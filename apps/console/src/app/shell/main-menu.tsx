import { screenOf } from '@heliograph/contract/kernel/screen-list';
import { AppShell, Badge, Group, Kbd, NavLink, ScrollArea, Text, UnstyledButton } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Fragment, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { menuLabel } from '../../platform/menu-label.ts';
import { type Menu, useSession } from '../../platform/session.ts';
import type { LinkProps } from '../../ui/link.tsx';
import classes from './main-menu.module.css';
import { MenuIcon } from './menu-icon.tsx';
import { usePinned } from './pins.tsx';

/** Screen whose entry shows how much waits on it. */
const COUNTED = 'sender-requests';

/** Number of things that wait on a screen; nothing if none do. */
function Waiting({ hidden }: { hidden?: boolean }) {
  const { t } = useTranslation();
  const count = useSession((s) => s.senderRequests);
  if (count === 0) return null;
  return (
    <Badge
      size="sm"
      variant="light"
      {...(hidden ? { 'aria-hidden': true } : { 'aria-label': t('shell.waiting', { count }) })}
    >
      {count}
    </Badge>
  );
}

/** Main menu as the server sent it, without entries that have no screen. */
export function MainMenu(props: { current: string | undefined; onKeys: () => void }) {
  const { t } = useTranslation();
  const menus = useSession((s) => s.menus);
  const pinned = usePinned();
  const entries = menus
    .map((entry) => ({ ...entry, children: entry.children.filter((child) => screenOf(child.url)) }))
    .filter((entry) => entry.children.length > 0 || screenOf(entry.url));
  // A screen may stand in two groups. The group from which it was opened is marked, otherwise the first one.
  const [chosen, setChosen] = useState<string>();
  const holders = entries.filter(({ children }) => children.some(({ url }) => url === props.current));
  const marked = (holders.find(({ title }) => title === chosen) ?? holders[0])?.title;
  return (
    <>
      <AppShell.Section grow component={ScrollArea} type="scroll" scrollbarSize={6}>
        <div className={classes.menu}>
          {pinned.length > 0 && (
            <div className={classes.pinned}>
              <Text className={classes.heading!}>{t('shell.pinned')}</Text>
              {pinned.map((entry) => (
                <Entry key={entry.url} entry={entry} current={undefined} nested />
              ))}
            </div>
          )}
          {entries.map((entry) =>
            entry.children.length === 0 ? (
              <Entry key={entry.title} entry={entry} current={props.current} />
            ) : (
              <Submenu
                key={entry.title}
                entry={entry}
                current={entry.title === marked ? props.current : undefined}
                onChoose={() => setChosen(entry.title)}
              />
            ),
          )}
        </div>
      </AppShell.Section>
      <AppShell.Section className={classes.foot!}>
        <UnstyledButton className={classes.keys} onClick={props.onKeys} visibleFrom="md">
          <Group gap={8}>
            <Kbd size="xs">?</Kbd>
            <Text size="xs" c="dimmed">
              {t('shell.keys')}
            </Text>
          </Group>
        </UnstyledButton>
      </AppShell.Section>
    </>
  );
}

function Entry(props: {
  entry: Menu[number] | Menu[number]['children'][number];
  current: string | undefined;
  onChoose?: () => void;
  nested?: boolean;
}) {
  useTranslation(); // labels follow the language
  const { entry } = props;
  const active = entry.url === props.current;
  const root = useRef<HTMLAnchorElement>(null);
  // A long group may hold the current screen below the window's edge.
  useEffect(() => {
    if (active) root.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <NavLink
      ref={root}
      component={MenuLink}
      to={`/${entry.url}`}
      className={classes.entry!}
      noWrap
      label={menuLabel(entry)}
      active={active}
      {...(props.onChoose ? { onClick: props.onChoose } : {})}
      {...(active ? { 'aria-current': 'page' } : {})}
      leftSection={props.nested ? undefined : <MenuIcon name={entry.icon} title={entry.title} />}
      rightSection={entry.url === COUNTED ? <Waiting /> : undefined}
    />
  );
}

/**
 * Link that the router does not mark as current: it compares addresses only, and would mark a screen in both of its
 * groups.
 */
function MenuLink({ to, onClick, ...rest }: LinkProps) {
  const router = useRouter();
  const preload = () => void router.preloadRoute({ to }).catch(() => undefined);
  return (
    <a
      {...rest}
      href={to}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={(event) => {
        onClick?.(event);
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        void router.navigate({ to });
      }}
    />
  );
}

function Submenu(props: { entry: Menu[number]; current: string | undefined; onChoose: () => void }) {
  useTranslation(); // labels follow the language
  const inside = props.entry.children.some((child) => child.url === props.current);
  const [opened, setOpened] = useState<boolean | null>(null);
  return (
    <NavLink
      component="button"
      className={classes.entry!}
      noWrap
      // A closed group that holds the current screen is marked.
      data-holds={(inside && !(opened ?? inside)) || undefined}
      label={
        <Group gap={8} wrap="nowrap">
          {menuLabel(props.entry)}
          {!(opened ?? inside) && props.entry.children.some(({ url }) => url === COUNTED) && <Waiting hidden />}
        </Group>
      }
      leftSection={<MenuIcon name={props.entry.icon} title={props.entry.title} />}
      childrenOffset={30}
      opened={opened ?? inside}
      onChange={setOpened}
      aria-expanded={opened ?? inside}
    >
      {props.entry.children.map((child, place, all) => {
        const heading = child.group && menuLabel(child.group);
        const before = all[place - 1]?.group;
        return (
          <Fragment key={child.url}>
            {heading && heading !== (before && menuLabel(before)) && (
              <Text className={classes.heading!}>{heading}</Text>
            )}
            <Entry entry={child} current={props.current} onChoose={props.onChoose} nested />
          </Fragment>
        );
      })}
    </NavLink>
  );
}
