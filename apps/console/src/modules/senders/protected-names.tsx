import { protectedName } from '@heliograph/contract/senders/protected-name';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { TryName } from './try-name.tsx';

const Field = fieldsOf(protectedName.create);

/** Screen of the names that nobody gets as a sender ID without the platform's decision. */
export function ProtectedNames() {
  const { t } = useTranslation();
  return (
    <ResourceList
      resource={protectedName}
      header={{ actions: <TryName /> }}
      columns={[
        'name',
        {
          field: 'kind',
          cell: (row) => t(`protected_kind.${row.kind}`),
          csv: (row) => t(`protected_kind.${row.kind}`),
        },
        {
          field: 'action',
          cell: (row) => t(`protected_action.${row.action}`),
          csv: (row) => t(`protected_action.${row.action}`),
        },
        'created_at',
      ]}
      filters={[
        { field: 'kind', words: 'protected_kind' },
        { field: 'action', words: 'protected_action' },
      ]}
      form={
        <>
          <Field.Text name="name" autoFocus />
          <Field.Select name="kind" words="protected_kind" />
          <Field.Select name="action" words="protected_action" />
        </>
      }
    />
  );
}
