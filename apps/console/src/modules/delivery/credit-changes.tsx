import { billingAccount, creditChanges } from '@heliograph/contract/billing/billing-account';
import { Anchor, Badge, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import type { Column, RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';

type Change = RowOf<typeof creditChanges>;

const COLORS: Readonly<Record<Change['kind'], string>> = {
  payment: 'teal',
  reservation: 'gray',
  charge: 'blue',
  release: 'gray',
  refund: 'teal',
  commitment: 'violet',
  correction: 'orange',
};

const COLUMNS: readonly Column<Change>[] = [
  'created_at',
  'billing_account_name',
  { field: 'kind', cell: (row) => <Kind kind={row.kind} /> },
  { field: 'amount', cell: (row) => <Amount row={row} /> },
  'balance_after',
  { field: 'campaign_name', cell: (row) => <CampaignOf row={row} /> },
  'user_name',
  'note',
];

function Kind({ kind }: { kind: Change['kind'] }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" size="sm" color={COLORS[kind]} style={{ minWidth: 'max-content' }}>
      {t(`credit_change_kind.${kind}`)}
    </Badge>
  );
}

function Amount({ row }: { row: Change }) {
  const format = useFormat();
  const out = row.amount.startsWith('-');
  return (
    <Text
      size="sm"
      ta="right"
      fw={500}
      c={out ? 'inherit' : 'var(--mantine-color-teal-light-color)'}
      style={{ whiteSpace: 'nowrap' }}
    >
      {out ? '' : '+'}
      {format.money(row.amount, row.currency)}
    </Text>
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

/** Every movement of credit, newest first. */
export function CreditChanges() {
  const { t } = useTranslation();
  return (
    <CursorList<typeof creditChanges, Change>
      name="credit-changes"
      operation={creditChanges}
      title="billing_account_name"
      header={{ title: t('menu.credit-changes'), subtitle: t('report.credit_subtitle') }}
      columns={COLUMNS}
      filters={[{ field: 'billing_account_id', to: billingAccount }]}
      empty={<EmptyState title={t('common.no_data')} text={t('report.no_credit_changes')} />}
    />
  );
}
