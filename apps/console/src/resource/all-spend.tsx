import type { consolidated } from '@heliograph/contract/kernel/consolidated';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useFormat } from '../platform/format.ts';

/** Sum of several currencies in one, with the rates and their days, and the currencies that are not in it. */
export function AllSpend({ sum }: { sum: z.output<typeof consolidated> }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!sum) return null;
  const rates = sum.rates.map(({ currency, rate, day }) =>
    t('consolidated.rate', { currency, rate, to: sum.currency, day: format.date(day) }),
  );
  return (
    <Text size="xs" c="dimmed" component="span" display="block">
      {rates.length > 0 &&
        t('consolidated.sum', { amount: format.money(sum.amount, sum.currency), rates: rates.join(', ') })}
      {sum.missing.length > 0 && ` ${t('consolidated.missing', { currencies: sum.missing.join(', ') })}`}
    </Text>
  );
}
