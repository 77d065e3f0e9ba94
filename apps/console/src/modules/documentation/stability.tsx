import type { STABILITIES } from '@heliograph/contract/documentation/change-log';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const COLORS = { development: 'gray', alpha: 'orange', beta: 'yellow', candidate: 'blue', stable: 'teal' } as const;

/** Badge that shows how stable a version is. */
export function StabilityBadge({ stability }: { stability: (typeof STABILITIES)[number] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[stability]}>
      {t(`stability.${stability}`)}
    </Badge>
  );
}
