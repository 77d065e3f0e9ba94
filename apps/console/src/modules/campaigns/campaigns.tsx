import { listCampaigns } from '@heliograph/contract/campaigns/campaign';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { Button } from '@mantine/core';
import { IconCopy, IconFlask, IconPlayerPause, IconPlayerPlay, IconPlayerStop, IconSend } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import type { Column } from '../../resource/columns.tsx';
import { PageList } from '../../resource/page-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import type { RowAction } from '../../ui/table-parts.tsx';
import { askToStop, change } from './campaign-actions.tsx';
import type { Campaign } from './campaign-feed.ts';
import { useDuplicate } from './composer/duplicate.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { StateBadge } from './state-badge.tsx';

const COLUMNS: readonly Column<Campaign>[] = [
  'name',
  { field: 'state', cell: (row) => <StateBadge state={row.state} /> },
  { field: 'processed', cell: (row) => <Progress row={row} />, width: 150 },
  'total_count',
  'delivered',
  'failed',
  'charged',
  'sender_id',
  'created_at',
  { field: 'user_name', hidden: true },
  { field: 'corporation_name', hidden: true },
  { field: 'department_name', hidden: true },
  { field: 'total_sms', hidden: true },
  { field: 'expired', hidden: true },
  { field: 'blocked', hidden: true },
  { field: 'submitted', hidden: true },
  { field: 'cancelled', hidden: true },
  { field: 'rejected_count', hidden: true },
  { field: 'estimated_cost', hidden: true },
  { field: 'started_at', hidden: true },
  { field: 'finished_at', hidden: true },
];

function Progress({ row }: { row: Campaign }) {
  return row.started_at ? <ProgressBar campaign={row} height={8} /> : null;
}

/** Screen of all campaigns that the user may see. */
export function Campaigns() {
  const { t } = useTranslation();
  const mayCreate = useMay('campaigns-create');
  const mayShow = useMay('campaigns-show');
  const send = mayCreate && (
    <Button component={Link} to="/send-sms" leftSection={<IconSend size={16} aria-hidden />} data-create>
      {t('menu.send-sms')}
    </Button>
  );
  const duplicate = useDuplicate();
  const icon = { size: 16, stroke: 1.6 };
  const actions = (row: Campaign): RowAction[] => [
    ...(mayCreate
      ? [{ label: t('campaign.duplicate'), icon: <IconCopy {...icon} />, onClick: () => duplicate.mutate(row.id) }]
      : []),
    ...(row.abilities.pause
      ? [
          {
            label: t('campaign.pause'),
            icon: <IconPlayerPause {...icon} />,
            onClick: () => void change('pause', row),
          },
        ]
      : []),
    ...(row.abilities.resume
      ? [
          {
            label: t('campaign.resume'),
            icon: <IconPlayerPlay {...icon} />,
            onClick: () => void change('resume', row),
          },
        ]
      : []),
    ...(row.abilities.stop
      ? [
          {
            label: t('campaign.stop'),
            icon: <IconPlayerStop {...icon} />,
            danger: true,
            onClick: () => askToStop(row),
          },
        ]
      : []),
  ];
  return (
    <PageList<typeof listCampaigns, Campaign>
      name="campaigns"
      operation={listCampaigns}
      title="name"
      columns={COLUMNS}
      filters={[
        { field: 'state', words: 'campaign_state' },
        { field: 'corporation_id', to: corporation },
        { field: 'department_id', to: department, within: 'corporation_id' },
      ]}
      header={{
        actions: (
          <>
            <Button
              component={Link}
              to="/campaign-tests"
              variant="default"
              leftSection={<IconFlask size={16} aria-hidden />}
            >
              {t('campaign_tests.open')}
            </Button>
            {send}
          </>
        ),
      }}
      empty={
        <EmptyState
          of="campaigns"
          learn
          title={t('campaign.none')}
          text={t('resources.campaigns.empty')}
          action={send}
        />
      }
      rowActions={actions}
      {...(mayShow ? { rowTo: (row: Campaign) => `/campaign-history/${row.id}` } : {})}
    />
  );
}
