import { Badge, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Number or name, with a mark if the platform assigned it to another organization. */
export function InEffect(props: { withheld: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  if (!props.withheld) return props.children;
  return (
    <Group gap="xs" wrap="nowrap">
      {props.children}
      <Badge variant="light" size="sm" color="orange" title={t('resources.sender-ids.withheld_hint')}>
        {t('resources.sender-ids.fields.withheld')}
      </Badge>
    </Group>
  );
}
