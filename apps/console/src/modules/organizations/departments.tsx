import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { previewDepartmentOff } from '@heliograph/contract/organizations/switch-off';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';
import { SwitchedOff } from './switched-off.tsx';

const Field = fieldsOf(department.create);

export function Departments() {
  return (
    <ResourceList
      resource={department}
      columns={[
        'name',
        'corporation_name',
        'signature',
        'enabled',
        { field: 'callback_url', hidden: true },
        'created_at',
      ]}
      filters={[{ field: 'corporation_id', to: corporation }, 'enabled']}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Text name="name" autoFocus />
          <Field.Textarea name="signature" />
          <Field.Text name="callback_url" type="url" />
          <Field.Switch name="enabled" />
          <SwitchedOff preview={previewDepartmentOff} />
        </>
      }
    />
  );
}
