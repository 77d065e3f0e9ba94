import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { Button, Center, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { request } from '../platform/call.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { SelectionBar } from '../ui/table-parts.tsx';
import type { RowOf } from './columns.tsx';
import { useListQuery } from './list-query.ts';
import type { PageListProps } from './page-list.tsx';
import { useRowSelection } from './row-selection.ts';
import { Table } from './table.tsx';
import { type Filter, filterName, Toolbar } from './toolbar.tsx';

interface CursorPage<Row> {
  data: Row[];
  next_cursor: string | null;
  has_more: boolean;
}

interface CursorListProps<O extends Operation, Row extends { id: number }>
  extends Omit<PageListProps<O, Row>, 'header'> {
  header?: PageListProps<O, Row>['header'] | null;
  /** Path parameters of the call. */
  params?: Record<string, unknown>;
  /** Content that a row shows below itself when it is opened. */
  expand?: (row: Row) => ReactNode;
  /** Shows the rows instead of the table. */
  body?: (rows: readonly Row[]) => ReactNode;
  /** False while the query is incomplete, such as a report without its period. */
  ready?: boolean;
  /** Inputs in front of the filters, such as a report's period. */
  lead?: ReactNode;
}

/** List without a limit on its length. Pages follow each other by cursor, and rows are not counted. */
export function CursorList<O extends Operation, Row extends { id: number } = RowOf<O> & { id: number }>(
  props: CursorListProps<O, Row>,
) {
  const { t } = useTranslation();
  const { name, operation, columns, filters = NONE, fixed, params } = props;
  const schema = operation.query as unknown as z.ZodObject;
  const query = useListQuery(useMemo(() => filters.map(filterName), [filters]));
  const wanted = { ...fixed, ...query.filters, ...('search' in schema.shape ? { search: query.search } : {}) };
  const list = useInfiniteQuery({
    queryKey: [name, 'cursor', operation.path, params, wanted],
    queryFn: ({ pageParam, signal }) =>
      request(operation, {
        ...(params ? { params } : {}),
        query: { ...wanted, cursor: pageParam },
        signal,
      }) as Promise<CursorPage<Row>>,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.has_more ? (page.next_cursor ?? undefined) : undefined),
    placeholderData: keepPreviousData,
    enabled: props.ready ?? true,
    staleTime: 0,
    ...(props.refreshEvery ? { refetchInterval: props.refreshEvery } : {}),
  });
  const rows = list.data?.pages.flatMap((page) => page.data);
  const titleOf = (row: Row) => String(row[props.title]);
  const { selected, clear, table } = useRowSelection(titleOf);
  const { onExport } = props;
  return (
    <>
      {props.header !== null && <PageHeader title={t(keyIn('resources', name, 'many'))} {...props.header} />}
      {props.children}
      <Toolbar
        {...{ name, query, schema, columns, filters }}
        searchable={'search' in schema.shape}
        lead={props.lead}
        onExport={onExport && (() => void onExport(wanted))}
        exportLabel={props.exportLabel}
      />
      {props.body && rows && rows.length > 0 ? (
        props.body(rows)
      ) : (
        <Table
          {...{ name, operation, columns, query, rows }}
          title={titleOf}
          fetching={list.isPlaceholderData}
          error={list.error}
          retry={() => void list.refetch()}
          empty={props.empty}
          titleField={props.title}
          actions={props.rowActions}
          rowTo={props.rowTo}
          onRowClick={props.onRowClick}
          expand={props.expand}
          selection={props.bulkActions ? table : undefined}
        />
      )}
      {rows && rows.length > 0 && (
        <Center mt="md">
          {list.hasNextPage ? (
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {t('list.load_more')}
            </Button>
          ) : (
            <Text size="sm" c="dimmed">
              {t('list.end')}
            </Text>
          )}
        </Center>
      )}
      {selected.length > 0 && (
        <SelectionBar count={selected.length} clear={clear}>
          {props.bulkActions?.(selected, clear)}
        </SelectionBar>
      )}
    </>
  );
}

const NONE: readonly Filter[] = [];
