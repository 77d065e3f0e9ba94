import { campaignLinks } from '@heliograph/contract/campaigns/link-results';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Anchor, Skeleton, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { Link } from '../../ui/link.tsx';
import { Section } from '../../ui/section.tsx';
import type { CampaignDetail } from './timeline.tsx';

type LinkRow = ReplyOf<typeof campaignLinks>['data']['links'][number];

const LIVE_MS = 10_000;

/** Reads the results of a campaign by link. */
export const useLinks = ({ id, state }: Pick<CampaignDetail, 'id' | 'state'>) =>
  useQuery({
    queryKey: ['campaigns', 'links', id],
    queryFn: ({ signal }) => call(campaignLinks, { params: { id }, signal }),
    refetchInterval: state === 'running' ? LIVE_MS : false,
  });

/** Results of a campaign by link: people and visits, and the visits of programs that are not counted. */
export function LinkResults({ campaign }: { campaign: CampaignDetail }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data, isError } = useLinks(campaign);
  if (isError) return null;
  if (!data) return <Skeleton h={120} />;
  const { links, not_counted, days } = data.data;
  if (links.length === 0) return null;
  const share = (people: number) =>
    campaign.delivered > 0 && people > 0 ? format.percent(Math.min(1, people / campaign.delivered)) : '–';
  const reasons = not_counted.map(({ reason, visits }) =>
    t(`link_results.reason.${reason}`, { n: format.integer(visits) }),
  );
  return (
    <Section title={t('link_results.title')}>
      <Table.ScrollContainer minWidth={460}>
        <Table aria-label={t('link_results.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('link_results.link')}</Table.Th>
              {(['people', 'share', 'clicks', 'programs'] as const).map((name) => (
                <Table.Th key={name} ta="right">
                  {t(`link_results.${name}`)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {links.map((row) => (
              <Table.Tr key={row.link ?? 'other'}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {row.link === null ? t('link_results.other') : `${row.link}. ${addressOf(row, t)}`}
                </Table.Td>
                <Table.Td ta="right">{format.integer(row.people)}</Table.Td>
                <Table.Td ta="right">{share(row.people)}</Table.Td>
                <Table.Td ta="right">{format.integer(row.clicks)}</Table.Td>
                <Table.Td ta="right">{format.integer(row.programs)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Text size="sm" c="dimmed">
        {reasons.length > 0 && `${t('link_results.not_counted', { reasons: reasons.join(', ') })} `}
        {days !== null && `${t('link_results.ends', { count: days })} `}
        <Anchor component={Link} to="/document/0?article=short-links" size="sm">
          {t('link_results.how')}
        </Anchor>
      </Text>
    </Section>
  );
}

function addressOf({ address, varies }: LinkRow, t: ReturnType<typeof useTranslation>['t']): string {
  if (address === null) return t('link_results.hidden');
  return varies ? t('link_results.each_own', { address }) : address;
}
