import { innerOf, wordsOf } from '@heliograph/contract/kernel/fields';
import { keyIn, type MessageGroup, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { ActionIcon, Button, CloseButton, Group, Pill, Popover, Select, Stack, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconDownload, IconFilter, IconSearch } from '@tabler/icons-react';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { lazyPart } from '../platform/connection.ts';
import { useFormat, useZone } from '../platform/format.ts';
import { useMay } from '../platform/session.ts';
import { type Column, labelOf } from './columns.tsx';
import type { ListQuery } from './list-query.ts';
import { momentAt, wallTime } from './period.ts';
import { ReferenceName, ReferenceSelect } from './reference.tsx';
import { SavedViews } from './saved-views.tsx';
import { ViewOptions } from './view-options.tsx';

const MomentInput = lazyPart(async () => (await import('./moment-input.tsx')).MomentInput);
const DateInput = lazyPart(async () => (await import('./date-input.tsx')).DateInput);

/**
 * Filter of a list: by another record's id (`to`), or by words (`words` is the key of their texts). Without both, the
 * query's schema decides its kind: a date, a text, or yes and no.
 */
export type Filter<Name extends string = string> =
  | Name
  | { field: Name; to: AnyResource; within?: Name }
  | { field: Name; words: MessageGroup; options?: readonly string[] };

export const filterName = (filter: Filter): string => (typeof filter === 'string' ? filter : filter.field);

export interface ToolbarProps<Row> {
  name: string;
  query: ListQuery;
  /** Schema of the query, from which the words of a filter are read. */
  schema: z.ZodObject;
  columns: readonly Column<Row>[];
  filters: readonly Filter[];
  searchable: boolean;
  /** Inputs in front of the filters. */
  lead?: ReactNode;
  /** Fields by which the list can be sorted. A column that is folded or on a card has no heading for that. */
  sortable?: readonly string[];
  onExport?: (() => void) | undefined;
  /** Label that replaces the usual one if the format is chosen later. */
  exportLabel?: string | undefined;
  exporting?: string | undefined;
}

/** Toolbar of a list: search, filters with their chips, columns, row height, export. */
export function Toolbar<Row>(props: ToolbarProps<Row>) {
  const { t } = useTranslation();
  const { query, filters, name } = props;
  const active = filters.filter((filter) => query.filters[filterName(filter)] !== undefined);
  return (
    <Stack gap="xs" mb="sm">
      <Group gap="xs" align="flex-end">
        {props.lead}
        {props.searchable && <Search name={name} query={query} />}
        {filters.length > 0 && (
          <Popover position="bottom-start" shadow="md" width={300} trapFocus>
            <Popover.Target>
              <Button variant="default" leftSection={<IconFilter size={16} stroke={1.6} />}>
                {t('list.filters')}
              </Button>
            </Popover.Target>
            <Popover.Dropdown>
              <Stack gap="sm">
                {filters.map((filter) => (
                  <FilterInput key={filterName(filter)} {...props} filter={filter} />
                ))}
              </Stack>
            </Popover.Dropdown>
          </Popover>
        )}
        {active.length > 0 && (
          <Group gap={6} mih={36}>
            {active.map((filter) => {
              const field = filterName(filter);
              return (
                <Pill
                  key={field}
                  withRemoveButton
                  size="md"
                  removeButtonProps={{
                    'aria-label': t('list.remove_filter', { filter: labelOf(name, field) }),
                    'aria-hidden': false,
                    tabIndex: 0,
                  }}
                  onRemove={() => query.set({ [field]: undefined })}
                >
                  {labelOf(name, field)}: <FilterValue {...props} filter={filter} value={query.filters[field]!} />
                </Pill>
              );
            })}
            <Button variant="subtle" size="compact-sm" onClick={query.clear}>
              {t('list.clear_filters')}
            </Button>
          </Group>
        )}
        <Group gap="xs" ml="auto">
          {props.onExport && (
            <>
              <Button
                variant="default"
                visibleFrom="xs"
                leftSection={<IconDownload size={16} stroke={1.6} />}
                loading={props.exporting !== undefined}
                onClick={props.onExport}
              >
                {props.exportLabel ?? t('list.export')}
              </Button>
              <ActionIcon
                variant="default"
                hiddenFrom="xs"
                size={36}
                aria-label={props.exportLabel ?? t('list.export')}
                title={props.exportLabel ?? t('list.export')}
                loading={props.exporting !== undefined}
                onClick={props.onExport}
              >
                <IconDownload size={18} stroke={1.6} />
              </ActionIcon>
            </>
          )}
          <SavedViews name={name} />
          <ViewOptions {...props} />
        </Group>
      </Group>
      <span className="app-visually-hidden" role="status">
        {props.exporting}
      </span>
    </Stack>
  );
}

function Search(props: { name: string; query: ListQuery }) {
  const { t } = useTranslation();
  const { search, set } = props.query;
  const [text, setText] = useState(search);
  const apply = useDebouncedCallback((value: string) => set({ search: value }), 300);
  useEffect(() => setText(search), [search]);
  const label = t('list.search_in', { records: t(keyIn('resources', props.name, 'many')) });
  const change = (value: string) => {
    setText(value);
    apply(value);
  };
  return (
    <TextInput
      type="search"
      w={{ base: '100%', xs: 280 }}
      placeholder={t('list.search')}
      aria-label={label}
      leftSection={<IconSearch size={16} stroke={1.6} />}
      rightSection={text && <CloseButton size="sm" aria-label={t('list.clear_search')} onClick={() => change('')} />}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

function FilterInput<Row>(props: ToolbarProps<Row> & { filter: Filter }) {
  const { t } = useTranslation();
  const { filter, query, schema } = props;
  const zone = useZone();
  const field = filterName(filter);
  const allowed = useMay(typeof filter === 'object' && 'to' in filter ? filter.to.permissions.index : null);
  const label = labelOf(props.name, field);
  const common = { label, comboboxProps: { withinPortal: false } };
  if (!allowed) return null;
  if (typeof filter === 'object' && 'to' in filter)
    return (
      <ReferenceSelect
        {...common}
        to={filter.to}
        within={filter.within ? { [filter.within]: query.filters[filter.within] } : {}}
        value={Number(query.filters[field]) || null}
        onChange={(value) => query.set({ [field]: value ?? undefined })}
      />
    );
  const plain = typeof filter === 'string' ? plainKindOf(schema.shape[field] as z.ZodType) : undefined;
  const value = query.filters[field] ?? '';
  if (plain === 'text')
    return <TextFilter key={value} label={label} value={value} set={(to) => query.set({ [field]: to })} />;
  if (plain === 'date')
    return (
      <Suspense>
        <DateInput
          label={label}
          popoverProps={{ withinPortal: false }}
          value={value || null}
          onChange={(to) => query.set({ [field]: to ?? undefined })}
        />
      </Suspense>
    );
  if (plain === 'moment')
    return (
      <Suspense>
        <MomentInput
          withinPortal={false}
          label={label}
          zone={zone}
          value={value ? wallTime(zone, new Date(value)) : null}
          onChange={(to) => query.set({ [field]: to ? momentAt(zone, to).toISOString() : undefined })}
        />
      </Suspense>
    );
  const options =
    typeof filter === 'string' ? ['true', 'false'] : (filter.options ?? wordsOf(schema.shape[field] as z.ZodType));
  return (
    <Select
      {...common}
      clearable
      placeholder={t('common.all')}
      data={options.map((value) => ({ value, label: wordOf(t, filter, value) }))}
      value={query.filters[field] ?? null}
      onChange={(value) => query.set({ [field]: value ?? undefined })}
    />
  );
}

/** Text filter that is applied when Enter is pressed or the field loses focus. */
function TextFilter(props: { label: string; value: string; set: (value: string) => void }) {
  const [text, setText] = useState(props.value);
  const apply = () => text.trim() !== props.value && props.set(text.trim());
  return (
    <TextInput
      label={props.label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === 'Enter' && apply()}
    />
  );
}

/** Returns the kind of values for a filter that has no words of its own. */
function plainKindOf(schema: z.ZodType): 'text' | 'date' | 'moment' | 'yes-no' {
  const { type, format } = innerOf(schema).def as { type: string; format?: string };
  if (type !== 'string') return 'yes-no';
  if (format === 'datetime') return 'moment';
  return format === 'date' ? 'date' : 'text';
}

function wordOf(t: (key: MessageKey) => string, filter: Filter, value: string): string {
  if (typeof filter === 'object' && 'words' in filter) return t(keyIn(filter.words, value));
  return t(value === 'true' ? 'common.yes' : 'common.no');
}

function FilterValue<Row>(props: ToolbarProps<Row> & { filter: Filter; value: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { filter, value } = props;
  if (typeof filter === 'object' && 'to' in filter) return <ReferenceName to={filter.to} id={Number(value)} />;
  const plain = typeof filter === 'string' ? plainKindOf(props.schema.shape[filter] as z.ZodType) : undefined;
  if (plain === 'text') return value;
  if (plain === 'date') return format.date(value);
  if (plain === 'moment') return format.instant(value);
  return wordOf(t, filter, value);
}
