import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { SummaryPeriod, summaryReports } from '@heliograph/contract/reports/summary-report';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import type { Fate } from '../../ui/chart-colors.ts';
import { FateBars } from '../../ui/fate-bars.tsx';
import { barLabel } from './bar-label.ts';

type Series = ReplyOf<typeof summaryReports>['series'];

const FATES = ['delivered', 'failed', 'expired', 'blocked'] as const satisfies readonly Fate[];
const COUNTS = ['messages', 'parts', 'delivered', 'failed', 'blocked', 'expired'] as const;

/** Chart of the message outcomes of each period. */
export function SummaryChart({ series, period: unit }: { series: Series; period: SummaryPeriod }) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = (field: string) => labelOf('summary-reports', field);
  return (
    <FateBars
      title={t('summary.chart')}
      height={220}
      nameOf={nameOf}
      format={format.integer}
      bars={series.map((period) => {
        const label = barLabel(period.starts_on, unit, format);
        const days = [...new Set([period.starts_on, period.ends_on])].map((day) => format.date(day)).join(' – ');
        const counts = FATES.map((fate) => `${nameOf(fate)} ${format.integer(period[fate])}`);
        return { ...period, key: period.starts_on, label, words: `${days}: ${counts.join(', ')}` };
      })}
      table={{
        summary: t('summary.table'),
        label: t('summary.figures'),
        head: ['starts_on', 'ends_on', ...COUNTS].map(nameOf),
        rows: series.map((period) => [
          format.date(period.starts_on),
          format.date(period.ends_on),
          ...COUNTS.map((count) => format.integer(period[count])),
        ]),
      }}
    />
  );
}
