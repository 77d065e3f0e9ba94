import { GUARDS, permission, permissionsRenderForm } from '@heliograph/contract/access/permission';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { menuLabel } from '../../platform/menu-label.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { ChoiceField } from './choice-field.tsx';
import { nameOfPermission } from './matrix-groups.ts';

const Field = fieldsOf(permission.create);

export function Permissions() {
  const { t } = useTranslation();
  return (
    <ResourceList<typeof permission>
      resource={permission}
      header={{ subtitle: t('resources.permissions.subtitle') }}
      columns={[
        {
          field: 'name',
          cell: (row) => (
            <>
              <Text size="sm">{nameOfPermission(row.name)}</Text>
              <Text size="xs" c="dimmed" ff="monospace">
                {row.name}
              </Text>
            </>
          ),
        },
        { field: 'guard', cell: (row) => t(`guards.${row.guard}`) },
        {
          field: 'menu_title',
          cell: (row) => (row.menu_title === null ? '–' : menuLabel({ title: row.menu_title })),
          csv: (row) => row.menu_title,
        },
        'built_in',
        'created_at',
      ]}
      filters={[{ field: 'guard', words: 'guards' }]}
      form={<PermissionFields />}
    />
  );
}

function PermissionFields() {
  const { t } = useTranslation();
  const menus = useQuery({
    queryKey: ['permissions', 'menus'],
    queryFn: ({ signal }) => call(permissionsRenderForm, { signal }),
  }).data?.menu;
  return (
    <>
      <Field.Text name="name" autoFocus />
      <ChoiceField name="guard" data={GUARDS.map((value) => ({ value, label: t(`guards.${value}`) }))} />
      <ChoiceField name="menu_id" data={(menus ?? []).map((entry) => ({ value: entry.id, label: menuLabel(entry) }))} />
    </>
  );
}
