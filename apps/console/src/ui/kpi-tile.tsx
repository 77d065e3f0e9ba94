import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './kpi-tile.module.css';
import { Link } from './link.tsx';
import { Sparkline } from './sparkline.tsx';

/**
 * KpiTile: one figure of a dashboard.
 *
 *   <KpiTile
 *     label={t('dashboard.delivered')}
 *     value={format.integer(now)}
 *     sub={format.integer(ofToday)}
 *     change={changeOf(now, before, format.percent, 'up')}   // the period before; 'up' is good, 'down' is bad
 *     spark={days.map((day) => day.delivered)}
 *     to="/transactions" search={{ state: 'delivered' }}     // only if the user may open it
 *   />
 *
 * Figures are ink, never the color of links. The whole tile is the link.
 */
export interface KpiTileProps {
  label: string;
  value: ReactNode;
  /** Definition of the figure, shown when the pointer rests on the label. */
  means?: string | undefined;
  /** Note below the figure. */
  sub?: ReactNode;
  change?: Change | undefined;
  /** The figure by day or minute, oldest first. */
  spark?: readonly number[] | undefined;
  to?: string | undefined;
  search?: Record<string, string> | undefined;
}

/** Change of a figure against the period before. */
export interface Change {
  text: string;
  tone: 'good' | 'bad' | 'neutral';
}

/**
 * Returns the change from `before` to `now`; undefined if nothing was there before. `good` is the direction that
 * pleases: with `up`, a fall is shown as bad.
 */
export function changeOf(
  now: number,
  before: number,
  percent: (share: number) => string,
  good?: 'up' | 'down',
): Change | undefined {
  if (before === 0) return undefined;
  const share = (now - before) / Math.abs(before);
  const sign = share > 0 ? '+' : share < 0 ? '−' : '±';
  const tone = good === undefined || share === 0 ? 'neutral' : share > 0 === (good === 'up') ? 'good' : 'bad';
  return { text: `${sign}${percent(Math.abs(share))}`, tone };
}

/** Characters of a figure above which its course is drawn smaller. */
const LONG = 8;

export function KpiTile(props: KpiTileProps) {
  const { t } = useTranslation();
  const { label, to, change, means } = props;
  return (
    <Paper className={`app-card ${classes.tile}`}>
      <span className={classes.label} {...(means ? { title: means } : {})}>
        {to === undefined ? (
          label
        ) : (
          <Link to={to} {...(props.search ? { search: props.search } : {})} className={classes.link!}>
            {label}
          </Link>
        )}
      </span>
      <div className={classes.row}>
        <span className={classes.value}>{props.value}</span>
        {props.spark && <Sparkline values={props.spark} width={String(props.value).length > LONG ? 56 : 96} />}
      </div>
      {(props.sub || change) && (
        <span className={classes.note}>
          {change && (
            <span className={classes[change.tone]} title={t('dashboard.compared', { change: change.text })}>
              <span aria-hidden="true">{change.text}</span>
              <span className="app-visually-hidden">{t('dashboard.compared', { change: change.text })}</span>
            </span>
          )}
          {props.sub && <span>{props.sub}</span>}
        </span>
      )}
    </Paper>
  );
}
