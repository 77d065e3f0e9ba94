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

const ICONS: Readonly<Record<string, typeof IconPoint>> = {
  dashboards: IconGauge,
  dashboard: IconGauge,
  sms: IconMessage2,
  'send-sms': IconSend,
  corporations: IconBuilding,
  numbers: IconAddressBook,
  routing: IconRoute,
  configurations: IconAdjustmentsHorizontal,
  reports: IconChartBar,
  administration: IconShieldLock,
  engineering: IconTool,
  documentation: IconBook2,
};

/** Icon of a top-level entry: the one that the server names, otherwise the one of its title. */
export function MenuIcon(props: { name: string | null; title: string }) {
  const Icon = ICONS[props.name ?? ''] ?? ICONS[props.title] ?? IconPoint;
  return <Icon size={19} stroke={1.6} aria-hidden />;
}
