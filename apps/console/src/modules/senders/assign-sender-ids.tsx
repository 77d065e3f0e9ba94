import { corporation } from '@heliograph/contract/organizations/corporation';
import { department } from '@heliograph/contract/organizations/department';
import { senderAssignment } from '@heliograph/contract/senders/sender-assignment';
import { senderId } from '@heliograph/contract/senders/sender-id';
import { fieldsOf } from '../../resource/fields.tsx';
import { useFormState } from '../../resource/form.tsx';
import { ResourceList } from '../../resource/resource-list.tsx';

const Field = fieldsOf(senderAssignment.create);
const Changed = fieldsOf(senderAssignment.update);

/** Screen of the sender IDs of a corporation and the departments that may use them. */
export function AssignSenderIds() {
  return (
    <ResourceList
      resource={senderAssignment}
      columns={['sender_id_name', 'department_name', 'corporation_name', 'created_at']}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'department_id', to: department, within: 'corporation_id' },
        { field: 'sender_id_id', to: senderId, within: 'corporation_id' },
      ]}
      form={
        <>
          <Field.Reference name="corporation_id" to={corporation} />
          <Field.Reference name="department_id" to={department} within="corporation_id" />
          <Field.References name="sender_id_ids" to={senderId} within="corporation_id" />
          <OtherSender />
        </>
      }
    />
  );
}

/** Field for the sender ID, within the corporation. Nothing else of an existing assignment can be changed. */
function OtherSender() {
  const corporation_id = useFormState().row?.['corporation_id'];
  return <Changed.Reference name="sender_id_id" to={senderId} filter={{ corporation_id }} />;
}
