import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { type creditChanges, creditChangeTransfers } from '@heliograph/contract/billing/credit-change';
import { campaignMessages } from '@heliograph/contract/campaigns/message';
import { Alert, Anchor, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconReceiptRefund } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { Cell, type RowOf } from '../../resource/columns.tsx';
import { Link } from '../../ui/link.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { AccountEntry } from './account-entry.tsx';
import { Amount } from './amount.tsx';

export type Change = RowOf<typeof creditChanges>;

/** Details of one row of the credit changes: its meaning, its ledger entries, and the messages behind a charge. */
export function ChangeDetails({ change }: { change: Change }) {
  const { t } = useTranslation();
  return (
    // The row may be wider than the screen. The content below it stays visible.
    <Stack
      gap="md"
      p="md"
      style={{ position: 'sticky', left: 0, width: 'fit-content', maxWidth: 'calc(100vw - 34px)' }}
    >
      <Text size="sm">{t(`credit_change.about.${change.kind}`)}</Text>
      <Transfers change={change} />
      {change.kind === 'charge' && change.campaign_id !== null && (
        <>
          <Messages campaignId={change.campaign_id} />
          <Refund change={change} campaign={{ id: change.campaign_id, name: change.campaign_name ?? '' }} />
        </>
      )}
    </Stack>
  );
}

/** Ledger transfers that a row adds up, oldest first. */
function Transfers({ change }: { change: Change }) {
  const { t } = useTranslation();
  const format = useFormat();
  const list = useInfiniteQuery({
    queryKey: ['credit-changes', 'transfers', change.id, change.last_transfer_id],
    queryFn: ({ pageParam, signal }) =>
      call(creditChangeTransfers, {
        params: { id: change.id },
        query: { limit: 20, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
  });
  const rows = list.data?.pages.flatMap((page) => page.data);
  if (list.error && !rows)
    return (
      <Alert color="red" variant="light">
        {sentenceOf(list.error)}
      </Alert>
    );
  if (!rows) return <Skeleton h={70} />;
  return (
    <div>
      <Table fz="sm" verticalSpacing={5} maw={640} aria-label={t('credit_change.entries')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('credit_change.entry')}</Table.Th>
            <Table.Th>{t('credit_change.at')}</Table.Th>
            <Table.Th ta="right">{t('resources.credit-changes.fields.amount')}</Table.Th>
            <Table.Th ta="right">{t('resources.credit-changes.fields.balance_after')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Td>{row.id}</Table.Td>
              <Table.Td>
                <Cell show="instant" value={row.created_at} />
              </Table.Td>
              <Table.Td>
                <Amount amount={row.amount} currency={change.currency} />
              </Table.Td>
              <Table.Td ta="right">{format.money(row.balance_after, change.currency)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <LoadMore list={list} />
    </div>
  );
}

/** List of some of a campaign's messages, each with a link to the calculation of its cost. */
function Messages({ campaignId }: { campaignId: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayShow = useMay('campaigns-show');
  const mayExplain = useMay('transactions-index');
  const list = useQuery({
    queryKey: ['messages', 'of-charge', campaignId],
    queryFn: ({ signal }) => call(campaignMessages, { params: { id: campaignId }, query: { limit: 3 }, signal }),
    enabled: mayShow && mayExplain,
  });
  const rows = list.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {t('credit_change.messages')}
      </Text>
      <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {rows.map((message) => (
          <Group component="li" key={message.id} gap="sm">
            <Text size="sm">{message.number}</Text>
            <Text size="sm">{format.money(message.charge, message.currency)}</Text>
            <Anchor
              component={Link}
              to={`/message-charge/${message.id}`}
              size="sm"
              aria-label={t('charge.why_of', { number: message.number })}
            >
              {t('charge.why')}
            </Anchor>
          </Group>
        ))}
      </Stack>
      <Anchor component={Link} to={`/campaign-history/${campaignId}`} size="sm" mt={6} display="inline-block">
        {t('credit_change.all_messages')}
      </Anchor>
    </div>
  );
}

/** Button that refunds a campaign's charge, if the caller manages the account. */
function Refund({ change, campaign }: { change: Change; campaign: { id: number; name: string } }) {
  const { t } = useTranslation();
  const mayPay = useMay('billing-accounts-payment');
  const mayRead = useMay(billingAccount.permissions.show);
  const [open, setOpen] = useState(false);
  const { data } = useQuery({
    queryKey: ['billing-accounts', 'one', change.billing_account_id],
    queryFn: ({ signal }) => call(billingAccount.get, { params: { id: change.billing_account_id }, signal }),
    enabled: mayPay && mayRead,
  });
  if (!mayPay || !data?.data.abilities.edit) return null;
  return (
    <div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconReceiptRefund size={16} stroke={1.6} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {t('refund.action')}
      </Button>
      {open && <AccountEntry kind="refund" account={data.data} campaign={campaign} onClose={() => setOpen(false)} />}
    </div>
  );
}
