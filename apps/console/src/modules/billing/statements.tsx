import { statementCsv, statementPdf, statements } from '@heliograph/contract/billing/credit-change';
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconFileTypeCsv, IconFileTypePdf } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf, call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { openFile } from '../../platform/open-file.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { labelOf, type RowOf } from '../../resource/columns.tsx';
import { LoadMore } from '../../ui/load-more.tsx';

type Statement = RowOf<typeof statements>;

/** List of an account's monthly statements, newest first, as PDF and CSV. */
export function Statements({ accountId }: { accountId: number }) {
  const { t } = useTranslation();
  const list = useInfiniteQuery({
    queryKey: ['statements', accountId],
    queryFn: ({ pageParam, signal }) =>
      call(statements, {
        query: { billing_account_id: accountId, limit: 12, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
  });
  const rows = list.data?.pages.flatMap((page) => page.data);
  return (
    <div>
      {list.error && !rows ? (
        <Alert color="red" variant="light">
          {sentenceOf(list.error)}
        </Alert>
      ) : !rows ? (
        <Skeleton h={60} />
      ) : rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('statements.none')}
        </Text>
      ) : (
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {rows.map((row) => (
            <Line key={row.id} statement={row} />
          ))}
        </Stack>
      )}
      <LoadMore list={list} />
    </div>
  );
}

function Line({ statement }: { statement: Statement }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayDownload = useMay('credit-changes-download');
  const month = format.month(statement.month);
  const files = [
    ['pdf', statementPdf, <IconFileTypePdf key="pdf" size={16} stroke={1.6} aria-hidden />],
    ['csv', statementCsv, <IconFileTypeCsv key="csv" size={16} stroke={1.6} aria-hidden />],
  ] as const;
  return (
    <Group component="li" justify="space-between" gap="xs">
      <div>
        <Text size="sm" fw={500}>
          {month}
        </Text>
        <Text size="xs" c="dimmed">
          {(['charges', 'closing_balance'] as const).map((field, place) => (
            <Fragment key={field}>
              {place > 0 && ' · '}
              <span style={{ whiteSpace: 'nowrap' }}>
                {labelOf('statements', field)} {format.money(statement[field], statement.currency)}
              </span>
            </Fragment>
          ))}
          {statement.revised_at !== null &&
            ` · ${labelOf('statements', 'revised_at')} ${format.date(statement.revised_at.slice(0, 10))}`}
        </Text>
      </div>
      {mayDownload && (
        <Group gap={6}>
          {files.map(([kind, operation, icon]) => (
            <Button
              key={kind}
              size="xs"
              variant="default"
              leftSection={icon}
              aria-label={t(`statements.${kind}`, { month })}
              onClick={() =>
                void openFile(
                  addressOf(operation, { params: { id: statement.id } }),
                  `statement-${statement.billing_account_id}-${statement.month}.${kind}`,
                )
              }
            >
              {kind.toUpperCase()}
            </Button>
          ))}
        </Group>
      )}
    </Group>
  );
}
