import { FIGURE_FIELDS } from '@heliograph/contract/kernel/figures';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import 'mantine-datatable/styles.css';
import type { Operation } from '@heliograph/contract/kernel/operation';
import { ActionIcon, Button, Paper } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconSearchOff } from '@tabler/icons-react';
import i18next from 'i18next';
import { DataTable } from 'mantine-datatable';
import { type FunctionComponent, type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../ui/empty-state.tsx';
import { type RowAction, RowMenu, TableSkeleton } from '../ui/table-parts.tsx';
import { Cell, type Column, labelOf, rowShapeOf, showOf } from './columns.tsx';
import type { ListQuery } from './list-query.ts';
import { LoadError } from './load-error.tsx';

// The library's own type is a product of a dozen unions. Checking it would cost the type checker minutes and gigabytes.
const PlainTable = DataTable as unknown as FunctionComponent<Record<string, unknown>>;

interface TableProps<Row> {
  /** Name under which labels are found: `resources.<name>`. */
  name: string;
  operation: Operation;
  columns: readonly Column<Row>[];
  query: ListQuery;
  rows: Row[] | undefined;
  title: (row: Row) => string;
  fetching: boolean;
  error: unknown;
  retry: () => void;
  empty: ReactNode;
  sortable?: readonly string[];
  actions?: ((row: Row) => readonly RowAction[]) | undefined;
  onRowClick?: ((row: Row) => void) | undefined;
  /** Content that a row shows below itself when it is opened. */
  expand?: ((row: Row) => ReactNode) | undefined;
  /** Other settings of the table: pages and selection. */
  more?: object;
}

export const fieldOf = <Row,>(column: Column<Row>): string => (typeof column === 'string' ? column : column.field);

/** Returns the heading of a column. */
export const headingOf = <Row,>(name: string, column: Column<Row>): string =>
  typeof column === 'object' && column.title ? i18next.t(column.title) : labelOf(name, fieldOf(column));

/** Heading of a column, with the definition of its figure if it has one. */
function Heading(props: { name: string; field: string; text: string }) {
  const figure = FIGURE_FIELDS[props.name]?.[props.field];
  return figure ? <span title={i18next.t(`figure_means.${figure}`)}>{props.text}</span> : props.text;
}

/** Returns the visible columns: the user's choice, otherwise those that the screen does not hide. */
export function shownColumns<Row>(columns: readonly Column<Row>[], query: ListQuery): Column<Row>[] {
  return columns.filter((c) => query.columns?.includes(fieldOf(c)) ?? (typeof c === 'string' || !c.hidden));
}

/** Table of rows with its skeleton, empty state, error, sorting and row menus. */
export function Table<Row extends { id: number }>(props: TableProps<Row>) {
  const { t, i18n } = useTranslation();
  const { query, rows, expand } = props;
  const [opened, setOpened] = useState<readonly number[]>([]);
  const shape = useMemo(() => rowShapeOf(props.operation), [props.operation]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels follow the language
  const columns = useMemo(
    () =>
      shownColumns(props.columns, query).map((column) => {
        const field = fieldOf(column);
        const own = typeof column === 'string' ? undefined : column;
        const show = showOf(shape[field]);
        return {
          accessor: field,
          title: <Heading name={props.name} field={field} text={headingOf(props.name, column)} />,
          sortable: props.sortable?.includes(field) ?? false,
          textAlign: show === 'money' || (show === 'integer' && !own?.cell) ? ('right' as const) : ('left' as const),
          noWrap: true,
          ...(own?.width ? { width: own.width } : {}),
          render: (row: Row) =>
            own?.cell?.(row) ?? (
              <Cell show={show} value={row[field as keyof Row]} currency={(row as { currency?: unknown }).currency} />
            ),
        };
      }),
    [props.columns, props.name, query.columns, shape, i18n.language],
  );
  const actions = props.actions;
  if (props.error && !rows) return <LoadError error={props.error} retry={props.retry} />;
  if (!rows) return <TableSkeleton />;
  if (rows.length === 0)
    return (
      <Paper className="app-card">
        {query.narrowed ? (
          <EmptyState
            icon={<IconSearchOff size={28} stroke={1.5} />}
            title={t('list.nothing_found')}
            text={t('list.nothing_found_hint')}
            action={
              <Button variant="default" onClick={query.clear}>
                {t('list.clear_filters')}
              </Button>
            }
          />
        ) : (
          props.empty
        )}
      </Paper>
    );
  const descending = query.sort?.startsWith('-') ?? false;
  return (
    <PlainTable
      className="app-card"
      backgroundColor="var(--app-raised)"
      borderColor="var(--app-line)"
      rowBorderColor="var(--app-line)"
      highlightOnHover
      highlightOnHoverColor={{ light: 'gray.0', dark: 'dark.5' }}
      verticalSpacing={query.compact ? 5 : 11}
      horizontalSpacing="sm"
      fontSize="sm"
      records={rows}
      noRecordsText={t('common.no_data')}
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t(keyIn('resources', props.name, 'many')) },
      }}
      fetching={props.fetching}
      loaderBackgroundBlur={0}
      sortStatus={{ columnAccessor: query.sort?.replace(/^-/, '') ?? '', direction: descending ? 'desc' : 'asc' }}
      onSortStatusChange={(status: { columnAccessor: string; direction: string }) =>
        query.set({ sort: `${status.direction === 'desc' ? '-' : ''}${status.columnAccessor}` })
      }
      {...(props.onRowClick
        ? {
            onRowClick: ({ record }: { record: Row }) => props.onRowClick?.(record),
            rowStyle: () => ({ cursor: 'pointer' }),
          }
        : {})}
      {...(expand
        ? {
            rowExpansion: {
              trigger: 'never',
              allowMultiple: true,
              expanded: { recordIds: opened },
              content: ({ record }: { record: Row }) => expand(record),
            },
          }
        : {})}
      pinLastColumn={actions !== undefined}
      {...props.more}
      columns={[
        ...(expand
          ? [
              {
                accessor: 'id',
                title: <span className="app-visually-hidden">{t('list.details')}</span>,
                width: 48,
                render: (row: Row) => (
                  <Opener name={props.title(row)} row={row} opened={opened} setOpened={setOpened} />
                ),
              },
            ]
          : []),
        ...columns,
        ...(actions
          ? [
              {
                accessor: 'abilities',
                title: <span className="app-visually-hidden">{t('actions.more')}</span>,
                width: 56,
                textAlign: 'right' as const,
                render: (row: Row) => <RowMenu name={props.title(row)} actions={actions(row)} />,
              },
            ]
          : []),
      ]}
    />
  );
}

interface OpenerProps {
  name: string;
  row: { id: number };
  opened: readonly number[];
  setOpened: (ids: readonly number[]) => void;
}

/** Button that opens or closes the content below a row. */
function Opener({ name, row, opened, setOpened }: OpenerProps) {
  const { t } = useTranslation();
  const open = opened.includes(row.id);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-expanded={open}
      aria-label={t('list.details_of', { name })}
      onClick={() => setOpened(open ? opened.filter((id) => id !== row.id) : [...opened, row.id])}
    >
      {open ? <IconChevronDown size={18} /> : <IconChevronRight size={18} />}
    </ActionIcon>
  );
}
