import { letterOf, listCampaignTests, type TEST_STATES } from '@heliograph/contract/campaigns/campaign-test';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Badge, Button } from '@mantine/core';
import { IconFlask } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../platform/session.ts';
import type { Column } from '../../../resource/columns.tsx';
import { PageList } from '../../../resource/page-list.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Link } from '../../../ui/link.tsx';

type Row = ReplyOf<typeof listCampaignTests>['data'][number];

const COLORS: Readonly<Record<(typeof TEST_STATES)[number], string>> = {
  draft: 'gray',
  running: 'brand',
  waiting: 'orange',
  counting: 'blue',
  finished: 'teal',
  stopped: 'gray',
};

/** Badge with a test's state. */
export function TestState({ state }: { state: Row['state'] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[state]} style={{ flexShrink: 0, minWidth: 'max-content' }}>
      {t(`campaign_test_state.${state}`)}
    </Badge>
  );
}

function Metric({ metric, event_name }: Pick<Row, 'metric' | 'event_name'>) {
  const { t } = useTranslation();
  const label = t(`campaign_test_metric.${metric}`);
  return event_name === null ? label : `${label}: ${event_name}`;
}

const COLUMNS: readonly Column<Row>[] = [
  'name',
  { field: 'state', cell: (row) => <TestState state={row.state} /> },
  { field: 'metric', cell: (row) => <Metric {...row} /> },
  'variants',
  { field: 'winner', cell: (row) => (row.winner === null ? '–' : letterOf(row.winner)) },
  'started_at',
  { field: 'user_name', hidden: true },
  { field: 'corporation_name', hidden: true },
  { field: 'decided_at', hidden: true },
  { field: 'finished_at', hidden: true },
];

/** Screen of all A/B tests that the user may see. */
export function CampaignTests() {
  const { t } = useTranslation();
  const mayCreate = useMay('campaigns-create');
  const mayShow = useMay('campaigns-show');
  const make = mayCreate && (
    <Button component={Link} to="/new-campaign-test" leftSection={<IconFlask size={16} aria-hidden />} data-create>
      {t('menu.new-campaign-test')}
    </Button>
  );
  return (
    <PageList<typeof listCampaignTests, Row>
      name="campaign-tests"
      operation={listCampaignTests}
      title="name"
      columns={COLUMNS}
      filters={[{ field: 'state', words: 'campaign_test_state' }]}
      header={{
        actions: make,
        subtitle: t('campaign_tests.subtitle'),
        crumbs: [{ label: t('menu.campaigns'), to: '/campaigns' }],
      }}
      empty={
        <EmptyState
          of="campaigns"
          learn
          title={t('campaign_tests.none')}
          text={t('resources.campaign-tests.empty')}
          action={make}
        />
      }
      {...(mayShow ? { rowTo: (row: Row) => `/campaign-tests/${row.id}` } : {})}
    />
  );
}
