import { testNumber } from '@heliograph/contract/links/test-number';
import { useTranslation } from 'react-i18next';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(testNumber.create);

/** Screen of the numbers to which links send test messages. */
export function TestNumbers() {
  const { t } = useTranslation();
  return (
    <ResourceList
      resource={testNumber}
      header={{ subtitle: t('link_truth.numbers_subtitle') }}
      columns={[
        'number',
        {
          field: 'kind',
          cell: (row) => t(`test_number_kind.${row.kind}`),
          csv: (row) => t(`test_number_kind.${row.kind}`),
        },
        'note',
        'answered_at',
        'enabled',
        { field: 'created_at', hidden: true },
      ]}
      filters={[{ field: 'kind', words: 'test_number_kind' }, 'enabled']}
      form={
        <>
          <Field.Text name="number" autoFocus />
          <Field.Select name="kind" words="test_number_kind" />
          <Field.Text name="note" />
          <Field.Switch name="enabled" />
        </>
      }
    />
  );
}
