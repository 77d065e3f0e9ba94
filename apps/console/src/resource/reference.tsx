import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { Select, type SelectProps, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { request } from '../platform/call.ts';
import { useMay } from '../platform/session.ts';

type Row = Record<string, unknown> & { id: number };

/** The name of a record that is known by its id; undefined until it is there. */
function useReferenceName(to: AnyResource, id: number | null, known?: string): string | undefined {
  const allowed = useMay(to.permissions.show);
  const query = useQuery({
    queryKey: [to.name, 'name', id],
    queryFn: ({ signal }) => request(to.get, { params: { id }, signal }) as Promise<{ data: Row }>,
    enabled: allowed && id !== null && known === undefined,
    staleTime: 60_000,
  });
  return known ?? (query.data ? String(query.data.data[to.title]) : undefined);
}

/** A record's name in place of its id. */
export function ReferenceName(props: { to: AnyResource; id: number }) {
  return useReferenceName(props.to, props.id) ?? <Skeleton component="span" display="inline-block" h={12} w={60} />;
}

interface ReferenceSelectProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  to: AnyResource;
  value: number | null;
  onChange: (value: number | null) => void;
  /** Filters that narrow the choice, such as the corporation of a department; an empty one blocks it. */
  within?: Record<string, unknown>;
  /** The name of the present value, where it is known. */
  known?: string | undefined;
  blocked?: string | undefined;
}

/** Chooses another record by name, searching on the server while typing. */
export function ReferenceSelect({ to, value, onChange, within = {}, known, blocked, ...props }: ReferenceSelectProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState(false);
  const [wanted] = useDebouncedValue(search, 200);
  const name = useReferenceName(to, value, known);
  const list = useQuery({
    queryKey: [to.name, 'choice', within, wanted],
    queryFn: ({ signal }) =>
      request(to.list, {
        query: { ...within, search: wanted === name ? '' : wanted, per_page: 20 },
        signal,
      }) as Promise<{ data: Row[] }>,
    enabled: opened && blocked === undefined,
    placeholderData: keepPreviousData,
  });
  const choices = (list.data?.data ?? []).map((row) => ({ value: String(row.id), label: String(row[to.title]) }));
  // The present value stays choosable while the search shows others.
  if (value !== null && !choices.some((choice) => choice.value === String(value)))
    choices.unshift({ value: String(value), label: name ?? '…' });
  return (
    <Select
      searchable
      clearable
      placeholder={blocked ?? t('form.type_to_search')}
      disabled={blocked !== undefined}
      nothingFoundMessage={t(list.isFetching ? 'common.loading' : 'form.nothing_found')}
      {...props}
      data={choices}
      filter={({ options }) => options}
      searchValue={search}
      onSearchChange={setSearch}
      onDropdownOpen={() => setOpened(true)}
      value={value === null ? null : String(value)}
      onChange={(next) => onChange(next === null ? null : Number(next))}
    />
  );
}
