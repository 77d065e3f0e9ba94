import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { edit, useDraft } from './draft.ts';
import type { Quote } from './use-quote.ts';

/** Note with the numbers that nobody has and the cost of their messages. It offers to skip them, or to send all the same. */
export function DeadNote({ quote: { dead, currency } }: { quote: Quote }) {
  const { t } = useTranslation();
  const format = useFormat();
  const skips = useDraft((draft) => draft.skip_dead);
  if (!dead) return null;
  const { count, cost } = dead;
  const replace = { count: format.integer(count), cost: format.money(cost, currency) };
  return (
    <Text size="xs" c="dimmed">
      {t(skips ? 'dead_numbers.skipped' : 'dead_numbers.found', { count, replace })}{' '}
      <Anchor component="button" type="button" size="xs" onClick={() => edit({ skip_dead: !skips })}>
        {t(skips ? 'dead_numbers.send' : 'dead_numbers.skip')}
      </Anchor>
    </Text>
  );
}
