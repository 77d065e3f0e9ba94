import { FIGURE_FIELDS, type Figure, onTheirWay } from '@heliograph/contract/kernel/figures';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { CountUp } from '../../ui/count-up.tsx';
import { Section } from '../../ui/section.tsx';
import { DeliveriesChart } from './deliveries-chart.tsx';
import { Failures } from './failures.tsx';
import bar from './progress-bar.module.css';
import { type Outcome, ProgressBar } from './progress-bar.tsx';
import classes from './results.module.css';
import { LiveFigures } from './running-campaigns.tsx';
import { PauseReason } from './schedule-words.tsx';
import type { CampaignDetail } from './timeline.tsx';

const MEANS: Readonly<Record<string, Figure>> = FIGURE_FIELDS['campaigns']!;

interface Shown {
  key: string;
  label: string;
  /** A number counts to its new value when it changes. */
  value: string | number;
  /** Share of the campaign's messages, or of the delivered ones. */
  share?: string | undefined;
  /** Outcome whose color the bar has for it. */
  outcome?: Outcome;
  means?: string | undefined;
}

/** Results of a campaign: one bar, one set of figures, deliveries over time, and the reasons of failures. */
export function Results({ campaign }: { campaign: CampaignDetail }) {
  const { t } = useTranslation();
  const underWay = campaign.state === 'running' || campaign.state === 'paused';
  const format = useFormat();
  const figures = useFigures(campaign);
  return (
    <Section title={t('funnel.title')}>
      <PauseReason campaign={campaign} />
      <ProgressBar campaign={campaign} height={16} />
      {underWay && <LiveFigures campaign={campaign} brief />}
      <dl className={classes.figures}>
        {figures.map(({ key, label, value, share, outcome, means }) => (
          <div key={key} title={means}>
            <dt>
              {outcome && <span className={`${bar.dot} ${bar[outcome]}`} aria-hidden="true" />}
              {label}
            </dt>
            <dd>
              {typeof value === 'number' ? <CountUp of={value} write={format.integer} /> : value}{' '}
              {share && <span className={classes.share}>{share}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {campaign.delivered > 0 && <DeliveriesChart id={campaign.id} live={underWay} />}
      {(campaign.failures.length > 0 || campaign.finished_at) && (
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {t('campaign.failures')}
          </Text>
          <Failures failures={campaign.failures} />
        </Stack>
      )}
    </Section>
  );
}

/** Returns the figures in the order in which a message meets them. Outcomes that nobody met are left out. */
function useFigures(campaign: CampaignDetail): Shown[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { total_count, delivered, clicks, replies, opt_outs } = campaign;
  const total = Math.max(1, total_count);
  const counted = (key: 'submitted' | 'delivered' | 'failed' | 'expired' | 'blocked' | 'cancelled'): Shown => ({
    key,
    label: t(`funnel.${key}`),
    value: campaign[key],
    share: campaign[key] > 0 ? shareText(campaign[key] / total, format.percent) : undefined,
    ...(key === 'submitted' ? {} : { outcome: key }),
    means: MEANS[key] && t(`figure_means.${MEANS[key]}`),
  });
  const plain = (key: string, label: string, value: string | number, means?: string): Shown => ({
    key,
    label,
    value,
    means,
  });
  const waits = Math.max(0, total_count - campaign.processed);
  const onWay = onTheirWay(campaign);
  const ofDelivered = (count: number) =>
    delivered > 0 ? shareText(Math.min(1, count / delivered), format.percent) : '';
  return [
    plain('total', t('funnel.total'), total_count),
    counted('submitted'),
    counted('delivered'),
    counted('failed'),
    ...(['expired', 'blocked', 'cancelled'] as const).filter((key) => campaign[key] > 0).map(counted),
    ...(onWay > 0 ? [{ ...plain('way', t('outcome.submitted'), onWay), outcome: 'submitted' as const }] : []),
    ...(waits > 0 && !campaign.finished_at ? [plain('waits', t('campaign.waits'), waits)] : []),
    ...(clicks
      ? [
          {
            ...plain('clicked', t('funnel.clicked'), clicks.recipients),
            share: ofDelivered(clicks.recipients),
            means: t('funnel.clicks', { count: clicks.total, n: format.integer(clicks.total) }),
          },
        ]
      : []),
    { ...plain('replies', t('funnel.replies'), replies), share: replies ? ofDelivered(replies) : '' },
    {
      ...plain('opt_outs', t('funnel.opt_outs'), opt_outs),
      share: opt_outs ? ofDelivered(opt_outs) : '',
    },
    // Charges follow the deliveries with a delay. The division is true only at the end.
    ...(delivered > 0 && campaign.finished_at
      ? [
          plain(
            'each',
            t('funnel.each'),
            format.money(fromThousandths(Math.round(toThousandths(campaign.charged) / delivered)), campaign.currency),
          ),
        ]
      : []),
  ];
}

/** Returns a share as text. It never shows 100 % while some are missing, nor 0 % while some exist. */
function shareText(share: number, percent: (share: number) => string): string {
  if (share > 0 && share < 0.001) return `<${percent(0.001)}`;
  return percent(share < 1 ? Math.min(share, 0.999) : 1);
}
