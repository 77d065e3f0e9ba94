import { listRunningCampaigns } from '@heliograph/contract/campaigns/campaign';
import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconSend, IconWaveSine } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { RunControls } from './campaign-actions.tsx';
import { CampaignCards, CampaignName } from './campaign-cards.tsx';
import { type Campaign, CampaignFeed } from './campaign-feed.ts';
import { DeliveriesChart } from './deliveries-chart.tsx';
import { type Pace, usePace, whyNoRate } from './pace.ts';
import { Legend, ProgressBar } from './progress-bar.tsx';
import classes from './running-campaigns.module.css';
import { PauseReason } from './schedule-words.tsx';
import { StateBadge } from './state-badge.tsx';
import { UndoBar } from './undo-bar.tsx';

/** Screen of the campaigns that are being sent now, live; one that can still be undone counts down first. */
export function RunningCampaigns() {
  const { t } = useTranslation();
  const mayCreate = useMay('campaigns-create');
  return (
    <CampaignCards
      which="running"
      operation={listRunningCampaigns}
      refreshEvery={5_000}
      empty={
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
      }
      card={(campaign) => <RunningCard campaign={campaign} />}
    />
  );
}

function RunningCard({ campaign }: { campaign: Campaign }) {
  const mayShow = useMay('campaigns-show');
  const { t } = useTranslation();
  return (
    <article className={`app-card ${classes.card}`}>
      <CampaignFeed id={campaign.id} />
      <Stack gap="sm">
        <UndoBar campaign={campaign} />
        <Group justify="space-between" align="flex-start" gap="xs">
          <Group gap={10} className={classes.name ?? ''}>
            <CampaignName campaign={campaign} />
            <StateBadge state={campaign.state} />
            <Text size="sm" c="dimmed">
              {t('campaign.from_by', { sender: campaign.sender_id, user: campaign.user_name })}
            </Text>
          </Group>
          <Group gap="xs">
            <RunControls campaign={campaign} />
          </Group>
        </Group>
        <PauseReason campaign={campaign} />
        {campaign.undo_seconds === null && (
          <>
            <ProgressBar campaign={campaign} />
            <LiveFigures campaign={campaign} />
            {mayShow && <DeliveriesChart id={campaign.id} live height={110} />}
            <Legend campaign={campaign} />
          </>
        )}
      </Stack>
    </article>
  );
}

/** Figures that change while a campaign runs; `brief` ones leave out those that stand beside them. */
export function LiveFigures({ campaign, brief = false }: { campaign: Campaign; brief?: boolean }) {
  const { t } = useTranslation();
  const format = useFormat();
  const pace = usePace(campaign);
  const figures: [label: string, value: string, means?: string][] = brief
    ? []
    : [
        [t('campaign.scheduled'), format.integer(campaign.total_count)],
        [t('campaign.processed'), format.integer(campaign.processed), t('figure_means.processed')],
        [t('funnel.submitted'), format.integer(campaign.submitted), t('figure_means.accepted')],
      ];
  if (campaign.waiting > 0)
    figures.push([t('campaign.throttled'), format.integer(campaign.waiting), t('figure_means.waiting')]);
  figures.push([
    t('campaign.rate'),
    pace
      ? t('campaign.per_second', { n: format.rate(pace.perSecond) })
      : t(keyIn('campaign.no_rate', whyNoRate(campaign, pace))),
  ]);
  if (pace) figures.push([t('campaign.left'), timeLeft(pace, t)]);
  return (
    <dl className={classes.figures}>
      {figures.map(([label, value, means]) => (
        <div key={label} title={means}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Say = (key: MessageKey, values: Record<string, number | string>) => string;

/** Returns the time that is left as a person would say it: no more exact than the rate is steady. */
function timeLeft({ soonest, latest }: Pace, t: Say): string {
  if (latest <= 60) return t('campaign.under_minute', {});
  const [low, high] = [Math.max(1, Math.round(soonest / 60)), Math.ceil(latest / 60)];
  if (high >= 60) return t('campaign.about_time', { time: durationOf(high, t) });
  return high - low < 2
    ? t('campaign.about_time', { time: durationOf(high, t) })
    : t('campaign.between', { low, time: durationOf(high, t) });
}

const durationOf = (minutes: number, t: Say): string =>
  minutes < 60
    ? t('campaign.minutes', { m: minutes })
    : t('campaign.hours', { h: Math.floor(minutes / 60), m: minutes % 60 });
