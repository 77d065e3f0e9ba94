import { changeLog } from '@heliograph/contract/documentation/change-log';
import { IconBook2 } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { labelOf } from '../../resource/columns.tsx';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { RichTextField } from './rich-text-field.tsx';
import { StabilityBadge } from './stability.tsx';

const Field = fieldsOf(changeLog.create);

/** Screen of the changes in each version of the product. */
export function ChangeLog() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayRead = useMay('documentation-view');
  return (
    <ResourceList<typeof changeLog>
      resource={changeLog}
      columns={[
        'version',
        {
          field: 'stability',
          cell: (row) => <StabilityBadge stability={row.stability} />,
          csv: (row) => t(`stability.${row.stability}`),
        },
        'built_in',
        'edited',
        'updated_at',
      ]}
      filters={[{ field: 'stability', words: 'stability' }]}
      form={<ChangeLogFields />}
      formSize={880}
      rowActions={(row) =>
        mayRead
          ? [
              {
                label: t('resources.change-log.read'),
                icon: <IconBook2 size={16} stroke={1.6} />,
                onClick: () => void navigate({ to: `/change-logs/${row.id}` }),
              },
            ]
          : []
      }
    />
  );
}

function ChangeLogFields() {
  const form = useFormState();
  return (
    <>
      <Field.Text name="version" autoFocus />
      <Field.Select name="stability" words="stability" />
      <RichTextField
        label={labelOf('change-log', 'description')}
        value={String(form.values['description'] ?? '')}
        onChange={(html) => form.set('description', html)}
        error={form.errors['description']}
      />
    </>
  );
}
