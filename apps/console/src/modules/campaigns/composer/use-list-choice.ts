import { numberList } from '@heliograph/contract/contacts/number-list';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../platform/call.ts';
import { useMay } from '../../../platform/session.ts';

/** List as the composer shows it. */
export interface KnownList {
  id: number;
  name: string;
  count: number;
  /** Department that owns it, or the word for a private one. */
  whose: string;
  corporation_id: number;
}

/**
 * Reads the lists that can be chosen, and those that are chosen already. Before there is a sender they may belong to
 * any corporation; the first one chosen decides it.
 */
export function useListChoice(chosen: readonly number[], senderCorporation: number | undefined) {
  const { t } = useTranslation();
  const allowed = useMay('number-lists-index');
  const mayShow = useMay('number-lists-show');
  const [search, setSearch] = useState('');
  const [wanted] = useDebouncedValue(search.trim(), 250);
  const picked = useQueries({
    queries: (mayShow ? chosen : []).map((id) => ({
      queryKey: ['composer', 'list', id],
      queryFn: () => call(numberList.get, { params: { id } }),
      staleTime: 60_000,
    })),
    combine: (results) => results.flatMap((result) => result.data?.data ?? []),
  });
  const corporationId = senderCorporation ?? picked[0]?.corporation_id;
  const offered = useQuery({
    queryKey: ['composer', 'lists', corporationId, wanted],
    queryFn: ({ signal }) =>
      call(numberList.list, {
        query: {
          ...(corporationId !== undefined && { corporation_id: corporationId }),
          enabled: 'true',
          per_page: 200,
          sort: 'name',
          ...(wanted && { search: wanted }),
        },
        signal,
      }),
    enabled: allowed,
    placeholderData: keepPreviousData,
  });
  const known = useMemo(
    () =>
      new Map(
        [...(offered.data?.data ?? []), ...picked].map((row): [number, KnownList] => [
          row.id,
          {
            id: row.id,
            name: row.name,
            count: row.numbers_count,
            whose: row.private ? t('resources.number-lists.fields.private') : row.department_name,
            corporation_id: row.corporation_id,
          },
        ]),
      ),
    [offered.data, picked, t],
  );
  return {
    known,
    offered: (offered.data?.data ?? []).map(({ id }) => id),
    loading: offered.isFetching,
    search,
    setSearch,
    /** Corporation of the chosen lists; undefined if none is chosen. */
    corporationId: picked[0]?.corporation_id,
    /** Numbers in the chosen lists together. */
    total: chosen.reduce((sum, id) => sum + (known.get(id)?.count ?? 0), 0),
  };
}

export type ListChoice = ReturnType<typeof useListChoice>;
