import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { MultiSelect, type MultiSelectProps, Select, type SelectProps, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../platform/call.ts';
import { lazyPart } from '../platform/connection.ts';
import { keepLookup, type Lookup, useMay, useSession } from '../platform/session.ts';
import { inSentence } from './none-yet.ts';

export const QuickCreate = lazyPart(async () => (await import('./quick-create.tsx')).QuickCreate);

/** Returns the query of a record for its name, which all who show the name share. */
const nameQuery = (to: AnyResource, id: number | null) => ({
  queryKey: [to.name, 'name', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    request(to.get, { params: { id }, signal }) as Promise<{ data: Lookup }>,
  staleTime: 60_000,
});

/** Returns the name of a record with a known id; undefined until it is loaded. */
function useReferenceName(to: AnyResource, id: number | null, known?: string): string | undefined {
  const allowed = useMay(to.permissions.show);
  // The platform's own messages belong to corporation 0, which is not a record.
  const platform = useSession((s) => s.pageConfigurations?.corporation_name);
  const query = useQuery({
    ...nameQuery(to, id),
    enabled: allowed && id !== null && id !== 0 && known === undefined,
  });
  if (id === 0) return platform;
  return known ?? (query.data ? String(query.data.data[to.title]) : undefined);
}

/** Returns the names of records by their ids, as far as they are loaded and the person may see them. */
export function useReferenceNames(to: AnyResource, ids: readonly number[]): Record<string, string> {
  const allowed = useMay(to.permissions.show);
  const rows = useQueries({ queries: ids.map((id) => ({ ...nameQuery(to, id), enabled: allowed })) });
  return Object.fromEntries(
    rows.flatMap(({ data }, at) => (data ? [[String(ids[at]), String(data.data[to.title])]] : [])),
  );
}

/** Name of a record, shown instead of its id. */
export function ReferenceName(props: { to: AnyResource; id: number }) {
  return useReferenceName(props.to, props.id) ?? <Skeleton component="span" display="inline-block" h={12} w={60} />;
}

/**
 * Returns the records that can be chosen. The first page without a search stays in the session, so the next form can
 * show it immediately.
 */
function useChoices(to: AnyResource, within: Record<string, unknown>, search: string, enabled: boolean) {
  const first = search === '' && Object.keys(within).length === 0;
  const kept = useSession((s) => s.lookups[lookupName(to)]);
  const list = useQuery({
    queryKey: [to.name, 'choice', within, search],
    queryFn: ({ signal }) =>
      request(to.list, { query: { ...within, search, per_page: 50 }, signal }) as Promise<{ data: readonly Lookup[] }>,
    enabled,
    placeholderData: (previous) => previous ?? (first && kept ? { data: kept } : undefined),
  });
  const fresh = first && !list.isPlaceholderData ? list.data?.data : undefined;
  useEffect(() => {
    if (fresh)
      keepLookup(
        lookupName(to),
        fresh.map((row) => ({ id: row.id, [to.title]: row[to.title] })),
      );
  }, [fresh, to]);
  return list;
}

const lookupName = (to: AnyResource) => to.name.replaceAll('-', '_');

/** Value of the option that opens the dialog; no id is written like this. */
export const NEW_RECORD = '+';

/**
 * Returns the label of the option that creates a record in place, such as “+ New department”. Undefined if the caller
 * may not create it, or if it needs more than its name and the fields in `within`.
 */
export function useNewLabel(to: AnyResource, within: Record<string, unknown>): string | undefined {
  const { t } = useTranslation();
  const may = useMay(to.permissions.create);
  // A filter that is no field, such as resellers only, says nothing about a new record.
  if (!may || !Object.keys(within).every((field) => field in to.create.shape)) return undefined;
  const faults = to.create.safeParse(within).error?.issues ?? [];
  if (faults.some(({ path }) => path[0] !== to.title)) return undefined;
  return `+ ${t('form.create_title', { record: inSentence(t(keyIn('resources', to.name, 'one'))) })}`;
}

interface ReferenceSelectProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  to: AnyResource;
  value: number | null;
  onChange: (value: number | null) => void;
  /** Filters that narrow the choice, such as the corporation of a department. An empty one blocks it. */
  within?: Record<string, unknown>;
  /** Name of the present value, if it is known. */
  known?: string | undefined;
  blocked?: string | undefined;
  /** Set if a missing record can be created in place, as the last option. */
  creates?: boolean;
  /** Set if the only record that can be chosen is chosen immediately. */
  choosesOnly?: boolean;
}

/** Select for another record by name. It searches on the server while the user types. */
export function ReferenceSelect(props: ReferenceSelectProps) {
  const { to, value, onChange, within = {}, known, blocked, creates = false, choosesOnly = false, ...rest } = props;
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState(false);
  const [wanted] = useDebouncedValue(search, 200);
  const [creating, setCreating] = useState(false);
  const newLabel = useNewLabel(to, within);
  const name = useReferenceName(to, value, known);
  const list = useChoices(to, within, wanted === name ? '' : wanted, (opened || choosesOnly) && blocked === undefined);
  const found = list.isPlaceholderData ? undefined : list.data?.data;
  const only = choosesOnly && value === null && wanted === '' && found?.length === 1 ? found[0] : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: chosen once it is known to be the only one
  useEffect(() => {
    if (only) onChange(only.id);
  }, [only?.id]);
  const choices = (list.data?.data ?? []).map((row) => ({ value: String(row.id), label: String(row[to.title]) }));
  // The present value can still be chosen while the search shows others.
  if (value !== null && !choices.some((choice) => choice.value === String(value)))
    choices.unshift({ value: String(value), label: name ?? '…' });
  if (creates && newLabel && blocked === undefined) choices.push({ value: NEW_RECORD, label: newLabel });
  return (
    <>
      <Select
        searchable
        clearable
        placeholder={blocked ?? t('form.type_to_search')}
        disabled={blocked !== undefined}
        nothingFoundMessage={t(list.isFetching ? 'common.loading' : 'form.nothing_found')}
        {...rest}
        data={choices}
        filter={({ options }) => options}
        searchValue={search}
        onSearchChange={setSearch}
        onDropdownOpen={() => setOpened(true)}
        value={value === null ? null : String(value)}
        onChange={(next) => {
          if (next === NEW_RECORD) setCreating(true);
          else onChange(next === null ? null : Number(next));
        }}
      />
      {creating && (
        <Suspense fallback={null}>
          <QuickCreate
            to={to}
            within={within}
            name={found?.length === 0 ? search : ''}
            onCreated={({ id }) => {
              setCreating(false);
              onChange(id);
            }}
            onClose={() => setCreating(false)}
          />
        </Suspense>
      )}
    </>
  );
}

interface ReferencesSelectProps extends Omit<MultiSelectProps, 'value' | 'onChange' | 'data'> {
  to: AnyResource;
  value: readonly number[];
  onChange: (value: number[]) => void;
  within?: Record<string, unknown>;
  blocked?: string | undefined;
}

/** Select for several other records by name. It searches on the server while the user types. */
export function ReferencesSelect({ to, value, onChange, within = {}, blocked, ...props }: ReferencesSelectProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search, 200);
  const [names, setNames] = useState<ReadonlyMap<number, string>>(new Map());
  const list = useChoices(to, within, wanted, blocked === undefined);
  const found = new Map((list.data?.data ?? []).map((row) => [row.id, String(row[to.title])]));
  // Chosen records stay, even if the search no longer shows them.
  const all = new Map([...value.map((id) => [id, names.get(id) ?? found.get(id) ?? '…'] as const), ...found]);
  return (
    <MultiSelect
      searchable
      placeholder={blocked ?? (value.length === 0 ? t('form.type_to_search') : '')}
      disabled={blocked !== undefined}
      nothingFoundMessage={t(list.isFetching ? 'common.loading' : 'form.nothing_found')}
      {...props}
      data={[...all].map(([id, label]) => ({ value: String(id), label }))}
      filter={({ options }) => options}
      searchValue={search}
      onSearchChange={setSearch}
      value={value.map(String)}
      onChange={(next) => {
        const ids = next.map(Number);
        setNames(new Map(ids.map((id) => [id, all.get(id) ?? '…'])));
        onChange(ids);
      }}
    />
  );
}
