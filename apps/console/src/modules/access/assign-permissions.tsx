import { assignableRoles, assignPermissions, showRolePermissions } from '@heliograph/contract/access/permission';
import { Button, Select } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TableSkeleton } from '../../ui/table-parts.tsx';
import { RightsEditor } from './rights-editor.tsx';
import { roleName } from './role-name.ts';

/** Maximum roles that are offered as buttons. */
const FEW = 8;

/** Screen for the permissions of everyone with a role. */
export function AssignPermissions() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { role } = useSearch({ strict: false }) as { role?: string };
  const id = Number(role) || null;
  const roles = useQuery({
    queryKey: ['roles', 'assignable'],
    queryFn: ({ signal }) => call(assignableRoles, { signal }),
  });
  const query = useQuery({
    queryKey: ['roles', 'matrix', id],
    queryFn: ({ signal }) => call(showRolePermissions, { params: { id: id! }, signal }),
    enabled: id !== null,
    // Changes are collected against the data first read. Later updates must not replace those data meanwhile.
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const matrix = query.data?.data;
  const choose = (value: string | null) => void navigate({ to: '.', search: value === null ? {} : { role: value } });
  return (
    <>
      <PageHeader title={t('menu.assign-permissions')} subtitle={t('rights.assign_text')} />
      <Select
        label={t('rights.choose_role')}
        maw={360}
        mb="md"
        searchable
        allowDeselect={false}
        placeholder={t('form.choose')}
        nothingFoundMessage={t('form.nothing_found')}
        data={(roles.data?.data ?? []).map((each) => ({ value: String(each.id), label: roleName(each.name) }))}
        value={id === null ? null : String(id)}
        onChange={choose}
      />
      {id === null && (
        <div className="app-card">
          <EmptyState
            icon={<IconShieldCheck size={28} stroke={1.5} />}
            title={t('rights.choose_role_first')}
            action={(roles.data?.data ?? []).slice(0, FEW).map((each) => (
              <Button key={each.id} size="xs" variant="default" onClick={() => choose(String(each.id))}>
                {roleName(each.name)}
              </Button>
            ))}
          />
        </div>
      )}
      {query.error && !matrix && <LoadError error={query.error} retry={() => void query.refetch()} />}
      {id !== null && !matrix && !query.error && <TableSkeleton />}
      {matrix && (
        <RightsEditor
          key={`${matrix.id} ${query.dataUpdatedAt}`}
          matrix={matrix}
          save={(body) => call(assignPermissions, { params: { id: matrix.id }, body })}
          onSaved={() => void client.invalidateQueries({ queryKey: ['roles'] })}
        />
      )}
    </>
  );
}
