import { keyIn, type MessageGroup } from '@heliograph/contract/kernel/message-keys';
import type { Operation, ReplyOf } from '@heliograph/contract/kernel/operation';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import {
  campaignHistory,
  campaignRequests,
  campaignStatuses,
  exportCampaignHistory,
  HISTORY_VIEWS,
} from '@heliograph/contract/reports/campaign-history';
import { Badge, SegmentedControl } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useZone } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import type { Column } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { FiguresAsOf } from '../../resource/figures-as-of.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { NoPeriod } from '../../resource/no-period.tsx';
import { moved, periodFault, todayIn } from '../../resource/period.ts';
import { PeriodInput } from '../../resource/period-input.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { CAMPAIGN_COLORS } from '../../ui/state-colors.ts';
import { Reason } from './reason.tsx';

type Detail = ReplyOf<typeof campaignHistory>['data'][number];
type Status = ReplyOf<typeof campaignStatuses>['data'][number];
type Request = ReplyOf<typeof campaignRequests>['data'][number];
type Common = Pick<Detail, 'state'>;

const name = 'name' as const;
const state = { field: 'state', cell: (row: Common) => <State state={row.state} /> } as const;
const OTHERS = [
  { field: 'corporation_name', hidden: true },
  { field: 'department_name', hidden: true },
  { field: 'user_name', hidden: true },
  { field: 'id', hidden: true },
] as const;

const DETAIL: readonly Column<Detail>[] = [
  name,
  state,
  'sender_id',
  'total_count',
  'processed',
  'delivered',
  'failed',
  'blocked',
  'charged',
  'created_at',
  { field: 'expired', hidden: true },
  { field: 'cancelled', hidden: true },
  { field: 'total_sms', hidden: true },
  { field: 'started_at', hidden: true },
  { field: 'finished_at', hidden: true },
  ...OTHERS,
];

const STATUS: readonly Column<Status>[] = [
  name,
  state,
  'total_count',
  ...MESSAGE_STATES,
  'created_at',
  { field: 'sender_id', hidden: true },
  ...OTHERS,
];

const REQUEST: readonly Column<Request>[] = [
  name,
  state,
  'user_name',
  'sender_id',
  {
    field: 'content_type',
    cell: (row) => <Words of="content_type" value={row.content_type} />,
  },
  'content',
  'total_count',
  'total_sms',
  'rejected_count',
  'estimated_cost',
  'approved_by_name',
  'created_at',
  { field: 'billing_account_name', hidden: true },
  { field: 'flash', hidden: true },
  { field: 'sms_validity', hidden: true },
  { field: 'gsm_count', hidden: true },
  { field: 'unicode_count', hidden: true },
  { field: 'starts_at', hidden: true },
  { field: 'ends_at', hidden: true },
  { field: 'asked_by_name', hidden: true },
  { field: 'asked_at', hidden: true },
  { field: 'approved_at', hidden: true },
  { field: 'error_code', cell: (row) => <Reason code={row.error_code} />, hidden: true },
  { field: 'corporation_name', hidden: true },
  { field: 'department_name', hidden: true },
  { field: 'id', hidden: true },
];

const VIEWS = {
  detail: { operation: campaignHistory as Operation, columns: DETAIL as readonly Column<Detail>[] },
  status: { operation: campaignStatuses as Operation, columns: STATUS as unknown as readonly Column<Detail>[] },
  request: { operation: campaignRequests as Operation, columns: REQUEST as unknown as readonly Column<Detail>[] },
} as const;

function State({ state: value }: { state: string }) {
  return (
    <Badge variant="light" size="sm" color={CAMPAIGN_COLORS[value] ?? 'gray'} style={{ minWidth: 'max-content' }}>
      <Words of="campaign_state" value={value} />
    </Badge>
  );
}

function Words(props: { of: MessageGroup; value: string }) {
  const { t } = useTranslation();
  return t(keyIn(props.of, props.value));
}

const FIELDS = ['from', 'to'] as const;

/** Screen of the campaigns of a period: what was sent, the outcomes, or the details of the request. */
export function CampaignHistory() {
  const { t } = useTranslation();
  const mayExport = useMay('campaign-history-download');
  const mayShow = useMay('campaigns-show');
  const zone = useZone();
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const query = useListQuery(FIELDS);
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const today = todayIn(zone);
  const from = search['from'] ?? moved(today, -6);
  const to = search['to'] ?? today;
  const fault = periodFault(from, to, today);
  const view = HISTORY_VIEWS.find((each) => each === search['view']) ?? 'detail';
  const fixed = useMemo(() => ({ from, to }), [from, to]);
  const period = (
    <PeriodInput
      {...{ today, fault }}
      value={[from, to]}
      onChange={([first, last]) => query.set({ from: first, to: last })}
    />
  );
  return (
    <>
      <PageHeader
        title={t('menu.campaign-history')}
        subtitle={
          <>
            {t('history.subtitle')}
            <InZone />
            <FiguresAsOf of={VIEWS[view].operation} />
          </>
        }
        actions={
          <SegmentedControl
            style={{ flexShrink: 0, whiteSpace: 'nowrap' }}
            aria-label={t('resources.campaign-history.fields.view')}
            value={view}
            // Each view has its own columns.
            onChange={(value) => query.set({ view: value === 'detail' ? undefined : value, columns: undefined })}
            data={HISTORY_VIEWS.map((value) => ({ value, label: t(`history.view.${value}`) }))}
          />
        }
      />
      {fault ? (
        <NoPeriod fault={fault}>{period}</NoPeriod>
      ) : (
        <CursorList<Operation, Detail>
          key={view}
          name="campaign-history"
          operation={VIEWS[view].operation}
          title="name"
          header={null}
          lead={period}
          columns={VIEWS[view].columns}
          fixed={fixed}
          filters={[
            { field: 'state', words: 'campaign_state' },
            { field: 'corporation_id', to: corporation },
            { field: 'department_id', to: department, within: 'corporation_id' },
            'sender_id',
          ]}
          empty={
            <EmptyState
              of="campaign-history"
              learn
              title={t('common.no_data')}
              text={t('resources.campaign-history.empty')}
            />
          }
          {...(mayShow ? { rowTo: (row: Detail) => `/campaign-history/${row.id}` } : {})}
          exportLabel={t('report_format.export')}
          {...(mayExport ? { onExport: async (wanted: Record<string, unknown>) => setAsked({ ...wanted, view }) } : {})}
        />
      )}
      {asked && (
        <ReportDownload
          withCosts={asked['view'] === 'detail'}
          operation={exportCampaignHistory}
          query={asked}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
