import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { AnyResource } from '@heliograph/contract/kernel/resource';
import { Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { request } from '../platform/call.ts';
import type { Lookup } from '../platform/session.ts';
import { toast } from '../platform/toast.ts';
import { labelOf } from './columns.tsx';
import { RecordForm, useFormState } from './form.tsx';
import { initialValues } from './form-values.ts';
import { inSentence } from './none-yet.ts';

interface QuickCreateProps {
  to: AnyResource;
  /** Fields that are known, such as the corporation of a department. */
  within: Record<string, unknown>;
  /** Name that the user has typed so far. */
  name: string;
  onCreated: (row: Lookup) => void;
  onClose: () => void;
}

/** Small dialog that creates a record by its name, from a field of another form. */
export function QuickCreate({ to, within, name, onCreated, onClose }: QuickCreateProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const record = t(keyIn('resources', to.name, 'one'));
  return (
    // Events pass through the portal: without this, the form that is behind would be submitted too.
    <div onSubmit={(event) => event.stopPropagation()}>
      <Modal
        opened
        onClose={onClose}
        title={<Text fw={650}>{t('form.create_title', { record: inSentence(record) })}</Text>}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <RecordForm
          name={to.name}
          schema={to.create}
          initial={initialValues(to.create, { ...within, [to.title]: name })}
          submitLabel={t('actions.create')}
          onCancel={onClose}
          submit={async (values) => {
            const body = { ...within, [to.title]: values[to.title] };
            const reply = (await request(to.createOne, { body })) as { data: Lookup; message?: string };
            void client.invalidateQueries({ queryKey: [to.name] });
            void toast('success', reply.message ?? t('saved.created', { record }));
            onCreated(reply.data);
          }}
        >
          <NameField to={to} />
        </RecordForm>
      </Modal>
    </div>
  );
}

function NameField({ to }: { to: AnyResource }) {
  const { values, errors, set } = useFormState();
  return (
    <TextInput
      label={labelOf(to.name, to.title)}
      data-autofocus
      data-field={to.title}
      required
      error={errors[to.title]}
      value={String(values[to.title] ?? '')}
      onChange={(event) => set(to.title, event.currentTarget.value)}
    />
  );
}
