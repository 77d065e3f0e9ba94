import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { messageMargin } from '@heliograph/contract/margins/message-margin';
import { List, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Section } from '../../ui/section.tsx';
import { Amount } from './amount.tsx';

type Part = ReplyOf<typeof messageMargin>['data']['parts'][number];

/** Section with the cost of a message and the reason for it, for the platform's people. */
export function MessageMargin({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['margins', 'message', id],
    queryFn: ({ signal }) => call(messageMargin, { params: { id }, signal }),
    retry: false,
  });
  if (!data) return null;
  const { parts, currency, ...amounts } = data.data;
  return (
    <Section title={t('loss.message')}>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3 }} spacing="md" m={0}>
        {(['price', 'cost', 'margin'] as const).map((field) => (
          <Fact key={field} label={labelOf('margins', field)}>
            <Amount value={amounts[field]} currency={currency} signed={field === 'margin'} />
          </Fact>
        ))}
      </SimpleGrid>
      {parts.length === 0 ? (
        <Text size="sm">{t('loss.no_parts')}</Text>
      ) : (
        <List size="sm">
          {parts.map((part, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity, and never change their place.
            <List.Item key={place}>
              <PartText part={part} />
            </List.Item>
          ))}
        </List>
      )}
      <Text size="xs" c="dimmed">
        {t('loss.only_platform')}
      </Text>
    </Section>
  );
}

function PartText({ part: { link_name, network, rate } }: { part: Part }) {
  const { t } = useTranslation();
  const format = useFormat();
  const where = { link: link_name, network: network || t('margin.unknown') };
  if (!rate) return t('loss.part_unknown', where);
  return t(rate.charged_on === 'delivery' ? 'loss.part_on_delivery' : 'loss.part', {
    ...where,
    // A rate has up to six decimals, all of which count.
    amount: `${rate.amount} ${rate.currency}`,
    version: format.integer(rate.version),
  });
}
