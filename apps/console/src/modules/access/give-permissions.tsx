import { givePermissions, permissionHolders, showUserPermissions } from '@heliograph/contract/access/permission';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconUserShield } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TableSkeleton } from '../../ui/table-parts.tsx';
import { RightsEditor } from './rights-editor.tsx';

/** Screen for the permissions of one person in addition to their role. */
export function GivePermissions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { user } = useSearch({ strict: false }) as { user?: string };
  const id = Number(user) || null;
  const [search, setSearch] = useState('');
  const query = useQuery({
    queryKey: ['users', 'matrix', id],
    queryFn: ({ signal }) => call(showUserPermissions, { params: { id: id! }, signal }),
    enabled: id !== null,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const matrix = query.data?.data;
  const [wanted] = useDebouncedValue(search === matrix?.name ? '' : search.trim(), 200);
  const people = useQuery({
    queryKey: ['users', 'holders', wanted],
    queryFn: ({ signal }) => call(permissionHolders, { query: wanted === '' ? {} : { search: wanted }, signal }),
    placeholderData: keepPreviousData,
  });
  const choices = (people.data?.data ?? []).map((each) => ({
    value: String(each.id),
    label: each.name,
    email: each.email,
  }));
  if (matrix && !choices.some(({ value }) => value === String(matrix.id)))
    choices.unshift({ value: String(matrix.id), label: matrix.name, email: '' });
  return (
    <>
      <PageHeader title={t('menu.give-permissions')} subtitle={t('rights.give_text')} />
      <Select
        label={t('rights.choose_user')}
        maw={360}
        mb="md"
        searchable
        allowDeselect={false}
        placeholder={t('form.type_to_search')}
        nothingFoundMessage={t('form.nothing_found')}
        data={choices}
        filter={({ options }) => options}
        searchValue={search}
        onSearchChange={setSearch}
        value={id === null ? null : String(id)}
        onChange={(value) => void navigate({ to: '.', search: value === null ? {} : { user: value } })}
      />
      {id === null && (
        <div className="app-card">
          <EmptyState icon={<IconUserShield size={28} stroke={1.5} />} title={t('rights.choose_user_first')} />
        </div>
      )}
      {query.error && !matrix && (
        <LoadError title={t('users.not_found')} error={query.error} retry={() => void query.refetch()} />
      )}
      {id !== null && !matrix && !query.error && <TableSkeleton />}
      {matrix && (
        <RightsEditor
          key={`${matrix.id} ${query.dataUpdatedAt}`}
          matrix={matrix}
          save={(body) => call(givePermissions, { params: { id: matrix.id }, body })}
          onSaved={() => void client.invalidateQueries({ queryKey: ['users'] })}
        />
      )}
    </>
  );
}
