import { GUARDS, role, rolePermissions } from '@heliograph/contract/access/permission';
import { Input, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';
import { TableSkeleton } from '../../ui/table-parts.tsx';
import { ChoiceField } from './choice-field.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';

const Field = fieldsOf(role.create);

/** Reads all permissions, with the levels that the caller may grant, once for the form. */
const useRolePermissions = () =>
  useQuery({
    queryKey: ['roles', 'permissions'],
    queryFn: ({ signal }) => call(rolePermissions, { signal }),
    staleTime: 30_000,
  }).data;

/** Page that creates or edits a role. The permissions of a role that exists are assigned on their own screen. */
export const RoleForm = () => (
  <FormPage resource={role} groups={{ general: <GeneralFields />, permissions: <PermissionsField /> }} />
);

function GeneralFields() {
  const { t } = useTranslation();
  const all = useRolePermissions();
  return (
    <>
      <Field.Text name="name" autoFocus />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ChoiceField name="level" data={(all?.levels ?? []).map(({ id, name }) => ({ value: id, label: name }))} />
        <ChoiceField name="guard" data={GUARDS.map((value) => ({ value, label: t(`guards.${value}`) }))} />
      </SimpleGrid>
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
    <div data-field="permissions">
      {form.errors['permissions'] && <Input.Error mb="sm">{form.errors['permissions']}</Input.Error>}
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
    </div>
  );
}
