import type { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { regionOf } from '@heliograph/contract/kernel/calling-codes';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Anchor, Badge, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { languageTag } from '../../platform/language.ts';
import { useMay } from '../../platform/session.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';

type Data = ReplyOf<typeof dashboard>;
type Period = Record<'from' | 'to', string>;

interface FiguresProps {
  title: string;
  heading: readonly string[];
  children: ReactNode;
  empty: boolean;
  /** Text shown if the table is empty, instead of the usual one. */
  why?: string | undefined;
}

/** Table of figures in a card, or the reason why there are none. */
export function Figures(props: FiguresProps) {
  const { t } = useTranslation();
  return (
    <Section title={props.title}>
      {props.empty ? (
        <Text size="sm" c="dimmed">
          {props.why ?? t('dashboard.nothing')}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={320} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                {props.heading.map((name, i) => (
                  <Table.Th key={name} ta={i === 0 ? 'left' : 'right'}>
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>{props.children}</Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Section>
  );
}

/** Figure with a link to the rows behind it, if the user may see them. */
export function Behind(props: { to: string; permission: string; search: Record<string, string>; children: ReactNode }) {
  const allowed = useMay(props.permission);
  if (!allowed) return props.children;
  return (
    <Anchor component={Link} to={props.to} search={props.search} size="sm">
      {props.children}
    </Anchor>
  );
}

/** Row with the outcomes of the messages of one sender or country, linked to those messages. */
function Rate(props: {
  name: string;
  search: Record<string, string>;
  messages: number;
  delivered: number;
  delivery_rate: number | null;
}) {
  const format = useFormat();
  return (
    <Table.Tr>
      <Table.Td>
        <Behind to="/transactions" permission="transactions-index" search={props.search}>
          {props.name}
        </Behind>
      </Table.Td>
      <Table.Td ta="right">{format.integer(props.messages)}</Table.Td>
      <Table.Td ta="right">{format.integer(props.delivered)}</Table.Td>
      <Table.Td ta="right">{props.delivery_rate === null ? '–' : format.percent(props.delivery_rate)}</Table.Td>
    </Table.Tr>
  );
}

/** Table of the delivery rate by sender ID. */
export function Senders({ senders, period }: { senders: Data['senders']; period: Period }) {
  const { t } = useTranslation();
  return (
    <Figures
      title={t('dashboard.senders')}
      heading={(['sender', 'submitted', 'delivered', 'rate'] as const).map((key) => t(`dashboard.${key}`))}
      empty={senders.length === 0}
    >
      {senders.map((row) => (
        <Rate key={row.sender_id} {...row} search={{ ...period, sender_id: row.sender_id }} name={row.sender_id} />
      ))}
    </Figures>
  );
}

/** Table of the delivery rate by country. */
export function Destinations(props: { destinations: Data['destinations']; period: Period; sent: boolean }) {
  const { destinations, period } = props;
  const { t } = useTranslation();
  const names = new Intl.DisplayNames([languageTag()], { type: 'region' });
  const nameOf = (code: string) => {
    const region = regionOf(code);
    return region ? `${names.of(region)} (+${code})` : code ? `+${code}` : t('dashboard.no_country');
  };
  return (
    <Figures
      title={t('dashboard.destinations')}
      heading={(['destination', 'submitted', 'delivered', 'rate'] as const).map((key) => t(`dashboard.${key}`))}
      empty={destinations.length === 0}
      why={props.sent ? t('dashboard.counting') : undefined}
    >
      {destinations.map((row) => (
        <Rate
          key={row.calling_code}
          {...row}
          search={{ ...period, number: row.calling_code }}
          name={nameOf(row.calling_code)}
        />
      ))}
    </Figures>
  );
}

/** Table of the corporations with the most messages. */
export function Customers({ customers, period }: { customers: NonNullable<Data['customers']>; period: Period }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Figures
      title={t('dashboard.customers')}
      heading={(['customer', 'submitted', 'delivered', 'failed'] as const).map((key) => t(`dashboard.${key}`))}
      empty={customers.length === 0}
    >
      {customers.map((row) => (
        <Table.Tr key={row.corporation_id}>
          <Table.Td>
            <Behind
              to="/summary-reports"
              permission="summary-reports-index"
              search={{ ...period, corporation_id: String(row.corporation_id) }}
            >
              {row.corporation_name}
            </Behind>
          </Table.Td>
          <Table.Td ta="right">{format.integer(row.messages)}</Table.Td>
          <Table.Td ta="right">{format.integer(row.delivered)}</Table.Td>
          <Table.Td ta="right">{format.integer(row.failed)}</Table.Td>
        </Table.Tr>
      ))}
    </Figures>
  );
}

/** Colors of the states of links; all others are red. */
export const LINK_COLORS: Readonly<Record<string, string>> = {
  up: 'teal',
  binding: 'blue',
  throttled: 'orange',
  draining: 'gray',
};

/** Table of the links' figures for the period, and for the last minute. */
export function Links({ links, period }: { links: NonNullable<Data['links']>; period: Period }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Figures
      title={t('dashboard.links')}
      heading={(['link', 'submitted', 'rate', 'minute_submitted', 'minute_failed', 'minute_receipts'] as const).map(
        (key) => t(`dashboard.${key}`),
      )}
      empty={links.length === 0}
    >
      {links.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Td>
            <Behind to={`/links/${row.id}`} permission="links-show" search={{}}>
              {row.name}
            </Behind>{' '}
            <Badge variant="light" size="xs" color={LINK_COLORS[row.state] ?? 'red'}>
              {t(keyIn('link_state', row.state))}
            </Badge>
          </Table.Td>
          <Table.Td ta="right">
            <Behind to="/transactions" permission="transactions-index" search={{ ...period, link_id: String(row.id) }}>
              {format.integer(row.days.messages)}
            </Behind>
          </Table.Td>
          <Table.Td ta="right">
            {row.days.delivery_rate === null ? '–' : format.percent(row.days.delivery_rate)}
          </Table.Td>
          {(['submitted', 'failed', 'receipts'] as const).map((count) => (
            <Table.Td key={count} ta="right">
              {format.integer(row[count])}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Figures>
  );
}
