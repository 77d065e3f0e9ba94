import { ActionIcon, Checkbox, Popover, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { labelOf } from './columns.tsx';
import { fieldOf, headingOf, shownColumns } from './table-model.tsx';
import type { ToolbarProps } from './toolbar.tsx';

const NONE: readonly string[] = [];

/** Button with the view of a list: height of the rows, order, and columns. */
export function ViewOptions<Row>(props: ToolbarProps<Row>) {
  const { t } = useTranslation();
  const { query, columns, name, sortable = NONE } = props;
  const shown = shownColumns(columns, query).map(fieldOf);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={36} aria-label={t('list.view')} title={t('list.view')}>
          <IconAdjustments size={18} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text size="xs" c="dimmed">
            {t('list.density')}
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={t('list.density')}
            data={(['comfortable', 'compact'] as const).map((value) => ({ value, label: t(`list.${value}`) }))}
            value={query.compact ? 'compact' : 'comfortable'}
            onChange={(value) => query.set({ density: value === 'compact' ? value : undefined, page: query.page })}
          />
          {sortable.length > 0 && (
            <Select
              size="xs"
              label={t('list.sort_by')}
              clearable
              comboboxProps={{ withinPortal: false }}
              data={sortable.flatMap((field) => [
                { value: field, label: t('list.ascending', { field: labelOf(name, field) }) },
                { value: `-${field}`, label: t('list.descending', { field: labelOf(name, field) }) },
              ])}
              value={query.sort ?? null}
              onChange={(sort) => query.set({ sort: sort ?? undefined })}
            />
          )}
          <Checkbox.Group
            label={
              <Text size="xs" c="dimmed">
                {t('list.columns')}
              </Text>
            }
            value={shown}
            onChange={(next) => next.length > 0 && query.set({ columns: next.join(','), page: query.page })}
          >
            <Stack gap={10} mt={8}>
              {columns.map((column) => (
                <Checkbox key={fieldOf(column)} size="sm" value={fieldOf(column)} label={headingOf(name, column)} />
              ))}
            </Stack>
          </Checkbox.Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
