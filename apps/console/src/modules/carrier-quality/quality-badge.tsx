import type { carrierQuality } from '@heliograph/contract/carrier-quality/carrier-quality';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Badge, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';

type QualityRow = ReplyOf<typeof carrierQuality>['data'][number];

const COLORS = { good: 'teal', declined: 'red', trial: 'orange' } as const satisfies Record<
  QualityRow['state'],
  string
>;

/** State of a link for a network and kind of sender, since when and why. */
export function QualityBadge(props: Pick<QualityRow, 'state' | 'state_since' | 'cause'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, state_since, cause } = props;
  const badge = (
    <Badge variant="light" size="sm" color={COLORS[state]} style={{ minWidth: 'max-content' }}>
      {t(`quality_state.${state}`)}
    </Badge>
  );
  if (state === 'good' || state_since === null) return badge;
  const why = [cause && t(`decline_cause.${cause}`), t('carrier_routes.since', { time: format.instant(state_since) })];
  return <Tooltip label={why.filter(Boolean).join(' · ')}>{badge}</Tooltip>;
}
