import { GUARDS, role, rolePermissions } from '@heliograph/contract/access/permission';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Input } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { TableSkeleton } from '../../ui/table-parts.tsx';
import { ChoiceField } from './choice-field.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';
import { roleName } from './role-name.ts';

const Field = fieldsOf(role.create);

export function Roles() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const mayAssign = useMay('assign-permissions-index');
  return (
    <ResourceList<typeof role>
      resource={role}
      columns={[
        { field: 'name', cell: (row) => roleName(row.name), csv: (row) => roleName(row.name) },
        { field: 'level', cell: (row) => t(keyIn('scope_level', row.level)), csv: (row) => row.level },
        { field: 'guard', cell: (row) => t(`guards.${row.guard}`) },
        {
          field: 'permissions_count',
          cell: (row) => (row.unlimited ? t('rights.unlimited') : format.integer(row.permissions_count)),
          csv: (row) => (row.unlimited ? t('rights.unlimited') : row.permissions_count),
        },
        'users_count',
        'built_in',
        'created_at',
      ]}
      filters={[{ field: 'guard', words: 'guards' }]}
      form={<RoleFields />}
      rowActions={(row) =>
        mayAssign
          ? [
              {
                label: t('rights.assign'),
                icon: <IconShieldCheck size={16} stroke={1.6} />,
                onClick: () => void navigate({ to: '/assign-permissions', search: { role: String(row.id) } }),
              },
            ]
          : []
      }
    />
  );
}

/** Reads all permissions, with the levels that the caller may grant, once for the form. */
const useRolePermissions = () =>
  useQuery({
    queryKey: ['roles', 'permissions'],
    queryFn: ({ signal }) => call(rolePermissions, { signal }),
    staleTime: 30_000,
  }).data;

function RoleFields() {
  const { t } = useTranslation();
  const all = useRolePermissions();
  return (
    <>
      <Field.Text name="name" autoFocus />
      <ChoiceField name="level" data={(all?.levels ?? []).map(({ id, name }) => ({ value: id, label: name }))} />
      <ChoiceField name="guard" data={GUARDS.map((value) => ({ value, label: t(`guards.${value}`) }))} />
      <PermissionsField />
    </>
  );
}

/** Field for the permissions with which a new role starts. */
function PermissionsField() {
  const form = useFormState();
  const all = useRolePermissions();
  const guard = form.values['guard'];
  const matrix = useMemo(
    () => all && { menus: all.menus, permissions: all.permissions.filter((each) => each.guard === guard) },
    [all, guard],
  );
  if (!form.schema.shape['permissions']) return null;
  const held = new Set((form.values['permissions'] as string[] | null) ?? []);
  return (
    <Input.Wrapper
      label={labelOf('roles', 'permissions')}
      required
      error={form.errors['permissions']}
      data-field="permissions"
    >
      {matrix ? (
        <PermissionMatrix
          matrix={matrix}
          held={held}
          editable
          onChange={(next) => form.set('permissions', [...next])}
        />
      ) : (
        <TableSkeleton />
      )}
    </Input.Wrapper>
  );
}
