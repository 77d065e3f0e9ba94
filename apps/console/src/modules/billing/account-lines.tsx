import { accountStatement } from '@heliograph/contract/billing/account-statement';
import { ActionIcon, Alert, Anchor, Skeleton, Table, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { MoneyText, RelativeTime } from '../../resource/cells.tsx';
import type { RowOf } from '../../resource/columns.tsx';
import { Link } from '../../ui/link.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import classes from './account-lines.module.css';
import { AccountPeriod, type StatementPeriod } from './account-period.tsx';
import { Amount } from './amount.tsx';

type Line = RowOf<typeof accountStatement>;

const PAGE = 25;
const FOLDED = ['reserved', 'charged', 'released'] as const;

/** Statement of an account, newest first: each balance follows from the line before. A campaign is one line. */
export function AccountLines({ accountId }: { accountId: number }) {
  const [period, setPeriod] = useState<StatementPeriod | null>(null);
  return (
    <div>
      <AccountPeriod accountId={accountId} period={period} onChange={setPeriod} />
      <Lines accountId={accountId} period={period} />
    </div>
  );
}

function Lines({ accountId, period }: { accountId: number; period: StatementPeriod | null }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: ['credit-changes', 'statement', accountId, period],
    queryFn: ({ pageParam, signal }) =>
      call(accountStatement, {
        params: { id: accountId },
        query: { limit: PAGE, ...period, ...(pageParam ? { cursor: pageParam } : {}) },
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
  if (!rows) return <Skeleton h={240} role="status" aria-label={t('common.loading')} />;
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t(period ? 'account_period.none' : 'account_lines.none')}
      </Text>
    );
  return (
    <div>
      <Table className={classes.table} aria-label={t('account_lines.title')} verticalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40} aria-hidden />
            <Table.Th>{t('account_lines.what')}</Table.Th>
            <Table.Th className={classes.time}>{t('credit_change.at')}</Table.Th>
            <Table.Th ta="right">
              {t('resources.credit-changes.fields.amount')}
              <div className={classes.under}>{t('account_lines.balance')}</div>
            </Table.Th>
            <Table.Th ta="right" className={classes.balance}>
              {t('account_lines.balance')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((line) => (
            <Row key={line.id} line={line} />
          ))}
        </Table.Tbody>
      </Table>
      <LoadMore list={list} />
    </div>
  );
}

function Row({ line }: { line: Line }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [open, setOpen] = useState(false);
  const folds = line.kind === 'campaign' || line.kind === 'messages';
  const Icon = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Table.Tr>
        <Table.Td>
          {folds && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-expanded={open}
              aria-label={t('account_lines.steps')}
              onClick={() => setOpen(!open)}
            >
              <Icon size={16} />
            </ActionIcon>
          )}
        </Table.Td>
        <Table.Td className={classes.what!}>
          <What line={line} />
          <div className={classes.under}>
            <RelativeTime at={line.last_at} />
          </div>
        </Table.Td>
        <Table.Td className={classes.time!}>
          <RelativeTime at={line.last_at} />
        </Table.Td>
        <Table.Td ta="right">
          <Amount amount={line.amount} currency={line.currency} />
          <div className={classes.under}>{format.money(line.balance_after, line.currency)}</div>
        </Table.Td>
        <Table.Td ta="right" className={classes.balance!}>
          <MoneyText value={line.balance_after} currency={line.currency} />
        </Table.Td>
      </Table.Tr>
      {open && (
        <Table.Tr>
          <Table.Td />
          <Table.Td colSpan={4}>
            <Steps line={line} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** Description of a line: the campaign, or the kind of entry with its note. */
function What({ line }: { line: Line }) {
  const { t } = useTranslation();
  const mayOpen = useMay('campaigns-show');
  const note = [line.note, line.user_name].filter(Boolean).join(' · ');
  return (
    <>
      {line.kind === 'campaign' ? (
        mayOpen && line.campaign_name !== null ? (
          <Anchor component={Link} to={`/campaign-history/${line.campaign_id}`} size="sm" fw={500}>
            {line.campaign_name}
          </Anchor>
        ) : (
          (line.campaign_name ?? t('account_lines.campaign'))
        )
      ) : line.kind === 'messages' ? (
        t('statement.other_messages')
      ) : (
        t(`credit_change_kind.${line.kind}`)
      )}
      {note && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </>
  );
}

/** Entries that a line folds: reserved when it began, charged part by part, the rest given back. */
function Steps({ line }: { line: Line }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <dl className={classes.steps}>
      {FOLDED.map((step) => (
        <Fragment key={step}>
          <dt>{t(`account_lines.${step}`)}</dt>
          <dd>{format.money(line[step], line.currency)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
