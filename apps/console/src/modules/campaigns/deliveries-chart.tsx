import { campaignDeliveries } from '@heliograph/contract/campaigns/campaign';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { groupMinutes } from '../../ui/chart-scale.ts';
import { TimeChart } from '../../ui/time-chart.tsx';

const REFRESH_MS = 10_000;
/** Maximum number of bars; more would be thinner than a pointer. */
const BARS = 60;

/** Chart of the delivered messages over time, by minute or by the next larger step that fits. */
export function DeliveriesChart({ id, live, height = 150 }: { id: number; live: boolean; height?: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const read = useQuery({
    queryKey: ['campaigns', 'deliveries', id],
    queryFn: ({ signal }) => call(campaignDeliveries, { params: { id }, signal }),
    refetchInterval: live ? REFRESH_MS : false,
  });
  const { bars, step } = groupMinutes(read.data?.data ?? [], BARS);
  if (bars.length < 2) return null;
  const clock = (minute: string) => format.time(minute).replace(/(\d+:\d+):\d+/, '$1');
  return (
    <TimeChart
      label={t('campaign.deliveries', { count: step })}
      kind="bars"
      height={height}
      series={[{ key: 'delivered', label: t('funnel.delivered'), color: 'var(--mantine-color-teal-6)' }]}
      points={bars.map(({ minute, delivered }) => ({
        key: minute,
        label: clock(minute),
        title: format.instant(minute),
        values: { delivered },
      }))}
      format={format.integer}
      table={{ summary: t('campaign.deliveries', { count: step }), when: t('campaign.minute') }}
    />
  );
}
