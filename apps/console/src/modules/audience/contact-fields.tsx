import { contactField, contactFieldUse } from '@heliograph/contract/audience/contact-field';
import { corporation } from '@heliograph/contract/organizations/corporation';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(contactField.create);

/** Screen of the fields that a corporation gives its contacts. */
export function ContactFields() {
  const { t } = useTranslation();
  return (
    <ResourceList
      resource={contactField}
      columns={[
        'name',
        'key',
        { field: 'type', cell: (row) => t(`contact_type.${row.type}`), csv: (row) => t(`contact_type.${row.type}`) },
        { field: 'choices', cell: (row) => row.choices.join(', ') || '–', csv: (row) => row.choices.join(', ') },
        'corporation_name',
        { field: 'is_language', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'type', words: 'contact_type' },
      ]}
      deleteNote={lossOf}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="name" autoFocus />
          <Field.Text name="key" />
          <TypeFields />
        </>
      }
    />
  );
}

/** Type of a new field, and the choices of a field with choices. */
function TypeFields() {
  const { row, values } = useFormState();
  const type = row?.['type'] ?? values['type'];
  return (
    <>
      {row === null && <Field.Select name="type" words="contact_type" />}
      {type === 'choice' && <Field.Tags name="choices" />}
      {(type === 'choice' || type === 'text') && <Field.Switch name="is_language" />}
    </>
  );
}

/** Returns a sentence with the number of contacts that lose a value with the fields. */
async function lossOf(rows: readonly { id: number }[]): Promise<string> {
  const uses = await Promise.all(rows.map(({ id }) => call(contactFieldUse, { params: { id } })));
  const count = uses.reduce((sum, { data }) => sum + data.contacts, 0);
  const names = [...new Set(uses.flatMap(({ data }) => data.segments))];
  const used = names.length > 0 ? ` ${i18next.t('segments.field_used', { names: names.join(', ') })}` : '';
  return i18next.t('contacts.loss', { count }) + used;
}
