import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Settings of a list whose rows can be selected. */
export interface Selection<Row> {
  selectedRecords: Row[];
  onSelectedRecordsChange: (rows: Row[]) => void;
  allRecordsSelectionCheckboxProps: object;
  getRecordSelectionCheckboxProps: (row: Row) => object;
  toggle: (row: Row) => void;
}

/** Returns the selected rows, and the table settings for selecting them. */
export function useRowSelection<Row extends { id: number }>(titleOf: (row: Row) => string) {
  const { t } = useTranslation();
  const [selected, setSelected] = useState<Row[]>([]);
  return {
    selected,
    clear: () => setSelected([]),
    table: {
      selectedRecords: selected,
      onSelectedRecordsChange: setSelected,
      allRecordsSelectionCheckboxProps: { 'aria-label': t('list.select_all') },
      getRecordSelectionCheckboxProps: (row: Row) => ({ 'aria-label': t('list.select_row', { name: titleOf(row) }) }),
      toggle: (row: Row) =>
        setSelected((rows) =>
          rows.some(({ id }) => id === row.id) ? rows.filter(({ id }) => id !== row.id) : [...rows, row],
        ),
    } satisfies Selection<Row>,
  };
}
