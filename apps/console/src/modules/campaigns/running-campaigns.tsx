import { listRunningCampaigns } from '@heliograph/contract/campaigns/campaign';
import { ActionIcon, Anchor, Button, Group, Pagination, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconRefresh, IconSend, IconWaveSine } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { useListQuery } from '../../resource/list-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RunControls } from './campaign-actions.tsx';
import { type Campaign, CampaignFeed } from './campaign-feed.ts';
import { usePace } from './pace.ts';
import { Legend, ProgressBar } from './progress-bar.tsx';
import classes from './running-campaigns.module.css';
import { StateBadge } from './state-badge.tsx';

/** How often the list is read again, in milliseconds; live events come between. */
const REFRESH_MS = 5_000;
const PER_PAGE = 20;
const NO_FILTERS: readonly string[] = [];

/** What is being sent right now, live. */
export function RunningCampaigns() {
  const { t } = useTranslation();
  const mayCreate = useMay('campaigns-create');
  const query = useListQuery(NO_FILTERS);
  const list = useQuery({
    queryKey: ['campaigns', 'running', query.page],
    queryFn: ({ signal }) =>
      call(listRunningCampaigns, { query: { page: query.page, per_page: PER_PAGE, sort: '-created_at' }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.data;
  const pages = list.data?.meta.pages ?? 1;
  return (
    <>
      <PageHeader
        title={t('menu.running-campaigns')}
        subtitle={t('campaign.running_subtitle')}
        actions={
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('campaign.refresh')}
            title={t('campaign.refresh')}
            loading={list.isRefetching && !list.isPlaceholderData}
            onClick={() => void list.refetch()}
          >
            <IconRefresh size={18} stroke={1.6} />
          </ActionIcon>
        }
      />
      {list.error && !rows ? (
        <div className="app-card" role="alert">
          <EmptyState
            title={t('list.error')}
            text={sentenceOf(list.error)}
            action={<Button onClick={() => void list.refetch()}>{t('actions.retry')}</Button>}
          />
        </div>
      ) : !rows ? (
        <Stack>
          <Skeleton h={148} radius="lg" />
          <Skeleton h={148} radius="lg" />
        </Stack>
      ) : rows.length === 0 ? (
        <div className="app-card">
          <EmptyState
            icon={<IconWaveSine size={28} stroke={1.5} />}
            title={t('campaign.none_running')}
            text={t('campaign.none_running_hint')}
            action={
              mayCreate && (
                <Button component={Link} to="/send-sms" leftSection={<IconSend size={16} aria-hidden />}>
                  {t('menu.send-sms')}
                </Button>
              )
            }
          />
        </div>
      ) : (
        <Stack gap="md">
          {rows.map((campaign) => (
            <RunningCard key={campaign.id} campaign={campaign} />
          ))}
          {pages > 1 && (
            <Pagination
              total={pages}
              value={query.page}
              onChange={(page) => query.set({ page })}
              getControlProps={(control) => ({
                'aria-label': t(`list.${control === 'next' ? 'next_page' : 'previous_page'}`),
              })}
              getItemProps={(page) => ({ 'aria-label': t('list.page', { page }) })}
            />
          )}
        </Stack>
      )}
    </>
  );
}

function RunningCard({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const mayShow = useMay('campaigns-show');
  return (
    <article className={`app-card ${classes.card}`}>
      <CampaignFeed id={campaign.id} />
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Group gap={10} className={classes.name ?? ''}>
            <Title order={2} size="h4" className={classes.name ?? ''}>
              {mayShow ? (
                <Anchor component={Link} to={`/campaign-history/${campaign.id}`} inherit>
                  {campaign.name}
                </Anchor>
              ) : (
                campaign.name
              )}
            </Title>
            <StateBadge state={campaign.state} />
            <Text size="sm" c="dimmed">
              {t('campaign.from_by', { sender: campaign.sender_id, user: campaign.user_name })}
            </Text>
          </Group>
          <Group gap="xs">
            <RunControls campaign={campaign} />
          </Group>
        </Group>
        <ProgressBar campaign={campaign} />
        <LiveFigures campaign={campaign} />
        <Legend campaign={campaign} />
      </Stack>
    </article>
  );
}

/** The figures that move while a campaign runs. */
export function LiveFigures({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  const pace = usePace(campaign.processed, campaign.total_count, campaign.state === 'running');
  const figures: [string, string][] = [
    [t('campaign.scheduled'), format.integer(campaign.total_count)],
    [t('campaign.processed'), format.integer(campaign.processed)],
  ];
  if (campaign.state === 'running') {
    figures.push([
      t('campaign.rate'),
      pace ? t('campaign.per_second', { n: format.integer(Math.round(pace.perSecond)) }) : '–',
    ]);
    figures.push([t('campaign.left'), pace ? durationOf(pace.secondsLeft, t) : '–']);
  }
  return (
    <dl className={classes.figures}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A span of time in the two largest units that say something. */
function durationOf(seconds: number, t: (key: string, values: Record<string, number>) => string): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return t('campaign.seconds', { s: whole });
  const minutes = Math.ceil(whole / 60);
  if (minutes < 60) return t('campaign.minutes', { m: minutes });
  return t('campaign.hours', { h: Math.floor(minutes / 60), m: minutes % 60 });
}
