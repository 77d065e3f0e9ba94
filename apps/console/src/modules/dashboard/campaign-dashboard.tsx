import { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { Anchor, Button, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { FiguresAsOf } from '../../resource/figures-as-of.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { changeOf, KpiTile } from '../../ui/kpi-tile.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { useFirstRun } from '../organizations/index.ts';
import { Count } from './count.tsx';
import { OwnCredit, useRunway } from './credit.tsx';
import classes from './dashboard.module.css';
import {
  DaysControl,
  DeliveredTile,
  FailedTile,
  periodOf,
  type Traffic,
  TrafficParts,
  useDays,
  useTraffic,
  WithTraffic,
} from './traffic.tsx';

/** Height of the card of one account in pixels, for its place until it is read. */
const CREDIT_HEIGHT = 149;

/** Dashboard of people who send: results with their change, credit, and the work that waits. */
export function CampaignDashboard() {
  const { t } = useTranslation();
  const name = useSession((s) => s.profile?.name ?? '');
  const maySend = useMay('campaigns-create');
  const days = useDays();
  const query = useTraffic(days);
  const credit = useRunway();
  const first = useFirstRun();
  const seesCredit = useMay('billing-accounts-index');
  return (
    <>
      <PageHeader
        title={t('dashboard.greeting', { name })}
        subtitle={
          <>
            {t('dashboard.subtitle', { days })}
            <InZone />
            <FiguresAsOf of={dashboard} />
          </>
        }
        actions={
          <>
            <DaysControl days={days} />
            {maySend && (
              <Button component={Link} to="/send-sms" leftSection={<IconSend size={16} stroke={1.6} />}>
                {t('dashboard.send')}
              </Button>
            )}
          </>
        }
      />
      <WithTraffic query={query}>
        {(data) => (
          <Stack gap="lg" style={first.ready ? {} : { visibility: 'hidden' }}>
            {first.panel}
            <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
              <DeliveredTile data={data} />
              <FailedTile data={data} />
              <SpendTile data={data} />
              <RepliesTile data={data} />
            </SimpleGrid>
            <TrafficParts
              data={data}
              side={
                <Stack gap="lg">
                  {credit ? (
                    <OwnCredit title={t('credit.balance')} accounts={credit.own} />
                  ) : (
                    seesCredit && <Skeleton h={CREDIT_HEIGHT} radius="lg" />
                  )}
                  <Work data={data} />
                </Stack>
              }
              extra={<Next campaigns={data.next_campaigns} />}
            />
          </Stack>
        )}
      </WithTraffic>
    </>
  );
}

/** Tile of the spending, with that in other currencies. */
function SpendTile({ data }: { data: Traffic }) {
  const { t } = useTranslation();
  const format = useFormat();
  const maySum = useMay('summary-reports-index');
  const { totals, before, today, days, currency, other_spend } = data;
  const amounts = other_spend.map((other) => format.money(other.amount, other.currency)).join(' · ');
  return (
    <KpiTile
      label={t('dashboard.spend')}
      means={t('figure_means.spend')}
      value={format.money(totals.spend, currency)}
      sub={
        amounts
          ? t('dashboard.spend_others', { amounts })
          : t('dashboard.today_count', { count: 2, replace: { count: format.money(today.spend, currency) } })
      }
      change={changeOf(Number(totals.spend), Number(before.spend), format.percent)}
      spark={days.map((day) => Number(day.spend))}
      {...(maySum && { to: '/summary-reports', search: periodOf(data) })}
    />
  );
}

function RepliesTile({ data }: { data: Traffic }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayRead = useMay('inbox-index');
  const { totals, before, today, days } = data;
  return (
    <KpiTile
      label={t('dashboard.replies')}
      value={format.integer(totals.replies)}
      sub={t('dashboard.today_count', { count: today.replies, replace: { count: format.integer(today.replies) } })}
      change={changeOf(totals.replies, before.replies, format.percent, 'up')}
      spark={days.map((day) => day.replies)}
      {...(mayRead && { to: '/inbox' })}
    />
  );
}

/** Numbers of what is under way or waits for somebody, each with its screen. */
function Work({ data }: { data: Traffic }) {
  const { t } = useTranslation();
  const unread = useSession((s) => s.inboxUnread);
  const mayRead = useMay('inbox-index');
  const waiting = { ...periodOf(data), state: 'pending' };
  return (
    <Section title={t('dashboard.work')}>
      <Stack gap={6}>
        {mayRead && <Count to="/inbox" permission="inbox-index" label={t('dashboard.unread')} count={unread} />}
        <Count
          to="/pending-campaigns"
          permission="pending-campaigns-index"
          label={t('dashboard.pending')}
          count={data.pending_campaigns}
        />
        <Count
          to="/running-campaigns"
          permission="running-campaigns-index"
          label={t('dashboard.running')}
          count={data.running_campaigns}
        />
        <Count
          to="/schedule-campaigns"
          permission="schedule-campaigns-index"
          label={t('dashboard.scheduled')}
          count={data.scheduled_campaigns}
        />
        <Count
          to="/transactions"
          search={waiting}
          permission="transactions-index"
          label={t('dashboard.waiting')}
          count={data.waiting}
        />
        <Count
          to="/number-lists"
          permission="number-lists-index"
          label={t('dashboard.lists')}
          count={data.number_lists}
        />
      </Stack>
    </Section>
  );
}

/** Campaigns that wait for their time, the next one first. */
function Next({ campaigns }: { campaigns: Traffic['next_campaigns'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayShow = useMay('campaigns-show');
  return (
    <Section title={t('dashboard.next')}>
      {campaigns.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('dashboard.next_empty')}
        </Text>
      ) : (
        <ul className={classes.lines}>
          {campaigns.map(({ id, name, starts_at, total_count }) => (
            <li key={id}>
              <div style={{ minWidth: 0 }}>
                {mayShow ? (
                  <Anchor component={Link} to={`/campaign-history/${id}`} size="sm" fw={500} truncate display="block">
                    {name}
                  </Anchor>
                ) : (
                  <Text size="sm" fw={500} truncate>
                    {name}
                  </Text>
                )}
                <Text size="xs" c="dimmed">
                  {t('dashboard.people', { count: total_count, replace: { count: format.integer(total_count) } })}
                </Text>
              </div>
              <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                {format.instant(starts_at)}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
