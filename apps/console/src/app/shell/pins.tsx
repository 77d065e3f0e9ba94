import { screenOf } from '@heliograph/contract/kernel/screen-list';
import { ActionIcon } from '@mantine/core';
import { IconPin, IconPinFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { menuLabel } from '../../platform/menu-label.ts';
import { type Menu, useSession } from '../../platform/session.ts';

/** Paths of the screens that each user of this browser has pinned, by the user's id. */
const usePins = create<{ byUser: Readonly<Record<number, readonly string[]>> }>()(
  persist(() => ({ byUser: {} }), { name: 'pins' }),
);
const NONE: readonly string[] = [];

type Entry = Menu[number] | Menu[number]['children'][number];

/** Menu entries that the user has pinned, as far as the user may open them. */
export function usePinned(): readonly Entry[] {
  const user = useSession((s) => s.profile?.id ?? 0);
  const pins = usePins((s) => s.byUser[user] ?? NONE);
  const menus = useSession((s) => s.menus);
  const entries = menus.flatMap<Entry>((entry) => (entry.children.length > 0 ? entry.children : [entry]));
  return pins.flatMap((path) => entries.filter(({ url }) => url === path && screenOf(url)).slice(0, 1));
}

/** Button beside a screen's title that pins its menu entry to the top of the menu, or removes it from there. */
export function PinScreen({ screen }: { screen: string | undefined }) {
  const { t } = useTranslation();
  const user = useSession((s) => s.profile?.id ?? 0);
  const menus = useSession((s) => s.menus);
  const pins = usePins((s) => s.byUser[user] ?? NONE);
  const entry = menus.flatMap((each) => each.children).find(({ url }) => url === screen);
  if (screen === undefined || !entry) return null;
  const pinned = pins.includes(screen);
  const label = t(pinned ? 'shell.unpin' : 'shell.pin', { screen: menuLabel(entry) });
  const next = pinned ? pins.filter((path) => path !== screen) : [...pins, screen];
  const Icon = pinned ? IconPinFilled : IconPin;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      onClick={() => usePins.setState(({ byUser }) => ({ byUser: { ...byUser, [user]: next } }))}
    >
      <Icon size={17} stroke={1.6} />
    </ActionIcon>
  );
}
