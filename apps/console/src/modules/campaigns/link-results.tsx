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

type Results = ReplyOf<typeof campaignLinks>['data'];
type LinkRow = Results['links'][number];

const LIVE_MS = 10_000;
/** Lets the keyboard scroll a table that is wider than the screen. */
const SCROLLED = { viewportProps: { tabIndex: 0 } };

/** Reads the results of a campaign by link. */
export const useLinks = ({ id, state }: Pick<CampaignDetail, 'id' | 'state'>) =>
  useQuery({
    queryKey: ['campaigns', 'links', id],
    queryFn: ({ signal }) => call(campaignLinks, { params: { id }, signal }),
    refetchInterval: state === 'running' ? LIVE_MS : false,
  });

/** Results of a campaign by link, and the conversions that programs reported. */
export function LinkResults({ campaign }: { campaign: CampaignDetail }) {
  const { data, isError } = useLinks(campaign);
  if (isError) return null;
  if (!data) return campaign.clicks && <Skeleton h={120} />;
  return (
    <>
      {data.data.links.length > 0 && <Links results={data.data} delivered={campaign.delivered} />}
      {data.data.conversions.length > 0 && <Conversions results={data.data} />}
    </>
  );
}

/** People and visits by link, and the visits of programs that are not counted. */
function Links({ results, delivered }: { results: Results; delivered: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { links, not_counted, days } = results;
  const share = (people: number) =>
    delivered > 0 && people > 0 ? format.percent(Math.min(1, people / delivered)) : '–';
  const reasons = not_counted.map(({ reason, visits }) =>
    t(`link_results.reason.${reason}`, { n: format.integer(visits) }),
  );
  return (
    <Section title={t('link_results.title')}>
      <Table.ScrollContainer minWidth={460} scrollAreaProps={SCROLLED}>
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

/** Table of the conversions by event and link. */
function Conversions({ results: { conversions, links } }: { results: Results }) {
  const { t } = useTranslation();
  const format = useFormat();
  const named = (link: number | null) => {
    if (link === null) return t('link_results.by_message');
    const row = links.find((each) => each.link === link);
    return row ? `${link}. ${addressOf(row, t)}` : String(link);
  };
  return (
    <Section title={t('link_results.conversions')}>
      <Table.ScrollContainer minWidth={400} scrollAreaProps={SCROLLED}>
        <Table aria-label={t('link_results.conversions')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('link_results.event')}</Table.Th>
              <Table.Th>{t('link_results.link')}</Table.Th>
              <Table.Th ta="right">{t('link_results.count')}</Table.Th>
              <Table.Th ta="right">{t('link_results.value')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {conversions.map(({ name, link, count, value, currency }) => (
              <Table.Tr key={`${name} ${link} ${currency}`}>
                <Table.Td>{name}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{named(link)}</Table.Td>
                <Table.Td ta="right">{format.integer(count)}</Table.Td>
                <Table.Td ta="right">{value === null ? '–' : format.money(value, currency ?? undefined)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Section>
  );
}

function addressOf({ address, varies }: LinkRow, t: ReturnType<typeof useTranslation>['t']): string {
  if (address === null) return t('link_results.hidden');
  return varies ? t('link_results.each_own', { address }) : address;
}
