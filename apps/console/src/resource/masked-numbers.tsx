import type { Operation } from '@heliograph/contract/kernel/operation';
import { personalOf } from '@heliograph/contract/kernel/personal';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNumbersHidden } from '../platform/session.ts';
import { rowShapeOf } from './columns.tsx';

/** Notice below a list, or a person, whose numbers the user sees masked; nothing for everybody else. */
export function MaskedNumbers({ operation }: { operation?: Operation | undefined }) {
  const { t } = useTranslation();
  const hidden = useNumbersHidden();
  if (!hidden || (operation && !Object.values(rowShapeOf(operation)).some((field) => personalOf(field) === 'number')))
    return null;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {t('numbers.masked')}
    </Text>
  );
}
