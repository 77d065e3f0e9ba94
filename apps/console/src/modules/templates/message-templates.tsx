import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { TextBubble, TextMeasure } from './text-measure.tsx';

const Field = fieldsOf(messageTemplate.create);

/** Screen of the templates for the campaigns of a department. */
export function MessageTemplates() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const maySend = useMay('campaigns-create');
  return (
    <ResourceList
      resource={messageTemplate}
      columns={[
        'name',
        {
          field: 'template',
          width: 420,
          keep: true,
          cell: (row) => (
            <Stack gap={4} py={4}>
              <Text size="sm" lineClamp={2} title={row.template}>
                {row.template}
              </Text>
              <TextMeasure text={row.template} />
            </Stack>
          ),
        },
        'department_name',
        'corporation_name',
        'created_at',
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'department_id', to: department, within: 'corporation_id' },
      ]}
      rowActions={(row) =>
        maySend
          ? [
              {
                label: t('templates.use'),
                icon: <IconSend size={16} stroke={1.6} />,
                onClick: () => void navigate({ to: '/send-sms', search: { template: String(row.id) } }),
              },
            ]
          : []
      }
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Reference name="department_id" to={department} within="corporation_id" />
          <Field.Text name="name" autoFocus />
          <Field.Textarea name="template" rows={5} />
          <Preview />
        </>
      }
    />
  );
}

/** Preview of the text that is being written, with its parts. */
function Preview() {
  const { t } = useTranslation();
  const { values } = useFormState();
  const text = String(values['template'] ?? '');
  if (text.trim() === '') return null;
  return (
    <Stack gap={8} component="section" aria-label={t('compose.aside')}>
      <TextBubble text={text} />
      <TextMeasure text={text} />
    </Stack>
  );
}
