import type { listPendingCampaigns, listRunningCampaigns } from '@heliograph/contract/campaigns/campaign';
import { ActionIcon, Anchor, Pagination, Paper, Skeleton, Stack, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useMay } from '../../platform/session.ts';
import { useListQuery } from '../../resource/list-query.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { Campaign } from './campaign-feed.ts';

const PER_PAGE = 20;
const NO_FILTERS: readonly string[] = [];

interface CampaignCardsProps {
  /** Selection of the campaigns; the screen's texts are found by it. */
  which: 'pending' | 'running';
  operation: typeof listPendingCampaigns | typeof listRunningCampaigns;
  /** Milliseconds between two reads of the list. Live events arrive in between. */
  refreshEvery: number;
  empty: ReactNode;
  card: (campaign: Campaign) => ReactNode;
}

/** Cards of the campaigns in one state, newest first, with pages if there are many. */
export function CampaignCards(props: CampaignCardsProps) {
  const { t } = useTranslation();
  const { which } = props;
  const query = useListQuery(NO_FILTERS);
  const list = useQuery({
    queryKey: ['campaigns', which, query.page],
    queryFn: ({ signal }) =>
      call(props.operation, { query: { page: query.page, per_page: PER_PAGE, sort: '-created_at' }, signal }),
    refetchInterval: props.refreshEvery,
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.data;
  const pages = list.data?.meta.pages ?? 1;
  return (
    <>
      <PageHeader
        title={t(`menu.${which}-campaigns`)}
        subtitle={t(`campaign.${which}_subtitle`)}
        actions={
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('campaign.refresh')}
            title={t('campaign.refresh')}
            loading={list.isRefetching && !list.isPlaceholderData}
            onClick={() => void list.refetch()}
          >
            <IconRefresh size={18} stroke={1.6} />
          </ActionIcon>
        }
      />
      {list.error && !rows ? (
        <LoadError error={list.error} retry={() => void list.refetch()} />
      ) : !rows ? (
        <Stack>
          <Skeleton h={148} radius="lg" />
          <Skeleton h={148} radius="lg" />
        </Stack>
      ) : rows.length === 0 ? (
        <Paper className="app-card">{props.empty}</Paper>
      ) : (
        <Stack gap="md">
          {rows.map((campaign) => (
            <Fragment key={campaign.id}>{props.card(campaign)}</Fragment>
          ))}
          {pages > 1 && (
            <Pagination
              total={pages}
              value={query.page}
              onChange={(page) => query.set({ page })}
              getControlProps={(control) => ({
                'aria-label': t(`list.${control === 'next' ? 'next_page' : 'previous_page'}`),
              })}
              getItemProps={(page) => ({ 'aria-label': t('list.page', { page }) })}
            />
          )}
        </Stack>
      )}
    </>
  );
}

/** Name of a campaign as the heading of its card. It links to the campaign's page if the user may open it. */
export function CampaignName({ campaign }: { campaign: Campaign }) {
  const mayShow = useMay('campaigns-show');
  return (
    <Title order={2} size="h4" style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
      {mayShow ? (
        <Anchor component={Link} to={`/campaign-history/${campaign.id}`} inherit>
          {campaign.name}
        </Anchor>
      ) : (
        campaign.name
      )}
    </Title>
  );
}
