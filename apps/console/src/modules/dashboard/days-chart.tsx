import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import type { Fate } from '../../ui/chart-colors.ts';
import { FateBars } from '../../ui/fate-bars.tsx';

type Day = Readonly<Record<Fate | 'messages' | 'replies', number>> & { date: string };

/** Maximum number of days labeled with weekday and date. More days have room only for the date. */
const FEW_DAYS = 12;

/** Chart of the message outcomes of each day. The last day is today, which has not ended. */
export function DaysChart({ days }: { days: readonly Day[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const few = days.length <= FEW_DAYS;
  const byDate = new Map(days.map((day) => [day.date, day]));
  const column = (key: 'messages' | 'replies') => ({
    label: t(`dashboard.${key === 'messages' ? 'submitted' : key}`),
    value: ({ key: date }: { key: string }) => format.integer(byDate.get(date)?.[key] ?? 0),
  });
  return (
    <FateBars
      title={t('dashboard.chart_title')}
      height={300}
      labelWidth={few ? 62 : 28}
      nameOf={(fate) => t(`dashboard.${fate}`)}
      format={format.integer}
      total={t('chart.total')}
      points={days.map((day, i) => {
        const open = i === days.length - 1;
        const date = format.date(day.date);
        return {
          key: day.date,
          label: format.date(day.date, few ? 'short' : 'day'),
          title: open ? t('chart.so_far', { date }) : date,
          values: { delivered: day.delivered, failed: day.failed, expired: day.expired, blocked: day.blocked },
          open,
        };
      })}
      table={{ summary: t('summary.table'), when: t('dashboard.day'), more: [column('messages'), column('replies')] }}
    />
  );
}
