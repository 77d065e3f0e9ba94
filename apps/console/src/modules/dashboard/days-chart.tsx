import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import type { Fate } from '../../ui/chart-colors.ts';
import { FateBars } from '../../ui/fate-bars.tsx';

type Day = Readonly<Record<Fate | 'messages' | 'replies', number>> & { date: string };

const COLUMNS = ['messages', 'delivered', 'failed', 'expired', 'blocked', 'replies'] as const;
/** Maximum number of days labeled with weekday and date. More days have room only for the date. */
const FEW_DAYS = 12;

/** Chart of the message outcomes of each day. */
export function DaysChart({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const few = days.length <= FEW_DAYS;
  return (
    <FateBars
      title={t('dashboard.chart_title')}
      height={300}
      labelWidth={few ? 62 : 28}
      nameOf={(fate) => t(`dashboard.${fate}`)}
      format={format.integer}
      bars={days.map((day) => ({
        ...day,
        key: day.date,
        label: format.date(day.date, few ? 'short' : 'day'),
        words: t('dashboard.chart_label', {
          date: format.date(day.date),
          messages: format.integer(day.messages),
          delivered: format.integer(day.delivered),
          failed: format.integer(day.failed),
          expired: format.integer(day.expired),
          blocked: format.integer(day.blocked),
        }),
      }))}
      table={{
        summary: t('summary.table'),
        label: t('dashboard.chart_title'),
        head: [t('dashboard.day'), ...COLUMNS.map((c) => t(`dashboard.${c === 'messages' ? 'submitted' : c}`))],
        rows: days.map((day) => [format.date(day.date), ...COLUMNS.map((column) => format.integer(day[column]))]),
      }}
    />
  );
}
