import { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { Anchor, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { AllSpend } from '../../resource/all-spend.tsx';
import { CountUp } from '../../ui/count-up.tsx';
import { changeOf, KpiTile } from '../../ui/kpi-tile.tsx';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import { useFirstRun } from '../organizations/index.ts';
import { OwnCredit, useRunway } from './credit.tsx';
import classes from './dashboard.module.css';
import {
  DeliveredTile,
  FailedTile,
  Greeting,
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
  const days = useDays();
  const query = useTraffic(days);
  const credit = useRunway();
  const first = useFirstRun();
  const seesCredit = useMay('billing-accounts-index');
  return (
    <>
      <Greeting days={days} of={dashboard} sendFirst />
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
        amounts ? (
          <>
            {t('dashboard.spend_others', { amounts })}
            <AllSpend sum={data.all_spend} />
          </>
        ) : (
          t('dashboard.today_count', { count: 2, replace: { count: format.money(today.spend, currency) } })
        )
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
      value={<CountUp of={totals.replies} write={format.integer} />}
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
  const rows = [
    { to: '/pending-campaigns', label: t('dashboard.pending'), count: data.pending_campaigns },
    { to: '/running-campaigns', label: t('dashboard.running'), count: data.running_campaigns },
    { to: '/schedule-campaigns', label: t('dashboard.scheduled'), count: data.scheduled_campaigns },
    {
      to: '/transactions',
      search: { ...periodOf(data), state: 'pending' },
      label: t('dashboard.waiting'),
      count: data.waiting,
    },
    { to: '/number-lists', label: t('dashboard.lists'), count: data.number_lists },
  ];
  return (
    <Section title={t('dashboard.work')}>
      <Stack gap={6}>
        {mayRead && <Count to="/inbox" label={t('dashboard.unread')} count={unread} />}
        {rows.map((row) => (
          <Count key={row.to} {...row} />
        ))}
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

interface CountProps {
  to: string;
  search?: Record<string, string>;
  label: string;
  count: number;
}

/** Number with a link to the screen behind it, if the user may open that screen. */
function Count(props: CountProps) {
  const format = useFormat();
  const allowed = useMay(`${props.to.slice(1)}-index`);
  return (
    <Group justify="space-between" wrap="nowrap">
      {allowed ? (
        <Anchor component={Link} to={props.to} {...(props.search ? { search: props.search } : {})} size="sm">
          {props.label}
        </Anchor>
      ) : (
        <Text size="sm">{props.label}</Text>
      )}
      <Text fw={600}>{format.integer(props.count)}</Text>
    </Group>
  );
}
