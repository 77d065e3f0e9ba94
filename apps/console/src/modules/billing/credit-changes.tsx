import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { creditChanges, exportCreditChanges } from '@heliograph/contract/billing/credit-change';
import { Anchor, Badge, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useZone } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { Column } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { NoPeriod } from '../../resource/no-period.tsx';
import { type PeriodFault, periodFault, todayIn } from '../../resource/period.ts';
import { PeriodInput } from '../../resource/period-input.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { CampaignSelect } from '../reports/index.ts';
import { AccountLines } from './account-lines.tsx';
import { Amount } from './amount.tsx';
import { type Change, ChangeDetails } from './change-details.tsx';

const COLORS: Readonly<Record<Change['kind'], string>> = {
  payment: 'teal',
  reservation: 'gray',
  charge: 'blue',
  release: 'gray',
  refund: 'teal',
  commitment: 'violet',
  correction: 'orange',
  transfer: 'indigo',
  discount: 'teal',
};

const COLUMNS: readonly Column<Change>[] = [
  'last_at',
  'billing_account_name',
  { field: 'kind', cell: (row) => <Kind kind={row.kind} /> },
  { field: 'amount', cell: (row) => <Amount amount={row.amount} currency={row.currency} /> },
  { field: 'balance_change', cell: (row) => <Amount amount={row.balance_change} currency={row.currency} /> },
  'balance_after',
  { field: 'reserved_change', hidden: true },
  { field: 'reserved_after', hidden: true },
  { field: 'campaign_name', cell: (row) => <CampaignOf row={row} /> },
  'user_name',
  'note',
  { field: 'transfers', hidden: true },
  { field: 'created_at', hidden: true },
];

function Kind({ kind }: { kind: Change['kind'] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" size="sm" color={COLORS[kind] ?? 'gray'} style={{ minWidth: 'max-content' }}>
      {t(`credit_change_kind.${kind}`)}
    </Badge>
  );
}

function CampaignOf({ row }: { row: Change }) {
  const mayOpen = useMay('campaigns-show');
  if (row.campaign_id === null) return null;
  return mayOpen ? (
    <Anchor component={Link} to={`/campaign-history/${row.campaign_id}`} size="sm">
      {row.campaign_name}
    </Anchor>
  ) : (
    row.campaign_name
  );
}

/** Screen of all credit changes, newest first. A row opens its details. */
export function CreditChanges() {
  const { t } = useTranslation();
  const zone = useZone();
  const mayExport = useMay('credit-changes-download');
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const { from, to, campaign_id, ...search } = useSearch({ strict: false }) as Record<string, string | undefined>;
  const { view } = search;
  const shown = useListQuery(VIEW);
  const only = useOnlyAccount();
  const account = Number(search['billing_account_id']) || only.id;
  // A filter of the entries asks for the entries.
  const asksEntries = Boolean(from || to || campaign_id || search['kind']);
  const statement = view === undefined ? only.id !== null && !asksEntries : view === 'statement';
  const today = todayIn(zone);
  const period = from && to ? { from, to } : undefined;
  const fault = period && periodFault(period.from, period.to, today);
  const fixed = useMemo(
    () => ({ ...(from && to ? { from, to } : {}), ...(campaign_id ? { campaign_id } : {}) }),
    [from, to, campaign_id],
  );

  async function exportRows(query: Record<string, unknown>) {
    if (!period || fault) return toast('warning', t(fault ? `validation.${fault}` : 'credit_change.choose_period'));
    const { search: _, ...wanted } = query;
    setAsked(wanted);
  }

  const bar = <Bar today={today} fault={fault} from={from ?? null} to={to ?? null} />;
  return (
    <>
      <PageHeader
        title={t('menu.credit-changes')}
        subtitle={
          <>
            {t('report.credit_subtitle')}
            <InZone />
          </>
        }
      />
      <SegmentedControl
        mb="sm"
        aria-label={t('account_lines.view')}
        value={statement ? 'statement' : 'entries'}
        onChange={(value) => shown.set({ view: value })}
        data={[
          { value: 'statement', label: t('account_lines.title') },
          { value: 'entries', label: t('account_lines.entries') },
        ]}
      />
      {only.loading && view === undefined ? (
        <Skeleton h={320} radius="lg" role="status" aria-label={t('common.loading')} />
      ) : statement ? (
        <StatementView
          account={account}
          choose={only.id === null ? (id) => shown.set({ billing_account_id: id ?? undefined }) : undefined}
        />
      ) : fault ? (
        <NoPeriod fault={fault}>{bar}</NoPeriod>
      ) : (
        <CursorList<typeof creditChanges, Change>
          name="credit-changes"
          lead={bar}
          operation={creditChanges}
          title="billing_account_name"
          header={null}
          columns={COLUMNS}
          fixed={fixed}
          filters={[
            { field: 'billing_account_id', to: billingAccount },
            { field: 'kind', words: 'credit_change_kind' },
          ]}
          expand={(row) => <ChangeDetails change={row} />}
          empty={
            <EmptyState of="credit-changes" learn title={t('common.no_data')} text={t('report.no_credit_changes')} />
          }
          exportLabel={t('report_format.export')}
          {...(mayExport ? { onExport: exportRows } : {})}
        />
      )}
      {asked && <ReportDownload operation={exportCreditChanges} query={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

const VIEW = ['view', 'billing_account_id'] as const;

/** Returns the account of a user who sees only one; null for others. */
function useOnlyAccount(): { id: number | null; loading: boolean } {
  const mayList = useMay(billingAccount.permissions.index);
  const { data, isLoading } = useQuery({
    queryKey: ['billing-accounts', 'only'],
    queryFn: ({ signal }) => call(billingAccount.list, { query: { per_page: 1 }, signal }),
    enabled: mayList,
  });
  return { id: data?.meta.total === 1 ? (data.data[0]?.id ?? null) : null, loading: isLoading };
}

/** Statement of one account, and the choice of the account if there are several. */
function StatementView(props: { account: number | null; choose: ((id: number | null) => void) | undefined }) {
  const { t } = useTranslation();
  const { account, choose } = props;
  return (
    <Stack gap="md">
      {choose && (
        <ReferenceSelect
          label={t('resources.billing-accounts.one')}
          to={billingAccount}
          maw={360}
          value={account}
          onChange={choose}
        />
      )}
      <div className="app-card" style={{ padding: 16 }}>
        {account === null ? (
          <EmptyState title={t('rate_details.choose')} text={t('account_lines.choose_hint')} />
        ) : (
          <AccountLines accountId={account} />
        )}
      </div>
    </Stack>
  );
}

const FIELDS = ['from', 'to', 'campaign_id'] as const;

/** Additional filters of the report: a period, a campaign. */
function Bar(props: { today: string; fault: PeriodFault | undefined; from: string | null; to: string | null }) {
  const mayCampaigns = useMay('campaigns-index');
  const query = useListQuery(FIELDS);
  return (
    <>
      <PeriodInput
        today={props.today}
        fault={props.fault}
        value={[props.from, props.to]}
        onChange={([from, to]) => query.set({ from, to })}
        onClear={() => query.set({ from: undefined, to: undefined })}
      />
      {mayCampaigns && (
        <CampaignSelect
          value={query.filters['campaign_id'] ?? null}
          onChange={(value) => query.set({ campaign_id: value ?? undefined })}
        />
      )}
    </>
  );
}
