import type { Operation } from '@heliograph/contract/kernel/operation';
import i18next from 'i18next';
import type { ReactNode } from 'react';
import type { RowAction } from '../ui/table-parts.tsx';
import { NameLink } from './cells.tsx';
import { Cell, type Column, labelOf, rowShapeOf, type Show, showOf } from './columns.tsx';
import type { ListQuery } from './list-query.ts';
import type { Selection } from './row-selection.ts';

export interface TableProps<Row> {
  /** Name under which labels are found: `resources.<name>`. */
  name: string;
  operation: Operation;
  columns: readonly Column<Row>[];
  query: ListQuery;
  rows: Row[] | undefined;
  title: (row: Row) => string;
  /** Field that names a row. Its column is the link to the row's page or drawer. */
  titleField: string;
  fetching: boolean;
  error: unknown;
  retry: () => void;
  empty: ReactNode;
  sortable?: readonly string[];
  actions?: ((row: Row) => readonly RowAction[]) | undefined;
  /** Address of a row's page. */
  rowTo?: ((row: Row) => string | undefined) | undefined;
  /** Opens a row that has no page. Without both, or if it returns false, a drawer with all fields of the row opens. */
  onRowClick?: ((row: Row) => unknown) | undefined;
  /** Content that a row shows below itself when it is opened. */
  expand?: ((row: Row) => ReactNode) | undefined;
  selection?: Selection<Row> | undefined;
  pager?: Pager | undefined;
}

/** Numbered pages of a list. */
export interface Pager {
  page: number;
  perPage: number;
  total: number | undefined;
  onPage: (page: number) => void;
  onPerPage: (perPage: number) => void;
}

/** A visible column, ready to be shown. */
export interface Shown<Row> {
  field: string;
  heading: string;
  show: Show;
  width?: number;
  /** Set for a figure that is aligned at its end. */
  figure: boolean;
  keep: boolean;
  cell: (row: Row) => ReactNode;
}

/** Rows as a table and cards show them: the props of the list, its columns, and how a row is opened. */
export interface RowsProps<Row> extends TableProps<Row> {
  rows: Row[];
  shown: readonly Shown<Row>[];
  /** Field of the column that names a row. */
  titleColumn: string;
  open: (row: Row) => void;
  expanded: readonly number[];
  toggle: (id: number) => void;
}

/** Returns whether a row has a value in a field; an empty list is none. */
export function isFilled<Row>(row: Row, field: string): boolean {
  const value = row[field as keyof Row] as unknown;
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

export const fieldOf = <Row,>(column: Column<Row>): string => (typeof column === 'string' ? column : column.field);

/** Returns the heading of a column. */
export const headingOf = <Row,>(name: string, column: Column<Row>): string =>
  typeof column === 'object' && column.title ? i18next.t(column.title) : labelOf(name, fieldOf(column));

/** Returns the visible columns: the user's choice, otherwise those that the screen does not hide. */
export function shownColumns<Row>(columns: readonly Column<Row>[], query: ListQuery): Column<Row>[] {
  return columns.filter((c) => query.columns?.includes(fieldOf(c)) ?? (typeof c === 'string' || !c.hidden));
}

const filledOrNull = (node: ReactNode): ReactNode => (node === '' || node === false ? null : node);

/** Returns columns ready to be shown. A dash stands for what is empty. */
export function shownOf<Row>(name: string, operation: Operation, columns: readonly Column<Row>[]): Shown<Row>[] {
  const shape = rowShapeOf(operation);
  return columns.map((column) => {
    const field = fieldOf(column);
    const own = typeof column === 'string' ? undefined : column;
    const show = showOf(shape[field]);
    return {
      field,
      heading: headingOf(name, column),
      show,
      ...(own?.width ? { width: own.width } : {}),
      figure: own?.figure ?? (show === 'money' || (show === 'integer' && !own?.cell)),
      keep: own?.keep ?? false,
      cell: (row) =>
        filledOrNull(own?.cell?.(row)) ?? (
          <Cell
            show={show}
            field={field}
            value={row[field as keyof Row]}
            currency={(row as { currency?: unknown }).currency}
            exact={own?.exact ?? false}
          />
        ),
    };
  });
}

/** Name of a row as the way into it. */
export function RowName<Row>(props: { row: Row; parts: RowsProps<Row>; children: ReactNode }) {
  const to = props.parts.rowTo?.(props.row);
  return (
    <NameLink {...(to === undefined ? { onClick: () => props.parts.open(props.row) } : { to })}>
      {props.children}
    </NameLink>
  );
}
