import { connectionType } from '@heliograph/contract/settings/connection-type';
import { fieldsOf } from '../../resource/fields.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(connectionType.create);

/** Screen of the channels by which a person's messages enter the platform. */
export function ConnectionTypes() {
  return (
    <ResourceList
      resource={connectionType}
      columns={['name', 'created_at']}
      form={<Field.Text name="name" autoFocus />}
    />
  );
}
