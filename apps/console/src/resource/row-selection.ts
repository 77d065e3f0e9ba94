import { useState } from 'react';
import { useTranslation } from 'react-i18next';

/** Returns the selected rows, and the table settings for selecting them. */
export function useRowSelection<Row>(titleOf: (row: Row) => string) {
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
    },
  };
}
