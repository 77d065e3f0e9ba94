import { type MenuIcon as Icon, MENU_GROUPS } from '@heliograph/contract/kernel/screen-list';
import {
  IconAddressBook,
  IconAdjustmentsHorizontal,
  IconBook2,
  IconBuilding,
  IconChartBar,
  IconGauge,
  IconMessage2,
  IconPoint,
  IconRoute,
  IconSend,
  IconShieldLock,
  IconTool,
} from '@tabler/icons-react';

const ICONS: Readonly<Record<Icon, typeof IconPoint>> = {
  gauge: IconGauge,
  message: IconMessage2,
  send: IconSend,
  building: IconBuilding,
  addresses: IconAddressBook,
  route: IconRoute,
  adjustments: IconAdjustmentsHorizontal,
  chart: IconChartBar,
  shield: IconShieldLock,
  tool: IconTool,
  book: IconBook2,
};
/** Icons by the titles of the entries that have one. */
const BY_TITLE = new Map<string, Icon | undefined>(
  MENU_GROUPS.flatMap((group) => [...group.screens, group]).map(({ title, icon }) => [title, icon]),
);

/** Icon of a top-level entry: the one of the entry that the server names, otherwise the one of its own title. */
export function MenuIcon(props: { name: string | null; title: string }) {
  const icon = BY_TITLE.get(props.name ?? '') ?? BY_TITLE.get(props.title);
  const Drawn = icon ? ICONS[icon] : IconPoint;
  return <Drawn size={19} stroke={1.6} aria-hidden />;
}
