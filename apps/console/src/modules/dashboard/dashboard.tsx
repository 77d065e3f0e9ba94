import { dashboard } from '@heliograph/contract/delivery/dashboard';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Anchor, Badge, Button, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconSend, IconSpeakerphone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { type Format, useFormat } from '../../platform/format.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { CAMPAIGN_COLORS } from '../../ui/state-colors.ts';
import classes from './dashboard.module.css';
import { DaysChart } from './days-chart.tsx';

type Data = ReplyOf<typeof dashboard>;

export function Dashboard() {
  const { t } = useTranslation();
  const name = useSession((s) => s.profile?.name ?? '');
  const maySend = useMay('campaigns-create');
  const query = useQuery({
    queryKey: ['dashboard'],
    queryFn: ({ signal }) => call(dashboard, { signal }),
    refetchInterval: 15_000,
  });
  return (
    <>
      <PageHeader
        title={t('dashboard.greeting', { name })}
        subtitle={t('dashboard.subtitle')}
        actions={
          maySend && (
            <Button component={Link} to="/send-sms" leftSection={<IconSend size={16} stroke={1.6} />}>
              {t('dashboard.send')}
            </Button>
          )
        }
      />
      {query.data ? (
        <Overview data={query.data} />
      ) : query.error ? (
        <LoadError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Waiting />
      )}
    </>
  );
}

function Overview({ data }: { data: Data }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { today } = data;
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <Stat label={t('dashboard.messages_today')} value={format.integer(today.messages)}>
          {t('dashboard.parts', { count: today.parts, replace: { count: format.integer(today.parts) } })}
        </Stat>
        <Stat label={t('dashboard.delivered')} value={deliveredShare(data.days, format)}>
          {t('dashboard.of_decided')}
        </Stat>
        <Stat label={t('dashboard.spend_today')} value={format.money(today.spend, data.currency)}>
          {t('dashboard.failed')}: {format.integer(today.failed)} · {t('dashboard.expired')}:{' '}
          {format.integer(today.expired)}
        </Stat>
        <Paper className={`app-card ${classes.links}`}>
          <Count
            to="/running-campaigns"
            permission="running-campaigns-index"
            label={t('dashboard.running')}
            count={data.running_campaigns}
          />
          <Count
            to="/pending-campaigns"
            permission="pending-campaigns-index"
            label={t('dashboard.pending')}
            count={data.pending_campaigns}
          />
          <Count
            to="/number-lists"
            permission="number-lists-index"
            label={t('dashboard.lists')}
            count={data.number_lists}
          />
        </Paper>
      </SimpleGrid>
      <div className={classes.columns}>
        <DaysChart days={data.days} />
        <Section title={t('dashboard.recent')}>
          <Recent campaigns={data.recent_campaigns} />
        </Section>
      </div>
    </Stack>
  );
}

function Stat(props: { label: string; value: string; children: ReactNode }) {
  return (
    <Paper className="app-card" p="lg">
      <Text size="sm" c="dimmed">
        {props.label}
      </Text>
      <Text className={classes.value!}>{props.value}</Text>
      <Text size="xs" c="dimmed">
        {props.children}
      </Text>
    </Paper>
  );
}

function Count(props: { to: string; permission: string; label: string; count: number }) {
  const format = useFormat();
  const allowed = useMay(props.permission);
  return (
    <Group justify="space-between" wrap="nowrap">
      {allowed ? (
        <Anchor component={Link} to={props.to} size="sm">
          {props.label}
        </Anchor>
      ) : (
        <Text size="sm">{props.label}</Text>
      )}
      <Text fw={600}>{format.integer(props.count)}</Text>
    </Group>
  );
}

function Recent({ campaigns }: { campaigns: Data['recent_campaigns'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayShow = useMay('campaigns-show');
  if (campaigns.length === 0)
    return (
      <EmptyState
        icon={<IconSpeakerphone size={28} stroke={1.5} />}
        title={t('dashboard.recent_empty')}
        text={t('dashboard.recent_empty_hint')}
      />
    );
  return (
    <Stack gap={0}>
      {campaigns.map((campaign) => (
        <div key={campaign.id} className={classes.campaign}>
          <div style={{ minWidth: 0 }}>
            {mayShow ? (
              <Anchor
                component={Link}
                to={`/campaign-history/${campaign.id}`}
                size="sm"
                fw={500}
                truncate
                display="block"
              >
                {campaign.name}
              </Anchor>
            ) : (
              <Text size="sm" fw={500} truncate>
                {campaign.name}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {t('dashboard.recent_count', {
                delivered: format.integer(campaign.delivered),
                total: format.integer(campaign.total_count),
              })}
            </Text>
          </div>
          <Badge variant="light" size="sm" color={CAMPAIGN_COLORS[campaign.state] ?? 'gray'} style={{ flexShrink: 0 }}>
            {t(`campaign_state.${campaign.state}`)}
          </Badge>
        </div>
      ))}
    </Stack>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <Stack gap="lg" role="status" aria-label={t('common.loading')}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} h={118} radius="lg" />
        ))}
      </SimpleGrid>
      <Skeleton h={320} radius="lg" />
    </Stack>
  );
}

/** The share of delivered among messages whose fate is known, over the days shown. */
function deliveredShare(days: Data['days'], format: Format): string {
  const sum = (key: 'delivered' | 'failed' | 'expired') => days.reduce((total, day) => total + day[key], 0);
  const decided = sum('delivered') + sum('failed') + sum('expired');
  return decided === 0 ? '–' : format.percent(sum('delivered') / decided);
}
