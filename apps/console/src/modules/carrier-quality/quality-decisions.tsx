import { carrierQualityDecisions } from '@heliograph/contract/carrier-quality/carrier-quality';
import type { QueryOf } from '@heliograph/contract/kernel/operation';
import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { latencyText } from './latency-text.ts';
import { QualityBadge } from './quality-badge.tsx';

type Place = Pick<QueryOf<typeof carrierQualityDecisions>, 'link_id' | 'network_id' | 'sender_kind'>;

/** Number of decisions that are shown. */
const SHOWN = 20;

/** Heading and latest decisions about a link for one network and kind of sender. */
export function QualityDecisions(place: Place) {
  const { t } = useTranslation();
  return (
    <Stack gap={6} p="sm">
      <Text size="sm" fw={600}>
        {t('carrier_quality.decisions')}
      </Text>
      <DecisionList {...place} />
    </Stack>
  );
}

/** Latest decisions about a link, or about it for one network and kind of sender, with their evidence. */
export function DecisionList({ link_id, network_id, sender_kind }: Place) {
  const { t } = useTranslation();
  const format = useFormat();
  const query = { link_id, network_id, sender_kind, limit: SHOWN };
  const { data } = useQuery({
    queryKey: ['carrier-quality', 'decisions', query],
    queryFn: ({ signal }) => call(carrierQualityDecisions, { query, signal }),
  });
  const rows = data?.data ?? [];
  return (
    <Stack gap={6}>
      {data && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('carrier_quality.no_decisions')}
        </Text>
      )}
      {rows.map((row) => (
        <Group key={row.id} gap="xs">
          <Text size="sm" c="dimmed">
            {format.instant(row.decided_at)}
          </Text>
          <QualityBadge state={row.state} state_since={null} cause={row.cause} />
          {network_id === undefined && (
            <Text size="sm">
              {row.network_name ?? t('carrier_quality.unknown_network')} · {t(`sender_kind.${row.sender_kind}`)}
            </Text>
          )}
          {row.cause && <Text size="sm">{t(`decline_cause.${row.cause}`)}</Text>}
          {row.messages > 0 && row.rate !== null && (
            <Text size="sm" c="dimmed">
              {t('carrier_quality.evidence', {
                rate: format.percent(row.rate),
                usual: format.percent(row.usual_rate),
                count: row.messages,
                replace: { count: format.integer(row.messages) },
              })}
            </Text>
          )}
          {row.cause === 'latency' && (
            <Text size="sm" c="dimmed">
              {t('carrier_quality.times', { p95: latencyText(row.p95_ms), usual: latencyText(row.usual_p95_ms) })}
            </Text>
          )}
        </Group>
      ))}
    </Stack>
  );
}
