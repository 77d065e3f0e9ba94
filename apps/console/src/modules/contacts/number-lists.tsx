import { numberList } from '@heliograph/contract/contacts/number-list';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { IconAddressBook } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import { ListFields, useListFile } from './list-form.tsx';

export function NumberLists() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayOpen = useMay('individual-numbers-index');
  const file = useListFile();
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
      form={<ListFields onFile={file.set} />}
      onSaved={file.send}
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
