import { carrierQualityHistory } from '@heliograph/contract/carrier-quality/carrier-quality';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Box, Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { request } from '../../platform/call.ts';
import { type Format, useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { Section } from '../../ui/section.tsx';
import { ChartLegend, TimeChart } from '../../ui/time-chart.tsx';
import { latencyText } from './latency-text.ts';

const HEIGHT = 180;
const CHARTS = [
  {
    name: 'rate',
    title: 'resources.carrier-quality.fields.rate',
    write: (format: Format, value: number) => format.percent(value),
    most: 1,
    series: [{ key: 'rate', color: 'var(--app-good)' }],
  },
  {
    name: 'times',
    title: 'carrier_quality.latency',
    write: (_: Format, value: number) => latencyText(value),
    series: [
      { key: 'p50_ms', color: 'var(--app-chart-1)' },
      { key: 'p95_ms', color: 'var(--app-chart-2)' },
    ],
  },
] as const;

/** Course of the delivery rate and of the times to receipts, for the filters of the list. */
export function QualityChart({ query }: { query: Record<string, string | undefined> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, isPending } = useQuery({
    queryKey: ['carrier-quality', 'history', query],
    queryFn: ({ signal }) =>
      request(carrierQualityHistory, { query, signal }) as Promise<ReplyOf<typeof carrierQualityHistory>>,
    placeholderData: keepPreviousData,
  });
  if (isPending) return <Skeleton h={HEIGHT + 60} mb="md" />;
  const points = data?.data.points ?? [];
  if (points.length === 0) return null;
  const hourly = data?.data.step === 'hour';
  return (
    <Box mb="md">
      <Section title={t('carrier_quality.chart')}>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
          {CHARTS.map((chart) => {
            const series = chart.series.map(({ key, color }) => ({
              key,
              color,
              label: labelOf('carrier-quality', key),
            }));
            return (
              <div key={chart.name}>
                <Group justify="space-between" mb={6}>
                  <Text size="sm" fw={600}>
                    {t(chart.title)}
                  </Text>
                  {series.length > 1 && <ChartLegend series={series} />}
                </Group>
                <TimeChart
                  label={t(chart.title)}
                  kind="lines"
                  height={HEIGHT}
                  series={series}
                  points={points.map((point) => ({
                    key: point.at,
                    label: hourly ? format.clock(point.at) : format.instant(point.at).split(',')[0]!,
                    title: format.instant(point.at),
                    values: { rate: point.rate, p50_ms: point.p50_ms, p95_ms: point.p95_ms },
                  }))}
                  format={(value) => chart.write(format, value)}
                  {...('most' in chart ? { most: chart.most } : {})}
                  table={{ summary: t('carrier_quality.table'), when: t('carrier_quality.when') }}
                />
              </div>
            );
          })}
        </SimpleGrid>
      </Section>
    </Box>
  );
}
