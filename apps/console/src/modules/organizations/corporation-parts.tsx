import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { corporation } from '@heliograph/contract/organizations/corporation';
import type { corporationOverview } from '@heliograph/contract/organizations/customer';
import { Anchor, Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { RelativeTime } from '../../resource/cells.tsx';
import { labelOf } from '../../resource/columns.tsx';
import { fateColor } from '../../ui/chart-colors.ts';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { TimeChart } from '../../ui/time-chart.tsx';

export type Row = ReplyOf<typeof corporation.get>['data'];
export type Data = ReplyOf<typeof corporationOverview>['data'];

/** Section with the first records of a kind, and a link to the list of all. */
function Part(props: { title: string; to: string; row: Row; empty: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Section
      title={props.title}
      actions={
        <Anchor component={Link} to={props.to} search={{ corporation_id: String(props.row.id) }} size="sm">
          {t('customer.all')}
        </Anchor>
      }
    >
      {props.empty ? (
        <Text size="sm" c="dimmed">
          {t('customer.none')}
        </Text>
      ) : (
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {props.children}
        </Stack>
      )}
    </Section>
  );
}

export function Accounts({ row, accounts }: { row: Row; accounts: Data['accounts'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayOpen = useMay('billing-accounts-show');
  return (
    <Part title={t('menu.billing-accounts')} to="/billing-accounts" row={row} empty={accounts.length === 0}>
      {accounts.map((account) => (
        <Group component="li" key={account.id} justify="space-between" gap="xs" wrap="nowrap">
          <div style={{ minWidth: 0 }}>
            {mayOpen ? (
              <Anchor component={Link} to={`/billing-accounts/${account.id}`} size="sm" fw={500}>
                {account.name}
              </Anchor>
            ) : (
              <Text size="sm" fw={500}>
                {account.name}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {[account.price_plan_name, account.suspended && t('account.state.suspended')].filter(Boolean).join(' · ')}
            </Text>
          </div>
          <Text fz={20} fw={600} style={{ whiteSpace: 'nowrap' }}>
            {format.money(account.credit_balance, row.currency)}
          </Text>
        </Group>
      ))}
    </Part>
  );
}

export function Activity({ row, data }: { row: Row; data: Data }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayLog = useMay('activity-logs-index');
  const time = (at: string | null) => (at === null ? t('customer.never') : <RelativeTime at={at} />);
  return (
    <Section
      title={t('customer.activity')}
      actions={
        mayLog && (
          <Anchor component={Link} to="/activity-logs" search={{ corporation_id: String(row.id) }} size="sm">
            {t('menu.activity-logs')}
          </Anchor>
        )
      }
    >
      <SimpleGrid component="dl" cols={2} spacing="sm" m={0}>
        <Fact label={t('customer.last_message')}>{time(data.last_message_at)}</Fact>
        <Fact label={t('customer.last_sign_in')}>{time(data.last_sign_in_at)}</Fact>
        <Fact label={t('menu.users')}>{format.integer(data.users)}</Fact>
        <Fact label={t('menu.departments')}>{format.integer(data.departments)}</Fact>
        <Fact label={t('customer.spend')}>{format.money(data.spend, row.currency)}</Fact>
        <Fact label={labelOf('corporations', 'created_at')}>{format.date(row.created_at.slice(0, 10))}</Fact>
      </SimpleGrid>
    </Section>
  );
}

export function Traffic({ data }: { data: Data }) {
  const { t } = useTranslation();
  const format = useFormat();
  const label = t('customer.traffic');
  return (
    <Section title={label}>
      <TimeChart
        label={label}
        kind="bars"
        height={180}
        series={[
          { key: 'delivered', label: t('dashboard.delivered'), color: fateColor('delivered') },
          { key: 'other', label: t('customer.not_delivered'), color: fateColor('blocked') },
        ]}
        points={data.days.map(({ date, messages, delivered }, i) => ({
          key: date,
          label: format.date(date, 'day'),
          title: format.date(date),
          values: { delivered, other: Math.max(0, messages - delivered) },
          open: i === data.days.length - 1,
        }))}
        format={format.integer}
        table={{ summary: t('summary.table'), when: t('dashboard.day') }}
      />
    </Section>
  );
}

export function People({ row, data }: { row: Row; data: Data }) {
  const { t } = useTranslation();
  const mayOpen = useMay('users-show');
  return (
    <Part title={t('menu.users')} to="/users" row={row} empty={data.people.length === 0}>
      {data.people.map((person) => (
        <Group component="li" key={person.id} justify="space-between" gap="xs" wrap="nowrap">
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {mayOpen ? (
              <Anchor component={Link} to={`/users/${person.id}`} size="sm" fw={500}>
                {person.name}
              </Anchor>
            ) : (
              <Text size="sm" fw={500}>
                {person.name}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {person.email}
            </Text>
          </div>
          {person.invited && (
            <Badge variant="light" color="orange" style={{ flexShrink: 0 }}>
              {t('invitation.waiting')}
            </Badge>
          )}
        </Group>
      ))}
    </Part>
  );
}

export function Senders({ row, senders }: { row: Row; senders: Data['senders'] }) {
  const { t } = useTranslation();
  const mayOpen = useMay('sender-ids-show');
  return (
    <Part title={t('menu.sender-ids')} to="/sender-ids" row={row} empty={senders.length === 0}>
      {senders.map((sender) => (
        <Group component="li" key={sender.id} justify="space-between" gap="xs">
          {mayOpen ? (
            <Anchor component={Link} to={`/sender-ids/${sender.id}`} size="sm" fw={500}>
              {sender.sender_id}
            </Anchor>
          ) : (
            <Text size="sm" fw={500}>
              {sender.sender_id}
            </Text>
          )}
          {!sender.usable && (
            <Text size="xs" c="dimmed">
              {t('sender.not_usable')}
            </Text>
          )}
        </Group>
      ))}
    </Part>
  );
}
