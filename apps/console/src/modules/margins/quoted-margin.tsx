import type { quoteMargin } from '@heliograph/contract/margins/quote-margin';
import { Alert, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useFormat } from '../../platform/format.ts';
import { Amount } from './amount.tsx';

/** Maximum number of destinations that are listed. */
const SHOWN = 5;

/** Expected margin of a quote, with the destinations that bring a loss. Only the platform's people get the figures. */
export function QuotedMargin({ margin }: { margin: z.output<typeof quoteMargin> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { losses, currency, unknown_parts } = margin;
  const loses = margin.margin.startsWith('-');
  return (
    <Alert color={loses ? 'red' : losses.length > 0 ? 'orange' : 'gray'} variant="light" title={t('loss.quoted')}>
      <Stack gap={4}>
        <Text size="sm">
          {t('loss.sum', {
            price: format.money(margin.price, currency),
            cost: format.money(margin.cost, currency),
            margin: format.money(margin.margin, currency),
          })}
        </Text>
        {unknown_parts > 0 && (
          <Text size="sm">{t('loss.unknown', { count: unknown_parts, n: format.integer(unknown_parts) })}</Text>
        )}
        {losses.slice(0, SHOWN).map((row) => (
          <Text key={`${row.network} ${row.link_name}`} size="sm">
            {row.network || t('margin.unknown')} · {row.link_name} ·{' '}
            <Amount value={row.margin} currency={currency} signed />
          </Text>
        ))}
        {losses.length > SHOWN && (
          <Text size="xs" c="dimmed">
            {t('loss.more', { count: losses.length - SHOWN })}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
