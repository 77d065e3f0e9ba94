import { Button, Paper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearchOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../platform/connection.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { TableSkeleton } from '../ui/table-parts.tsx';
import { LoadError } from './load-error.tsx';
import { MaskedNumbers } from './masked-numbers.tsx';
import { TableCards } from './table-cards.tsx';
import { TableGrid } from './table-grid.tsx';
import { shownColumns, shownOf, type TableProps } from './table-model.tsx';

const RowDrawer = lazyPart(async () => (await import('./row-drawer.tsx')).RowDrawer);

/** Window width in em from which a list is a table. Below it, each row is a card. */
const WIDE = '(min-width: 40em)';

/** List of rows with its skeleton, empty state, error, sorting and row menus: a table, or cards on a phone. */
export function Table<Row extends { id: number }>(props: TableProps<Row>) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate();
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const { query, rows, rowTo, onRowClick } = props;
  const [expanded, setExpanded] = useState<readonly number[]>([]);
  const [drawer, setDrawer] = useState<Row>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels follow the language
  const shown = useMemo(
    () => shownOf(props.name, props.operation, shownColumns(props.columns, query)),
    [props.columns, props.name, props.operation, query.columns, i18n.language],
  );
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
  const open = (row: Row) => {
    // Marking a text ends with a click too.
    if (document.getSelection()?.isCollapsed === false) return;
    const to = rowTo?.(row);
    if (to !== undefined) void navigate({ to });
    else if (!onRowClick || onRowClick(row) === false) setDrawer(row);
  };
  const titleColumn = (shown.find(({ field }) => field === props.titleField) ?? shown[0])?.field ?? '';
  const toggle = (id: number) =>
    setExpanded((ids) => (ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]));
  const parts = { ...props, rows, shown, titleColumn, open, expanded, toggle };
  return (
    <>
      {wide ? <TableGrid {...parts} /> : <TableCards {...parts} />}
      <MaskedNumbers operation={props.operation} />
      {drawer && (
        <Suspense>
          <RowDrawer
            title={props.title(drawer)}
            facts={shownOf(props.name, props.operation, props.columns).map(({ field, heading, cell }) => ({
              field,
              heading,
              value: cell(drawer),
            }))}
            actions={props.actions?.(drawer) ?? []}
            onClose={() => setDrawer(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
