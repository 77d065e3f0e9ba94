import { FIGURE_FIELDS } from '@heliograph/contract/kernel/figures';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import 'mantine-datatable/styles.css';
import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import i18next from 'i18next';
import { DataTable } from 'mantine-datatable';
import { type FunctionComponent, type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../platform/format.ts';
import { RowMenu } from '../ui/table-parts.tsx';
import { useFittingColumns } from './fitting-columns.ts';
import classes from './table-grid.module.css';
import { isFilled, RowName, type RowsProps, type Shown } from './table-model.tsx';

// The library's own type is a product of a dozen unions. Checking it would cost the type checker minutes and gigabytes.
const PlainTable = DataTable as unknown as FunctionComponent<Record<string, unknown>>;

/** Heading of a column, with the definition of its figure if it has one. */
function Heading(props: { name: string; field: string; text: string }) {
  const figure = FIGURE_FIELDS[props.name]?.[props.field];
  return figure ? <span title={i18next.t(`figure_means.${figure}`)}>{props.text}</span> : props.text;
}

/** Names the order of each column in the person's language: the library says it in English, and only by a picture. */
function useSortNames(viewport: RefObject<HTMLDivElement | null>): void {
  const { t } = useTranslation();
  useEffect(() => {
    for (const sign of viewport.current?.querySelectorAll('th [role=img][class*=sortable]') ?? []) {
      const order = sign.className.includes('unsorted')
        ? 'none'
        : sign.className.includes('reversed')
          ? 'descending'
          : 'ascending';
      sign.setAttribute('aria-label', t(`list.sorting.${order}`));
    }
  });
}

/** Rows as a table. Columns for which there is no room are lines below the name. */
export function TableGrid<Row extends { id: number }>(parts: RowsProps<Row>) {
  const { t } = useTranslation();
  const { query, rows, expand, actions } = parts;
  const { toggle: _, ...selection } = parts.selection ?? { toggle: undefined };
  const viewport = useRef<HTMLDivElement>(null);
  const acting = actions !== undefined && rows.some((row) => actions(row).length > 0);
  const { fitting, folded } = useFittingColumns(parts, viewport);
  const pages = usePages(parts);
  useSortNames(viewport);
  const descending = query.sort?.startsWith('-') ?? false;
  return (
    <PlainTable
      className={`app-card ${classes.table}`}
      backgroundColor="var(--app-raised)"
      borderColor="var(--app-line)"
      rowBorderColor="var(--app-line)"
      highlightOnHover
      highlightOnHoverColor={{ light: 'gray.0', dark: 'dark.5' }}
      verticalSpacing={query.compact ? 5 : 10}
      horizontalSpacing="sm"
      fontSize="sm"
      records={rows}
      noRecordsText={t('common.no_data')}
      scrollViewportRef={viewport}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t(keyIn('resources', parts.name, 'many')) },
      }}
      fetching={parts.fetching}
      loaderBackgroundBlur={0}
      sortStatus={{ columnAccessor: query.sort?.replace(/^-/, '') ?? '', direction: descending ? 'desc' : 'asc' }}
      onSortStatusChange={(status: { columnAccessor: string; direction: string }) =>
        query.set({ sort: `${status.direction === 'desc' ? '-' : ''}${status.columnAccessor}` })
      }
      onRowClick={({ record }: { record: Row }) => parts.open(record)}
      rowStyle={() => ({ cursor: 'pointer' })}
      {...(expand
        ? {
            rowExpansion: {
              trigger: 'never',
              allowMultiple: true,
              expanded: { recordIds: parts.expanded },
              content: ({ record }: { record: Row }) => expand(record),
            },
          }
        : {})}
      pinLastColumn={acting}
      {...selection}
      {...pages}
      columns={[
        ...(expand
          ? [
              {
                accessor: 'id',
                title: <span className="app-visually-hidden">{t('list.details')}</span>,
                width: 48,
                render: (row: Row) => <Opener row={row} parts={parts} />,
              },
            ]
          : []),
        ...fitting.map((column) => ({
          accessor: column.field,
          title: <Heading name={parts.name} field={column.field} text={column.heading} />,
          sortable: parts.sortable?.includes(column.field) ?? false,
          textAlign: column.figure ? ('right' as const) : ('left' as const),
          noWrap: true,
          ...(column.width ? { width: column.width } : {}),
          render: (row: Row) =>
            column.field === parts.titleColumn ? <NameCell {...{ row, parts, column, folded }} /> : column.cell(row),
        })),
        ...(acting
          ? [
              {
                accessor: 'abilities',
                title: <span className="app-visually-hidden">{t('actions.more')}</span>,
                width: 56,
                textAlign: 'right' as const,
                render: (row: Row) => <RowMenu name={parts.title(row)} actions={actions(row)} />,
              },
            ]
          : []),
      ]}
    />
  );
}

interface NameCellProps<Row> {
  row: Row;
  parts: RowsProps<Row>;
  column: Shown<Row>;
  folded: readonly Shown<Row>[];
}

/** Name of a row as a link, with the columns below it for which there is no room. */
function NameCell<Row>({ row, parts, column, folded }: NameCellProps<Row>) {
  const filled = folded.filter(({ field }) => isFilled(row, field));
  return (
    <>
      <RowName row={row} parts={parts}>
        {column.cell(row)}
      </RowName>
      {filled.length > 0 && (
        <dl className={classes.folded}>
          {filled.map(({ field, heading, cell }) => (
            <div key={field}>
              <dt>{heading}</dt>
              <dd>{cell(row)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** Returns the settings of the table's pages. */
function usePages<Row>({ pager }: RowsProps<Row>): object {
  const { t } = useTranslation();
  const format = useFormat();
  if (!pager) return {};
  return {
    page: pager.page,
    onPageChange: pager.onPage,
    totalRecords: pager.total,
    recordsPerPage: pager.perPage,
    recordsPerPageOptions: [10, 25, 50, 100, 200],
    onRecordsPerPageChange: pager.onPerPage,
    recordsPerPageLabel: t('list.per_page'),
    paginationText: ({ from, to, totalRecords }: { from: number; to: number; totalRecords: number }) =>
      t('list.range', { from: format.integer(from), to: format.integer(to), total: format.integer(totalRecords) }),
    getPaginationControlProps: (control: string) => ({
      'aria-label': t(control === 'previous' ? 'list.previous_page' : 'list.next_page'),
    }),
    getPaginationItemProps: (page: number) => ({ 'aria-label': t('list.page', { page }) }),
  };
}

/** Button that opens or closes the content below a row. */
export function Opener<Row extends { id: number }>({ row, parts }: { row: Row; parts: RowsProps<Row> }) {
  const { t } = useTranslation();
  const open = parts.expanded.includes(row.id);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-expanded={open}
      aria-label={t('list.details_of', { name: parts.title(row) })}
      onClick={(event) => {
        event.stopPropagation();
        parts.toggle(row.id);
      }}
    >
      {open ? <IconChevronDown size={18} /> : <IconChevronRight size={18} />}
    </ActionIcon>
  );
}
