import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { messageTemplate } from '@heliograph/contract/templates/message-template';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(messageTemplate.create);

/** Screen of the templates for the campaigns of a department. */
export function MessageTemplates() {
  return (
    <ResourceList
      resource={messageTemplate}
      columns={['name', 'template', 'corporation_name', 'department_name', 'created_at']}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'department_id', to: department, within: 'corporation_id' },
      ]}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Reference name="department_id" to={department} within="corporation_id" />
          <Field.Text name="name" autoFocus />
          <Field.Textarea name="template" rows={5} />
        </>
      }
    />
  );
}
