import { onTheirWay } from '@heliograph/contract/kernel/figures';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import type { Campaign } from './campaign-feed.ts';
import classes from './progress-bar.module.css';

export const OUTCOMES = ['delivered', 'submitted', 'failed', 'expired', 'blocked', 'cancelled'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * Counts the messages of a campaign by their present outcome, each once. `submitted` are those without a final outcome
 * yet.
 */
export function outcomesOf(campaign: Campaign): Record<Outcome, number> {
  const { delivered, failed, expired, blocked, cancelled } = campaign;
  return { delivered, submitted: onTheirWay(campaign), failed, expired, blocked, cancelled };
}

/** Bar of a campaign's progress, in the colors of its outcomes. It never moves backward. */
export function ProgressBar(props: { campaign: Campaign; height?: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { campaign } = props;
  const furthest = useRef(0);
  const total = Math.max(campaign.total_count, campaign.processed, 1);
  furthest.current = Math.max(furthest.current, campaign.processed / total);
  const share = furthest.current;
  const outcomes = outcomesOf(campaign);
  const sum = Math.max(
    1,
    OUTCOMES.reduce((all, outcome) => all + outcomes[outcome], 0),
  );
  return (
    <div
      className={classes.track}
      style={{ height: props.height ?? 10 }}
      role="progressbar"
      aria-label={t('campaign.progress_of', { name: campaign.name })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.floor(share * 100)}
      aria-valuetext={format.percent(share)}
    >
      {OUTCOMES.map((outcome) => (
        <div
          key={outcome}
          className={`${classes.piece} ${classes[outcome]}`}
          style={{ width: `${(outcomes[outcome] / sum) * share * 100}%` }}
        />
      ))}
    </div>
  );
}

/** Numbers behind the bar. */
export function Legend({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  const outcomes = outcomesOf(campaign);
  return (
    <ul className={classes.legend}>
      {OUTCOMES.filter((outcome) => outcome === 'delivered' || outcome === 'failed' || outcomes[outcome] > 0).map(
        (outcome) => (
          <li key={outcome} title={t(`figure_means.${outcome}`)}>
            <span className={`${classes.dot} ${classes[outcome]}`} aria-hidden="true" />
            {t(`outcome.${outcome}`)} <b>{format.integer(outcomes[outcome])}</b>
          </li>
        ),
      )}
    </ul>
  );
}
