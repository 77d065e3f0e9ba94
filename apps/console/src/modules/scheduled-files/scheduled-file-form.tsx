import { corporation } from '@heliograph/contract/organizations/corporation';
import { scheduledFile } from '@heliograph/contract/scheduled-files/scheduled-file';
import { SimpleGrid } from '@mantine/core';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { FormPage } from '../../resource/form-page.tsx';

const Field = fieldsOf(scheduledFile.create);

/** Fields of the chosen kind of destination. */
function DestinationFields() {
  const { values, row } = useFormState();
  const kind = values['destination'] ?? row?.['destination'];
  return (
    <>
      <Field.Select name="destination" words="file_destination" />
      {kind === 'sftp' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field.Text name="host" />
          <Field.Number name="port" />
        </SimpleGrid>
      )}
      {kind === 's3' && (
        <>
          <Field.Text name="endpoint" type="url" />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Text name="region" />
            <Field.Text name="bucket" />
          </SimpleGrid>
        </>
      )}
      <Field.Text name="folder" />
      <Field.Text name="username" />
      <Field.Secret name="secret" />
      {kind === 'sftp' && <Field.Textarea name="private_key" rows={4} />}
    </>
  );
}

/** Page that creates or edits a scheduled file. */
export const ScheduledFileForm = () => (
  <FormPage
    resource={scheduledFile}
    groups={{
      content: (
        <>
          <Field.Text name="name" autoFocus />
          <Field.Reference name="corporation_id" to={corporation} />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <Field.Select name="every" words="file_period" />
            <Field.Number name="wait_hours" />
          </SimpleGrid>
          <Field.Switch name="texts" />
          <Field.Switch name="numbers" />
          <Field.Switch name="enabled" />
        </>
      ),
      destination: <DestinationFields />,
    }}
  />
);
