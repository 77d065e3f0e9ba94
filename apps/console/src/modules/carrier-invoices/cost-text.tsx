import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';

/** Cost in a currency; a cost that is not known is said to be so. */
export function CostText({ value, currency }: { value: string | null; currency: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (value === null)
    return (
      <Text span inherit c="dimmed">
        {t('invoice.unknown')}
      </Text>
    );
  return format.money(value, currency);
}
