import { numberList } from '@heliograph/contract/contacts/number-list';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { IconAddressBook } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(numberList.create);

export function NumberLists() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayOpen = useMay('individual-numbers-index');
  return (
    <ResourceList
      resource={numberList}
      columns={['name', 'numbers_count', 'corporation_name', 'department_name', 'private', 'enabled', 'created_at']}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'department_id', to: department, within: 'corporation_id' },
        'private',
        'enabled',
      ]}
      form={
        <>
          <Field.Text name="name" autoFocus />
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Reference name="department_id" to={department} within="corporation_id" />
          <Field.Switch name="private" />
          <Field.Switch name="enabled" />
        </>
      }
      {...(mayOpen && { rowTo: (row) => `/numbers-${row.id}` })}
      rowActions={(row) =>
        mayOpen
          ? [
              {
                label: t('resources.number-lists.open_numbers'),
                icon: <IconAddressBook size={16} stroke={1.6} />,
                onClick: () => void navigate({ to: `/numbers-${row.id}` }),
              },
            ]
          : []
      }
    />
  );
}
