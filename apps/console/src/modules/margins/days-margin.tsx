import { margins } from '@heliograph/contract/margins/margin';
import { SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { KpiTile } from '../../ui/kpi-tile.tsx';

/** Days of a period at most. */
const MOST_DAYS = 31;

/** Price, cost and margin of a period's traffic, for the platform's people. Days are counted when they are over. */
export function DaysMargin({ period }: { period: { from: string; to: string } }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ['margins', 'days', period],
    queryFn: ({ signal }) => call(margins, { query: { by: 'day', ...period, limit: MOST_DAYS }, signal }),
  });
  if (!data || data.totals.parts === 0) return null;
  const { totals, currency, counted_to } = data;
  const days = [...data.data].reverse();
  const share = Number(totals.price) > 0 ? Number(totals.margin) / Number(totals.price) : null;
  const unknown =
    totals.unknown_parts > 0
      ? t('loss.unknown', { count: totals.unknown_parts, n: format.integer(totals.unknown_parts) })
      : null;
  const subs = {
    price: counted_to ? t('margin.counted_to', { day: format.date(counted_to) }) : t('margin.not_counted'),
    cost: unknown ?? t('margin.cost_hint'),
    margin: share === null ? '–' : t('resale.of_revenue', { share: format.percent(share) }),
  };
  return (
    <section aria-label={t('menu.margins')}>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {(['price', 'cost', 'margin'] as const).map((field) => (
          <KpiTile
            key={field}
            label={labelOf('margins', field)}
            value={format.money(totals[field], currency)}
            sub={subs[field]}
            spark={days.map((day) => Number(day[field]))}
            to="/margins"
            search={period}
          />
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt={6}>
        {t('loss.only_platform')}
      </Text>
    </section>
  );
}
