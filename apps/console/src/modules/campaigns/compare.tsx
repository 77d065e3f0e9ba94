import { compareCampaigns, REPLY_HOURS } from '@heliograph/contract/campaigns/comparison';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Drawer, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';

type Compared = ReplyOf<typeof compareCampaigns>['data'][number];

/** Drawer with the results of two to five campaigns side by side. */
export function Compare({ ids, onClose }: { ids: readonly number[]; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, isError } = useQuery({
    queryKey: ['campaigns', 'comparison', ids],
    queryFn: ({ signal }) => call(compareCampaigns, { query: { ids: ids.join(',') }, signal }),
  });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={t('compare.title')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      {isError && <Text role="alert">{t('compare.failed')}</Text>}
      {!data && !isError && <Skeleton h={320} />}
      {data && <Figures campaigns={data.data} />}
    </Drawer>
  );
}

function Figures({ campaigns }: { campaigns: readonly Compared[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const counted = (count: number | null, of: number) =>
    count === null
      ? '–'
      : `${format.integer(count)}${of > 0 && count > 0 ? ` (${format.percent(Math.min(1, count / of))})` : ''}`;
  const money = (value: string | null, currency: string) => (value === null ? '–' : format.money(value, currency));
  const rows: [label: string, cell: (row: Compared) => ReactNode][] = [
    [t('compare.started'), ({ started_at }) => (started_at === null ? '–' : format.instant(started_at))],
    [t('funnel.total'), ({ total_count }) => format.integer(total_count)],
    [t('funnel.delivered'), ({ delivered, total_count }) => counted(delivered, total_count)],
    [t('funnel.clicked'), ({ clicked, delivered }) => counted(clicked, delivered)],
    [t('funnel.replies'), ({ replied, delivered }) => counted(replied, delivered)],
    [t('funnel.opt_outs'), ({ opted_out, delivered }) => counted(opted_out, delivered)],
    [t('link_results.conversions'), ({ conversions, delivered }) => counted(conversions, delivered)],
    [t('campaign.charged'), ({ charged, currency }) => money(charged, currency)],
    [t('compare.cost_per_click'), ({ cost_per_click, currency }) => money(cost_per_click, currency)],
    [t('compare.cost_per_reply'), ({ cost_per_reply, currency }) => money(cost_per_reply, currency)],
    [t('compare.cost_per_conversion'), ({ cost_per_conversion, currency }) => money(cost_per_conversion, currency)],
  ];
  const hours = [...REPLY_HOURS.keys(), REPLY_HOURS.length].map((at): [string, (row: Compared) => ReactNode] => [
    at === REPLY_HOURS.length
      ? t('compare.later', { hours: REPLY_HOURS[at - 1] })
      : t('compare.hours', { from: at === 0 ? 0 : REPLY_HOURS[at - 1], to: REPLY_HOURS[at] }),
    ({ replied, replies_by_hours }) => counted(replies_by_hours[at] ?? 0, replied),
  ]);
  const anyReply = campaigns.some(({ replied }) => replied > 0);
  return (
    <Stack gap="lg">
      <Side label={t('compare.title')} corner={t('resources.campaigns.one')} campaigns={campaigns} rows={rows} />
      {anyReply && <Side label={t('compare.replies')} campaigns={campaigns} rows={hours} />}
      <Text size="sm" c="dimmed">
        {t('compare.hint')}
      </Text>
    </Stack>
  );
}

interface SideProps {
  label: string;
  /** Heading of the first column; the label if absent. */
  corner?: string;
  campaigns: readonly Compared[];
  rows: readonly [label: string, cell: (row: Compared) => ReactNode][];
}

/** Table with a column for each campaign. */
function Side({ label, corner, campaigns, rows }: SideProps) {
  return (
    <Table.ScrollContainer minWidth={200 + 130 * campaigns.length} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{corner ?? label}</Table.Th>
            {campaigns.map(({ id, name }) => (
              <Table.Th key={id} ta="right" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([heading, cell]) => (
            <Table.Tr key={heading}>
              <Table.Th scope="row" fw={400}>
                {heading}
              </Table.Th>
              {campaigns.map((row) => (
                <Table.Td key={row.id} ta="right">
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
