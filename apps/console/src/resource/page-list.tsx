import { csvOf } from '@heliograph/contract/kernel/csv';
import { wordsOf } from '@heliograph/contract/kernel/fields';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { personalOf } from '@heliograph/contract/kernel/personal';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { request } from '../platform/call.ts';
import { saveFile } from '../platform/save-file.ts';
import { useNumbersHidden } from '../platform/session.ts';
import { toast } from '../platform/toast.ts';
import { PageHeader, type PageHeaderProps } from '../ui/page-header.tsx';
import { type RowAction, SelectionBar } from '../ui/table-parts.tsx';
import { type Column, type Key, type RowOf, rowShapeOf } from './columns.tsx';
import { useListQuery } from './list-query.ts';
import { useRowSelection } from './row-selection.ts';
import { Table } from './table.tsx';
import { fieldOf, headingOf, shownColumns } from './table-model.tsx';
import { type Filter, filterName, Toolbar } from './toolbar.tsx';

/** Maximum rows that the browser writes to a CSV file. A longer file is a task of the server. */
const EXPORT_LIMIT = 10_000;

export interface PageListProps<O extends Operation, Row extends { id: number } = RowOf<O> & { id: number }> {
  /** Key of the labels: `resources.<name>`. */
  name: string;
  operation: O;
  columns: readonly Column<Row>[];
  /** Field of the row that names it for a person. */
  title: Key<Row>;
  filters?: readonly Filter[];
  /** Parts of the query that the user cannot change. */
  fixed?: Record<string, unknown>;
  header?: Partial<PageHeaderProps>;
  empty: ReactNode;
  rowActions?: ((row: Row) => readonly RowAction[]) | undefined;
  /** Address of a row's page. The name links to it, and a click on the row opens it. */
  rowTo?: ((row: Row) => string | undefined) | undefined;
  /** Opens a row that has no page. Without both, or if it returns false, a drawer with all fields of the row opens. */
  onRowClick?: ((row: Row) => unknown) | undefined;
  /** Actions for the selected rows. Without it, rows cannot be selected. */
  bulkActions?: ((rows: Row[], clear: () => void) => ReactNode) | undefined;
  /** Exports the selection in another way than with the browser. */
  onExport?: (query: Record<string, unknown>) => Promise<void>;
  /** Label of the export button, if the format is chosen later. */
  exportLabel?: string | undefined;
  /** Milliseconds between two reads. */
  refreshEvery?: number;
  children?: ReactNode;
}

/** List of numbered pages. Its complete state is in the address. */
export function PageList<O extends Operation, Row extends { id: number } = RowOf<O> & { id: number }>(
  props: PageListProps<O, Row>,
) {
  const { t } = useTranslation();
  const { name, operation, columns, filters = NONE, fixed } = props;
  const schema = operation.query as unknown as z.ZodObject;
  const query = useListQuery(useMemo(() => filters.map(filterName), [filters]));
  const [exporting, setExporting] = useState<string>();
  const hidden = useNumbersHidden();
  const sortable = useMemo(() => sortKeysOf(schema, hidden ? operation : null), [schema, hidden, operation]);
  const wanted = { ...fixed, ...query.filters, search: query.search, sort: query.sort };
  const list = useQuery({
    queryKey: [name, 'list', operation.path, wanted, query.page, query.perPage],
    queryFn: ({ signal }) =>
      request(operation, { query: { ...wanted, page: query.page, per_page: query.perPage }, signal }) as Promise<
        Page<Row>
      >,
    placeholderData: keepPreviousData,
    // A person who comes back to a list sees what came meanwhile, not what was there seconds ago.
    staleTime: 0,
    ...(props.refreshEvery ? { refetchInterval: props.refreshEvery } : {}),
  });
  const titleOf = (row: Row) => String(row[props.title]);

  async function exportRows() {
    if (props.onExport) return props.onExport(wanted);
    const rows: Row[] = [];
    try {
      for (let page = 1; rows.length < EXPORT_LIMIT; page++) {
        setExporting(t('list.exporting', { count: rows.length }));
        const { data, meta } = (await request(operation, { query: { ...wanted, page, per_page: 200 } })) as Page<Row>;
        rows.push(...data);
        if (page >= meta.pages) break;
        if (rows.length >= EXPORT_LIMIT) void toast('warning', t('list.export_limited', { count: EXPORT_LIMIT }));
      }
      const shown = shownColumns(columns, query);
      const cells = rows.map((row) =>
        shown.map((c) => (typeof c === 'object' && c.csv ? c.csv(row) : row[fieldOf(c) as keyof Row])),
      );
      saveFile(
        `${name}.csv`,
        csvOf(
          shown.map((c) => headingOf(name, c)),
          cells,
        ),
      );
    } finally {
      setExporting(undefined);
    }
  }

  const { selected, clear, table } = useRowSelection(titleOf);
  return (
    <>
      <PageHeader title={t(keyIn('resources', name, 'many'))} {...props.header} />
      {props.children}
      <Toolbar
        {...{ name, query, schema, columns, filters, exporting, sortable }}
        searchable={'search' in schema.shape}
        onExport={() => void exportRows()}
        exportLabel={props.exportLabel}
      />
      <Table
        {...{ name, operation, columns, query, sortable, title: titleOf }}
        rows={list.data?.data}
        fetching={list.isPlaceholderData}
        error={list.error}
        retry={() => void list.refetch()}
        empty={props.empty}
        titleField={props.title}
        actions={props.rowActions}
        rowTo={props.rowTo}
        onRowClick={props.onRowClick}
        selection={props.bulkActions ? table : undefined}
        pager={{
          page: query.page,
          perPage: query.perPage,
          total: list.data?.meta.total,
          onPage: (page) => query.set({ page }),
          onPerPage: (per_page) => query.set({ per_page }),
        }}
      />
      {selected.length > 0 && (
        <SelectionBar count={selected.length} clear={clear}>
          {props.bulkActions?.(selected, clear)}
        </SelectionBar>
      )}
    </>
  );
}

interface Page<Row> {
  data: Row[];
  meta: { page: number; per_page: number; total: number; pages: number };
}
const NONE: readonly Filter[] = [];

/** Returns the fields that order a list; not masked numbers, whose call is given then. */
function sortKeysOf(schema: z.ZodObject, masked: Operation | null): string[] {
  const sort = schema.shape.sort as z.ZodType | undefined;
  const keys = sort ? wordsOf(sort).filter((key) => !key.startsWith('-')) : [];
  if (masked === null) return keys;
  const shape = rowShapeOf(masked);
  return keys.filter((key) => shape[key] === undefined || personalOf(shape[key]) === undefined);
}
