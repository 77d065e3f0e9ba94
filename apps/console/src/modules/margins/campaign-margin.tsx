import { campaignMargin } from '@heliograph/contract/margins/loss';
import { SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Section } from '../../ui/section.tsx';
import { Amount } from './amount.tsx';
import { QuotedMargin } from './quoted-margin.tsx';

/** Interval in ms in which the sums of a campaign are read again. */
const REFRESH_MS = 15_000;

/** Price, cost and margin of a campaign, for the platform's people. */
export function CampaignMargin({ id }: { id: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ['margins', 'campaign', id],
    queryFn: ({ signal }) => call(campaignMargin, { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  });
  if (!data) return null;
  const { parts, unknown_parts, currency, quoted, ...amounts } = data.data;
  if (parts === 0 && !quoted) return null;
  return (
    <Section title={t('menu.margins')}>
      <SimpleGrid component="dl" cols={2} spacing="sm" m={0}>
        {(['price', 'cost', 'margin'] as const).map((field) => (
          <Fact key={field} label={labelOf('margins', field)}>
            <Amount value={amounts[field]} currency={currency} signed={field === 'margin'} />
          </Fact>
        ))}
        <Fact label={labelOf('margins', 'parts')}>{format.integer(parts)}</Fact>
        {unknown_parts > 0 && <Fact label={labelOf('margins', 'unknown_parts')}>{format.integer(unknown_parts)}</Fact>}
      </SimpleGrid>
      {quoted && <QuotedMargin margin={quoted} />}
      <Text size="xs" c="dimmed">
        {t('loss.only_platform')}
      </Text>
    </Section>
  );
}
