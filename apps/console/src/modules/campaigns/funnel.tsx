import { FIGURE_FIELDS, type Figure } from '@heliograph/contract/kernel/figures';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat } from '../../platform/format.ts';
import type { Campaign } from './campaign-feed.ts';
import classes from './funnel.module.css';

const SENT = ['total', 'processed', 'submitted', 'delivered'] as const;
const ENDS = ['failed', 'expired', 'blocked', 'cancelled'] as const;

const MEANS: Readonly<Record<string, Figure>> = FIGURE_FIELDS['campaigns']!;

/** Recipients who opened short links, and the total number of clicks. */
interface Clicks {
  recipients: number;
  total: number;
}

/** Chart of the outcomes of a campaign's messages, step by step, and of the messages lost on the way. */
export function Funnel({
  campaign,
  clicks = null,
  replies = 0,
}: {
  campaign: Campaign;
  clicks?: Clicks | null;
  /** Number of phones that replied. */
  replies?: number;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const value = { ...campaign, total: campaign.total_count, clicked: clicks?.recipients ?? 0, replies };
  const way = [...SENT, ...(clicks ? (['clicked'] as const) : []), ...(replies > 0 ? (['replies'] as const) : [])];
  const total = Math.max(campaign.total_count, 1);
  const row = (step: (typeof way)[number] | (typeof ENDS)[number]) => {
    const share = Math.min(1, value[step] / total);
    return (
      <div key={step} className={classes.row}>
        <span title={MEANS[step] && t(`figure_means.${MEANS[step]}`)}>{t(`funnel.${step}`)}</span>
        <div className={classes.bar}>
          {value[step] > 0 && (
            <div className={`${classes.fill} ${classes[step]}`} style={{ width: `${share * 100}%` }} />
          )}
        </div>
        <span className={classes.value}>
          {format.integer(value[step])}{' '}
          <span className={classes.share}>{step === 'total' ? '' : shareText(share, format)}</span>
        </span>
      </div>
    );
  };
  const ends = ENDS.filter((step) => value[step] > 0);
  return (
    <>
      <div className={classes.funnel} aria-hidden="true">
        {way.map(row)}
        {ends.length > 0 && <div className={classes.divider} />}
        {ends.map(row)}
      </div>
      {clicks && (
        <Text size="xs" c="dimmed">
          {t('funnel.clicks', { count: clicks.total, n: format.integer(clicks.total) })}
        </Text>
      )}
      {/* In some browsers, a table clips only its rows and leaves its caption visible. */}
      <div className="app-visually-hidden">
        <table>
          <caption>{t('funnel.title')}</caption>
          <tbody>
            {[...way, ...ENDS].map((step) => (
              <tr key={step}>
                <th scope="row">{t(`funnel.${step}`)}</th>
                <td>{format.integer(value[step])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Returns a share as text. It never shows 100 % while some are missing, nor 0 % while some exist. */
function shareText(share: number, format: Format): string {
  if (share > 0 && share < 0.001) return `<${format.percent(0.001)}`;
  return format.percent(share < 1 ? Math.min(share, 0.999) : 1);
}
