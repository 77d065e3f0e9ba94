import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { SummaryPeriod, summaryReports } from '@heliograph/contract/reports/summary-report';
import { useTranslation } from 'react-i18next';
import { useFormat, useZone } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { barLabel, todayIn } from '../../resource/period.ts';
import { FateBars } from '../../ui/fate-bars.tsx';

type Series = ReplyOf<typeof summaryReports>['series'];

/** Chart of the message outcomes of each period. */
export function SummaryChart({ series, period: unit }: { series: Series; period: SummaryPeriod }) {
  const { t } = useTranslation();
  const format = useFormat();
  const today = todayIn(useZone());
  const nameOf = (field: string) => labelOf('summary-reports', field);
  const byStart = new Map(series.map((period) => [period.starts_on, period]));
  const column = (count: 'messages' | 'parts') => ({
    label: nameOf(count),
    value: ({ key }: { key: string }) => format.integer(byStart.get(key)?.[count] ?? 0),
  });
  return (
    <FateBars
      title={t('summary.chart')}
      height={220}
      labelWidth={96}
      nameOf={nameOf}
      format={format.integer}
      total={t('chart.total')}
      points={series.map((period) => {
        const days = [...new Set([period.starts_on, period.ends_on])].map((day) => format.date(day)).join(' – ');
        const open = period.ends_on === today;
        return {
          key: period.starts_on,
          label: barLabel(period.starts_on, unit, format),
          title: open ? t('chart.so_far', { date: days }) : days,
          open,
          values: {
            delivered: period.delivered,
            failed: period.failed,
            expired: period.expired,
            blocked: period.blocked,
          },
        };
      })}
      table={{ summary: t('summary.table'), when: nameOf('starts_on'), more: [column('messages'), column('parts')] }}
    />
  );
}
